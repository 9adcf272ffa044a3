import { renderToStaticMarkup } from 'react-dom/server';
import { consentWords, MailDocument, questions } from './mail-frame.tsx';
import { type MailPart, textOfPart } from './mail-parts.tsx';

/** The academy as sender, as every mail states it at its end. */
export type MailAcademy = {
  name: string;
  /** The company and its ABN in one line, which business letters state (Corporations Act 2001, section 153). */
  company: string;
  /** The postal address in one line. */
  address: string;
  phone: string;
  email: string;
  /** Public origin without a trailing slash. */
  url: string;
};

export type MailContent = {
  subject: string;
  heading: string;
  parts: readonly MailPart[];
  academy: MailAcademy;
  /** Why the recipient gets this, in a sentence. */
  reason: string;
  /** The preview that lists of mail show beside the subject; without it the first paragraph. */
  preheader?: string;
  /** A mail to the academy itself: its foot does not say how to reach the academy. */
  toStaff?: boolean;
  /** Only in marketing (P49): the page that ends it. */
  unsubscribe?: string;
  /** In acknowledgements: the page on which the person sees and withdraws their consent (P49). */
  consent?: string;
};

export type RenderedMail = { subject: string; html: string; text: string };

/**
 * Makes both forms of a mail. The HTML needs no image, font or script from elsewhere, and holds in clients that ignore
 * its style sheet.
 */
export function renderMail(content: MailContent): RenderedMail {
  const { subject, heading, parts, preheader } = content;
  const preview = preheader ?? parts.find((part) => typeof part === 'string') ?? heading;
  const html = `<!DOCTYPE html>${renderToStaticMarkup(<MailDocument {...content} preheader={preview} />)}`;
  return { subject, html, text: textOf(content) };
}

/** The text form. Lines are not wrapped: clients do that to the width they have. */
function textOf({ heading, parts, academy, reason, unsubscribe, consent, toStaff }: MailContent): string {
  const foot = [
    reason,
    ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : []),
    ...(consent ? [`${consentWords}:`, consent] : []),
    ...(toStaff ? [] : ['', questions, academy.phone, academy.email]),
    '',
    academy.company,
    academy.address,
    academy.url,
  ];
  // Two hyphens and a space begin the part that clients leave out of answers (RFC 3676, 4.3).
  return `${[heading, ...parts.map(textOfPart)].join('\n\n')}\n\n-- \n${foot.join('\n')}\n`;
}
