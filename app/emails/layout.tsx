import { renderToStaticMarkup } from 'react-dom/server';
import type { MailAcademy, MailContent } from './mail-content.ts';
import { consentWords, MailDocument, questions } from './mail-frame.tsx';
import { textOfPart } from './mail-parts.tsx';

export type { MailAcademy, MailContent };

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
