import { renderToStaticMarkup } from 'react-dom/server';
import { fonts, headings, light, type MailPart, Part, satin, textOfPart } from './mail-parts.tsx';

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
  /** Only in marketing (P49): the page that ends it. */
  unsubscribe?: string;
  /** In acknowledgements: the page on which the person sees and withdraws their consent (P49). */
  consent?: string;
};

const consentWords = 'News by email: see or withdraw your consent';

export type RenderedMail = { subject: string; html: string; text: string };

/**
 * Makes both forms of a mail. The HTML needs no image, font or script from elsewhere, and holds in clients that ignore
 * its style sheet, which only adds the dark scheme.
 */
export function renderMail(content: MailContent): RenderedMail {
  const html = `<!DOCTYPE html>${renderToStaticMarkup(<MailDocument {...content} />)}`;
  return { subject: content.subject, html, text: textOf(content) };
}

const darkScheme = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: #110d2d !important; }
  .head { background-color: #231b57 !important; }
  .card { background-color: #1e1948 !important; border-color: #352e69 !important; }
  .ink { color: #f4f1ff !important; }
  .mute { color: #bfbade !important; }
  .line { border-color: #352e69 !important; }
  .link { color: #98b7ff !important; }
}`;

function MailDocument({ subject, heading, parts, academy, reason, unsubscribe, consent }: MailContent) {
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{darkScheme}</style>
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper, fontFamily: fonts }}>
        {/* Word, which renders mail for Outlook, holds a width only in a table. */}
        <table
          role="presentation"
          width="100%"
          cellPadding={0}
          cellSpacing={0}
          className="paper"
          style={{ backgroundColor: light.paper }}
        >
          <tbody>
            <tr>
              <td align="center" style={{ padding: '24px 12px' }}>
                <table
                  role="presentation"
                  width="600"
                  cellPadding={0}
                  cellSpacing={0}
                  style={{ width: '100%', maxWidth: 600, textAlign: 'left', fontFamily: fonts }}
                >
                  <tbody>
                    <tr>
                      <td
                        className="head"
                        style={{
                          padding: '18px 28px',
                          backgroundColor: satin.ground,
                          borderBottom: `4px solid ${satin.straw}`,
                          borderRadius: '20px 20px 0 0',
                        }}
                      >
                        <a
                          href={academy.url}
                          style={{
                            color: satin.text,
                            fontFamily: headings,
                            fontSize: 20,
                            fontWeight: 700,
                            textDecoration: 'none',
                          }}
                        >
                          {academy.name}
                        </a>
                      </td>
                    </tr>
                    <tr>
                      <td
                        className="card"
                        style={{
                          padding: '28px 28px 14px',
                          backgroundColor: light.card,
                          border: `1px solid ${light.line}`,
                          borderTop: 0,
                          borderRadius: '0 0 20px 20px',
                        }}
                      >
                        <h1
                          className="ink"
                          style={{
                            margin: '0 0 18px',
                            color: light.ink,
                            fontFamily: headings,
                            fontSize: 28,
                            lineHeight: '32px',
                            letterSpacing: '-0.02em',
                          }}
                        >
                          {heading}
                        </h1>
                        {parts.map((part) => (
                          <Part key={JSON.stringify(part)} part={part} />
                        ))}
                      </td>
                    </tr>
                    <tr>
                      <td
                        className="mute"
                        style={{ padding: '18px 28px', color: light.mute, fontSize: 14, lineHeight: '21px' }}
                      >
                        <p style={{ margin: '0 0 10px' }}>
                          {reason}
                          {unsubscribe && (
                            <>
                              {' '}
                              <a href={unsubscribe} className="link" style={{ color: light.link }}>
                                Unsubscribe
                              </a>
                            </>
                          )}
                          {consent && (
                            <>
                              {' '}
                              <a href={consent} className="link" style={{ color: light.link }}>
                                {consentWords}
                              </a>
                            </>
                          )}
                        </p>
                        <p style={{ margin: 0 }}>
                          {academy.company}
                          <br />
                          {academy.address}
                          <br />
                          {academy.phone}
                          <br />
                          <a href={`mailto:${academy.email}`} className="link" style={{ color: light.link }}>
                            {academy.email}
                          </a>
                        </p>
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

/** The text form. Lines are not wrapped: clients do that to the width they have. */
function textOf({ heading, parts, academy, reason, unsubscribe, consent }: MailContent): string {
  const foot = [
    reason,
    ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : []),
    ...(consent ? [`${consentWords}:`, consent] : []),
    academy.company,
    academy.address,
    academy.phone,
    academy.email,
    academy.url,
  ];
  // Two hyphens and a space begin the part that clients leave out of answers (RFC 3676, 4.3).
  return `${[heading, ...parts.map(textOfPart)].join('\n\n')}\n\n-- \n${foot.join('\n')}\n`;
}
