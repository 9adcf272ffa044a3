import { Fragment } from 'react';

/** A part of a mail. Both forms are made from the same parts, so that they say the same. A plain string is a paragraph. */
export type MailPart =
  | string
  /** Names and values, one pair a line. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  /** A button; the text form has its address written out. */
  | { action: string; href: string }
  /** A short code to copy. */
  | { code: string }
  /** What a person wrote, with its line breaks. */
  | { quote: string }
  /** A second heading. */
  | { heading: string };

/** Colours of docs/brand.md as hex: mail clients know no OKLCH. */
export const light = {
  paper: '#fbf8f0',
  card: '#ffffff',
  ink: '#171334',
  mute: '#5a5675',
  line: '#e4decf',
  link: '#2e4be6',
};
export const satin = { ground: '#140f33', straw: '#e8c872', text: '#ffffff' };
export const fonts = "Figtree, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
export const headings = "'Bricolage Grotesque', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

const paragraph = { margin: '0 0 16px', color: light.ink, fontSize: 17, lineHeight: '26px' };

/** A part in HTML. */
export function Part({ part }: { part: MailPart }) {
  if (typeof part === 'string') {
    return (
      <p className="ink" style={paragraph}>
        <Lines text={part} />
      </p>
    );
  }
  if ('heading' in part) {
    return (
      <h2 className="ink" style={{ margin: '24px 0 10px', color: light.ink, fontFamily: headings, fontSize: 20 }}>
        {part.heading}
      </h2>
    );
  }
  if ('facts' in part) return <Facts facts={part.facts} />;
  if ('action' in part) return <Action {...part} />;
  if ('code' in part) {
    return (
      <p
        className="ink line"
        style={{
          margin: '0 0 20px',
          padding: '14px 18px',
          color: light.ink,
          border: `1px solid ${light.line}`,
          borderRadius: 12,
          fontFamily: 'ui-monospace, Consolas, Menlo, monospace',
          fontSize: 28,
          letterSpacing: '0.12em',
        }}
      >
        {part.code}
      </p>
    );
  }
  return (
    <blockquote
      className="ink"
      style={{
        margin: '0 0 20px',
        padding: '2px 0 2px 16px',
        color: light.ink,
        borderLeft: `4px solid ${satin.straw}`,
        fontSize: 17,
        lineHeight: '26px',
        overflowWrap: 'anywhere',
      }}
    >
      <Lines text={part.quote} />
    </blockquote>
  );
}

/** Text with its line breaks as elements: some clients know no `white-space`. */
function Lines({ text }: { text: string }) {
  return text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other identity
    <Fragment key={at}>
      {at > 0 && <br />}
      {line}
    </Fragment>
  ));
}

function Facts({ facts }: Extract<MailPart, { facts: unknown }>) {
  const cell = {
    padding: '9px 0',
    verticalAlign: 'top',
    borderBottom: `1px solid ${light.line}`,
    fontSize: 17,
    lineHeight: '24px',
  };
  return (
    <table width="100%" cellPadding={0} cellSpacing={0} style={{ margin: '0 0 20px', borderCollapse: 'collapse' }}>
      <tbody>
        {facts.map(([name, value]) => (
          <tr key={name}>
            <th
              scope="row"
              className="mute line"
              style={{
                ...cell,
                width: '30%',
                paddingRight: 16,
                color: light.mute,
                fontWeight: 400,
                textAlign: 'left',
              }}
            >
              {name}
            </th>
            <td
              className="ink line"
              style={{ ...cell, color: light.ink, fontWeight: 600, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}
            >
              {value.replaceAll(/(?<=\d) (?=[AP]M\b)/g, '\u00a0')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Action({ action, href }: Extract<MailPart, { action: string }>) {
  return (
    <p style={{ margin: '4px 0 22px' }}>
      <a
        href={href}
        style={{
          display: 'inline-block',
          padding: '13px 22px',
          color: '#ffffff',
          backgroundColor: '#2e4be6',
          borderRadius: 12,
          fontSize: 17,
          fontWeight: 700,
          textDecoration: 'none',
        }}
      >
        {action}
      </a>
    </p>
  );
}

/** A part in the text form. */
export function textOfPart(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('heading' in part) return part.heading;
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  if ('action' in part) return `${part.action}:\n${part.href}`;
  if ('code' in part) return `    ${part.code}`;
  return part.quote.replace(/^/gm, '> ');
}
