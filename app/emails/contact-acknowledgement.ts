import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** The parts of an acknowledgement. `consent` is the page on which the person sees and withdraws their consent. */
export type Acknowledged = { reference: string; consent: string; academy: MailAcademy };

/**
 * Tells the person with this address that we received their form. It repeats no text of the form (P49), because somebody
 * else may have typed the address.
 */
export function contactAcknowledgement(props: Acknowledged): RenderedMail {
  const { reference, consent, academy } = props;
  return renderMail({
    subject: `We have your message: ${reference}`,
    heading: 'We have your message',
    parts: [
      'Thank you for writing. One of our staff will answer within one business day, Brisbane time.',
      { facts: [['Reference', reference]] },
      `You would like a quote for a course? You can make one in a minute with “Get a quote” on its page: ${academy.url}/quote`,
      `If you want to add something, reply to this email or call ${academy.phone}, and quote the reference.`,
    ],
    academy,
    consent,
    reason: `You get this because someone gave this address in a form on our website. If it was not you, you can ignore this email.`,
  });
}
