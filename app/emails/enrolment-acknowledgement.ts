import type { Acknowledged } from './contact-acknowledgement.ts';
import { type RenderedMail, renderMail } from './layout.tsx';

/** Tells the person with this address that we received their enrolment request. It repeats no text of the form (P49). */
export function enrolmentAcknowledgement(props: Acknowledged): RenderedMail {
  const { reference, consent, academy } = props;
  return renderMail({
    subject: `We have your enrolment request: ${reference}`,
    heading: 'We have your enrolment request',
    parts: [
      'This is not an enrolment yet. Staff check the seats, confirm your place and send the tax invoice by e-mail within one business day, Brisbane time. Nothing is owed until then.',
      { facts: [['Reference', reference]] },
      `If you want to change something, reply to this e-mail or telephone ${academy.phone}, and quote the reference.`,
    ],
    academy,
    consent,
    reason:
      'You get this because somebody gave this address in a form on our website. If it was not you, nothing is owed and you can ignore it.',
  });
}
