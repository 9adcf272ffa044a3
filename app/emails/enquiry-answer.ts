import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/**
 * The answer of a member of staff to an enquiry. It quotes no text of the enquiry: anyone may have typed that. The answer
 * to an email has its subject, by which mail programs show the two together.
 */
export function enquiryAnswer(props: {
  reference: string;
  /** As typed; a blank line begins a new paragraph. */
  body: string;
  /** The name of the member of staff. */
  from: string;
  /** The subject of the email that it answers; null for a message from a form. */
  emailSubject: string | null;
  academy: MailAcademy;
}): RenderedMail {
  const { reference, body, from, emailSubject, academy } = props;
  return renderMail({
    subject: emailSubject ? `Re: ${emailSubject.replace(/^(re: *)+/i, '')}` : `An answer to your message: ${reference}`,
    heading: 'An answer to your message',
    preheader: body.replace(/\s+/g, ' ').slice(0, 140),
    parts: [...body.split(/\n{2,}/), `${from}, ${academy.name}`, { facts: [['Reference', reference]] }],
    academy,
    reason: `You get this because you ${emailSubject === null ? 'gave this address in a form on our website' : 'wrote to us'}. Reply to this email to write back.`,
  });
}
