import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The organisation. */
  name: string;
  /** Of the enrolment, `BB-7KQ2MX`. */
  reference: string;
  title: string;
  taken: boolean;
  link: string;
  academy: MailAcademy;
};

/** Tells a buyer what the managers of their organisation answered (P110). */
export function organisationAnswered({ name, reference, title, taken, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: taken ? `${name} took ${reference}: ${title}` : `${name} left ${reference} with you: ${title}`,
    heading: taken ? `${name} took your enrolment` : 'Your enrolment stays with you',
    parts: [
      taken
        ? `The managers of ${name} now see ${title} too, and can change it. You still can: your link works as before.`
        : `A manager of ${name} did not take ${title}. It stays yours alone, and nothing else changes.`,
      { action: 'Open your enrolment', href: link },
    ],
    academy,
    reason: 'You get this because you asked for it on the page of your enrolment.',
  });
}
