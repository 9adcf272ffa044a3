import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

/** What a member of staff answers to an enquiry. Quotes nothing of the enquiry: anyone may have typed it. */
export function enquiryAnswer(props: {
  reference: string;
  /** As typed; a blank line begins a new paragraph. */
  body: string;
  /** Who answers. */
  from: string;
  academy: MailAcademy;
}): RenderedMail {
  const { reference, body, from, academy } = props;
  return renderMail({
    subject: `An answer to your message: ${reference}`,
    heading: 'An answer to your message',
    parts: [...body.split(/\n{2,}/), `${from}, ${academy.name}`, { facts: [['Reference', reference]] }],
    academy,
    reason: 'You get this because this address was given in a form on our website. Answer this e-mail to write back.',
  });
}
