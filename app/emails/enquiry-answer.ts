import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** The answer of a member of staff to an enquiry. It quotes no text of the enquiry: anyone may have typed that. */
export function enquiryAnswer(props: {
  reference: string;
  /** As typed; a blank line begins a new paragraph. */
  body: string;
  /** The name of the member of staff. */
  from: string;
  academy: MailAcademy;
}): RenderedMail {
  const { reference, body, from, academy } = props;
  return renderMail({
    subject: `An answer to your message: ${reference}`,
    heading: 'An answer to your message',
    preheader: body.replace(/\s+/g, ' ').slice(0, 140),
    parts: [...body.split(/\n{2,}/), `${from}, ${academy.name}`, { facts: [['Reference', reference]] }],
    academy,
    reason: 'You get this because you gave this address in a form on our website. Reply to this email to write back.',
  });
}
