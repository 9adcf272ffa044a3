import type { Acknowledged } from './contact-acknowledgement.ts';
import { type RenderedMail, renderMail } from './layout.tsx';

/** Tells the person with this address that we received their enrolment request. It repeats no text of the form (P49). */
export function enrolmentAcknowledgement(props: Acknowledged): RenderedMail {
  const { reference, consent, academy } = props;
  return renderMail({
    subject: `We have your enrolment request: ${reference}`,
    heading: 'We have your enrolment request',
    parts: [
      'This is not an enrolment yet. We’ll answer within one business day, Brisbane time: with your place and tax invoice, or, for a job guarantee programme, with the agreement to read first. You owe nothing until then.',
      { facts: [['Reference', reference]] },
      `If you want to change something, reply to this email or call ${academy.phone}, and quote the reference.`,
    ],
    academy,
    consent,
    reason:
      'You get this because someone gave this address in a form on our website. If it was not you, you owe nothing and can ignore this email.',
  });
}
