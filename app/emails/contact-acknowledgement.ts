import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/**
 * Tells whoever gave this address in a form that it was received. Repeats nothing that was typed (P49): the address may
 * be somebody else's.
 */
export function contactAcknowledgement(props: { reference: string; academy: MailAcademy }): RenderedMail {
  const { reference, academy } = props;
  return renderMail({
    subject: `We have your message: ${reference}`,
    heading: 'We have your message',
    parts: [
      'Thank you for writing. A person reads it and answers within one business day, Brisbane time.',
      { facts: [['Reference', reference]] },
      `If you want to add something, reply to this e-mail or telephone ${academy.phone}, and quote the reference.`,
    ],
    academy,
    reason: `You get this because somebody gave this address in a form on our website. If it was not you, nothing else happens, and you can ignore it.`,
  });
}
