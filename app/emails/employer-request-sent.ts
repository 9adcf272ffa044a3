import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  number: string;
  title: string;
  /** Whom they asked. */
  approver: string;
  total: string;
  lastDay: string;
  /** Their private page. */
  link: string;
  academy: MailAcademy;
};

/** Tells somebody that their employer was asked, and where they see the answer (P113). */
export function employerRequestSent({ number, title, approver, total, lastDay, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `We asked your employer: ${title}`,
    heading: 'Your employer has your request',
    parts: [
      `We emailed your request for ${title} to ${approver}. They can accept it, ask you something or decline until ${lastDay}.`,
      {
        facts: [
          ['Quote', number],
          ['Total', total],
          ['Open until', lastDay],
        ],
      },
      { action: 'See the answer', href: link },
      'If they accept, they are the buyer, you attend, and you get an email with your place.',
    ],
    academy,
    reason: 'You get this because you asked your employer on our website and confirmed this address with a code.',
  });
}
