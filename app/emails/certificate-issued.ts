import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  title: string;
  /** Days and hours of the course. */
  held: string;
  /** In fours. */
  number: string;
  link: string;
  academy: MailAcademy;
};

/** Tells a learner that their certificate is there (P64). It holds no link that shows the certificate to others. */
export function certificateIssued({ title, held, number, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf('Your certificate', { title, reference: number }),
    heading: 'Your certificate',
    parts: [
      'You have completed the course. Congratulations.',
      { treasure: title, lines: [held, `Certificate ${number}`] },
      { action: 'See your certificate', href: link },
      'On the page of your place you can print the certificate, add it to LinkedIn, and choose what people see who check its number. Until you choose, they see that it is valid, and not your name.',
      `Is your name wrong? You can correct it on the same page, or call ${academy.phone}.`,
    ],
    academy,
    reason: 'You get this because you completed a course with us.',
  });
}
