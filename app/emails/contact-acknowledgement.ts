import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** What an acknowledgement holds; `consent` is the page that shows what was agreed to and how to withdraw it. */
export type Acknowledged = { reference: string; consent: string; academy: MailAcademy };

/**
 * Tells whoever gave this address in a form that it was received. Repeats nothing that was typed (P49): the address may
 * be somebody else's.
 */
export function contactAcknowledgement(props: Acknowledged): RenderedMail {
  const { reference, consent, academy } = props;
  return renderMail({
    subject: `We have your message: ${reference}`,
    heading: 'We have your message',
    parts: [
      'Thank you for writing. A person reads it and answers within one business day, Brisbane time.',
      { facts: [['Reference', reference]] },
      `If you want to add something, reply to this e-mail or telephone ${academy.phone}, and quote the reference.`,
    ],
    academy,
    consent,
    reason: `You get this because somebody gave this address in a form on our website. If it was not you, nothing else happens, and you can ignore it.`,
  });
}
