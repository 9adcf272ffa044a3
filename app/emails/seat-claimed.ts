import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  reference: string;
  title: string;
  /** Who asks for a seat: a name that can be nothing else (P24). */
  name: string;
  email: string;
  /** The buyer's page. */
  link: string;
  academy: MailAcademy;
};

/** Asks a buyer whether somebody who opened the claim link gets a seat (P115). */
export function seatClaimed({ reference, title, name, email, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `${name} asks for a seat: ${title}, ${reference}`,
    heading: 'Does this person get a seat?',
    parts: [
      `${name} opened your claim link and asks for one of your seats on ${title}. The address is confirmed.`,
      {
        facts: [
          ['Name', name],
          ['Email', email],
          ['Enrolment', reference],
        ],
      },
      { action: 'Open the enrolment', href: link },
      'There, “Add all names” shows who asks, with a button for yes and one for no. Until you say yes, the seat stays free.',
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}
