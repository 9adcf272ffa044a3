import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { MailAcademy, MailContent } from './mail-content.ts';
import { cell, fonts, headings, light, satin } from './mail-look.ts';
import { Part, textOfPart } from './mail-parts.tsx';

/** Only adds the dark scheme and the narrow form: a client that ignores it shows the light one at any width. */
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .page { padding: 12px !important; }
  .side { padding-left: 20px !important; padding-right: 20px !important; }
  .button { width: 100% !important; }
}
@media (prefers-color-scheme: dark) {
  .paper { background-color: #110d2d !important; }
  .head { background-color: #231b57 !important; }
  .card { background-color: #1e1948 !important; border-color: #352e69 !important; }
  .panel { background-color: #2b2460 !important; }
  .ink { color: #f4f1ff !important; }
  .mute { color: #bfbade !important; }
  .line { border-color: #352e69 !important; }
  .link { color: #98b7ff !important; }
}`;

/** Characters without width, so that clients do not show the words after the preview line beside it. */
const filler = '\u034f\u200c\u00a0'.repeat(60);

/** The words of the link to the page that shows and withdraws consent (P49). */
const consentWords = 'News by email: see or withdraw your consent';

/** The HTML of a mail. Word, which renders mail for Outlook, holds a width only in a table. */
function MailDocument(content: MailContent & { preheader: string }) {
  const { subject, preheader, heading, parts, academy } = content;
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{styles}</style>
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper, fontFamily: fonts }}>
        <div data-preheader="" style={{ display: 'none', maxHeight: 0, overflow: 'hidden', fontSize: 1 }}>
          {preheader}
          {filler}
        </div>
        <main>
          <Table className="paper" style={{ backgroundColor: light.paper }}>
            <tr>
              <td align="center" className="page" style={{ padding: '24px 12px' }}>
                <Table style={{ maxWidth: 600, textAlign: 'left', fontFamily: fonts }}>
                  <tr>
                    <td className="head side" style={headStyle}>
                      <Mark />
                      <a href={academy.url} style={nameStyle}>
                        {academy.name}
                      </a>
                    </td>
                  </tr>
                  <tr>
                    <td className="card side" style={cardStyle}>
                      <h1 className="ink" style={headingStyle}>
                        {heading}
                      </h1>
                      {parts.map((part) => (
                        <Part key={JSON.stringify(part)} part={part} />
                      ))}
                    </td>
                  </tr>
                  <tr>
                    <td className="mute side" style={footStyle}>
                      <Foot {...content} />
                    </td>
                  </tr>
                </Table>
              </td>
            </tr>
          </Table>
        </main>
      </body>
    </html>
  );
}

function Table({ style, className, children }: { style: object; className?: string; children: ReactNode }) {
  return (
    <table role="presentation" width="100%" {...cell} className={className} style={{ width: '100%', ...style }}>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The logo from borders and a character, so that it needs no picture. Word knows no rounded corners, so it gets none. */
function Mark() {
  const arch = {
    display: 'inline-block',
    border: `3px solid ${satin.straw}`,
    borderBottom: 0,
    verticalAlign: 'middle',
  };
  return (
    <span aria-hidden="true" style={{ ...{ msoHide: 'all' }, display: 'inline-block', marginRight: 12, lineHeight: 0 }}>
      <span style={{ ...arch, padding: '3px 3px 0', borderRadius: '15px 15px 0 0', height: 25 }}>
        <span style={{ ...arch, width: 12, height: 22, borderRadius: '9px 9px 0 0', textAlign: 'center' }}>
          <span style={{ color: satin.sky, fontSize: 13, lineHeight: '24px' }}>◆</span>
        </span>
      </span>
    </span>
  );
}

function Foot({ reason, unsubscribe, consent, academy, toStaff }: MailContent) {
  const link = (href: string, words: string) => (
    <a href={href} className="link" style={{ color: light.link }}>
      {words}
    </a>
  );
  const between = { margin: '0 0 10px' };
  return (
    <>
      <p style={between}>
        {reason}
        {unsubscribe && <> {link(unsubscribe, 'Unsubscribe')}</>}
      </p>
      {consent && <p style={between}>{link(consent, consentWords)}</p>}
      {!toStaff && (
        <p style={between}>
          {questions}
          <br />
          {academy.phone}
          <br />
          {link(`mailto:${academy.email}`, academy.email)}
        </p>
      )}
      <p style={{ margin: 0 }}>
        {academy.company}
        <br />
        {academy.address}
      </p>
    </>
  );
}

/** The words before phone and address in both forms. */
const questions = 'Questions? Reply to this email or call us.';

const headStyle = {
  padding: '14px 32px',
  backgroundColor: satin.ground,
  borderBottom: `4px solid ${satin.straw}`,
  borderRadius: '20px 20px 0 0',
};
const nameStyle = {
  color: satin.text,
  fontFamily: headings,
  fontSize: 20,
  lineHeight: '32px',
  fontWeight: 700,
  letterSpacing: '-0.01em',
  textDecoration: 'none',
  verticalAlign: 'middle',
};
const cardStyle = {
  padding: '28px 32px 14px',
  backgroundColor: light.card,
  border: `1px solid ${light.line}`,
  borderTop: 0,
  borderRadius: '0 0 20px 20px',
};
const headingStyle = {
  margin: '0 0 12px',
  color: light.ink,
  fontFamily: headings,
  fontSize: 28,
  lineHeight: '32px',
  letterSpacing: '-0.02em',
};
const footStyle = { padding: '18px 32px', color: light.mute, fontSize: 14, lineHeight: '21px' };

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
