import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** `OFF-00042`. */
  number: string;
  /** The course or combo. */
  title: string;
  /** Of the enrolment, `BB-7KQ2MX`. */
  reference: string;
  academy: MailAcademy;
};

/** Tells whoever asked for a quote that somebody else accepted it (P111). */
export function offerAccepted({ number, title, reference, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Quote ${number} was accepted: ${title}`,
    heading: 'Your quote was accepted',
    parts: [
      `Someone you gave the link to has accepted quote ${number} for ${title}. They are the buyer: they got the tax invoice and the link to name who attends.`,
      {
        facts: [
          ['Quote', number],
          ['Enrolment', reference],
        ],
      },
      'You don’t have to do anything. To change the enrolment, ask the person who accepted.',
    ],
    academy,
    reason: 'You get this because this quote was made for this address.',
  });
}
