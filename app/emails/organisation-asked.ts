import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The organisation. */
  name: string;
  /** Who bought the enrolment, and their address. */
  buyer: string;
  email: string;
  /** Of the enrolment, `BB-7KQ2MX`. */
  reference: string;
  title: string;
  link: string;
  academy: MailAcademy;
};

/** Asks a manager whether an enrolment that a colleague bought belongs to the organisation (P110). */
export function organisationAsked({ name, buyer, email, reference, title, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Does ${reference} belong to ${name}?`,
    heading: 'A colleague asks you',
    parts: [
      `${buyer} bought ${title} in the name of ${name} and asks you to take it. Then you see its people, dates and invoices, and can change them. Check the address first: anybody can type an ABN.`,
      {
        facts: [
          ['Bought by', buyer],
          ['Address', email],
          ['Enrolment', reference],
        ],
      },
      { action: 'Log in and answer', href: link },
      'If you do not know this person, answer “No”. Nothing changes for you then.',
    ],
    academy,
    reason: `You get this because you manage ${name} here.`,
  });
}
