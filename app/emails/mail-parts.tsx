import { Fragment } from 'react';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { cell, headings, light, satin } from './mail-look.ts';

/** A part of a mail. Both forms are made from the same parts, so that they say the same. A plain string is a paragraph. */
export type MailPart =
  | string
  /** Names and values, one pair a line. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  /** The button, at most one a mail; the text form has its address written out. */
  | { action: string; href: string }
  /** A link on a line of its own, where a mail leads to several pages. */
  | { link: string; href: string }
  /** The subject of the mail, such as a course with its date: a title and a line each. */
  | { panel: string; lines: readonly string[] }
  /** Something that was earned, with a treasure on satin. */
  | { treasure: string; lines: readonly string[] }
  /** A remark in smaller type. */
  | { note: string }
  /** A short code to copy. */
  | { code: string }
  /** The words of a person, with their line breaks. */
  | { quote: string }
  /** A second heading. */
  | { heading: string };

const paragraph = { margin: '0 0 16px', color: light.ink, fontSize: 17, lineHeight: '26px' };
const note = { margin: '0 0 16px', color: light.mute, fontSize: 15, lineHeight: '22px' };

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
      <h2 className="ink" style={{ ...paragraph, margin: '26px 0 8px', fontFamily: headings, fontSize: 20 }}>
        {part.heading}
      </h2>
    );
  }
  if ('facts' in part) return <Facts facts={part.facts} />;
  if ('action' in part) return <Action {...part} />;
  if ('panel' in part) return <Panel {...part} />;
  if ('treasure' in part) return <Treasure {...part} />;
  if ('note' in part) {
    return (
      <p className="mute" style={note}>
        <Lines text={part.note} />
      </p>
    );
  }
  if ('link' in part) {
    return (
      <p className="ink" style={paragraph}>
        <Link href={part.href} words={part.link} />
      </p>
    );
  }
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
      <Words text={line} />
    </Fragment>
  ));
}

function Facts({ facts }: Extract<MailPart, { facts: unknown }>) {
  const box = {
    padding: '9px 0',
    verticalAlign: 'top',
    borderBottom: `1px solid ${light.line}`,
    fontSize: 17,
    lineHeight: '24px',
  };
  const width = facts.some(([name]) => name.length > 18) ? '46%' : '30%';
  return (
    <table width="100%" {...cell} style={{ margin: '0 0 20px', borderCollapse: 'collapse' }}>
      <tbody>
        {facts.map(([name, value]) => (
          <tr key={name}>
            <th
              scope="row"
              className="mute line"
              style={{
                ...box,
                width,
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
              style={{ ...box, color: light.ink, fontWeight: 600, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}
            >
              <Words text={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Action({ action, href }: Extract<MailPart, { action: string }>) {
  return (
    <table role="presentation" {...cell} className="button" style={{ margin: '6px 0 20px' }}>
      <tbody>
        <tr>
          <td align="center" style={{ backgroundColor: satin.straw, borderRadius: 12 }}>
            <a
              href={href}
              style={{
                display: 'block',
                padding: '13px 26px',
                color: satin.onStraw,
                fontSize: 17,
                lineHeight: '22px',
                fontWeight: 700,
                textDecoration: 'none',
              }}
            >
              {action}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Panel({ panel, lines }: Extract<MailPart, { panel: string }>) {
  return (
    <table role="presentation" width="100%" {...cell} style={{ margin: '4px 0 20px' }}>
      <tbody>
        <tr>
          <td
            className="panel ink"
            style={{
              padding: '14px 18px',
              color: light.ink,
              backgroundColor: light.panel,
              borderRadius: 12,
              fontSize: 17,
              lineHeight: '26px',
              overflowWrap: 'anywhere',
            }}
          >
            <strong>{panel}</strong>
            {lines.map((line) => (
              <Fragment key={line}>
                <br />
                <Words text={line} />
              </Fragment>
            ))}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** From borders and a character, like the logo, so that it needs no picture. */
function Treasure({ treasure, lines }: Extract<MailPart, { treasure: string }>) {
  return (
    <table role="presentation" width="100%" {...cell} style={{ margin: '4px 0 20px' }}>
      <tbody>
        <tr>
          <td
            align="center"
            style={{
              padding: '22px 18px 24px',
              color: satin.text,
              backgroundColor: satin.ground,
              border: `3px solid ${satin.straw}`,
              borderBottomWidth: 1,
              borderRadius: '120px 120px 12px 12px',
              fontSize: 17,
              lineHeight: '26px',
              overflowWrap: 'anywhere',
            }}
          >
            <span aria-hidden="true" style={{ color: satin.sky, fontSize: 64, lineHeight: '72px' }}>
              ◆
            </span>
            <br />
            <strong style={{ fontFamily: headings, fontSize: 24, lineHeight: '30px' }}>{treasure}</strong>
            {lines.map((line) => (
              <Fragment key={line}>
                <br />
                <Words text={line} />
              </Fragment>
            ))}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Text in which an address at the end is a link, and in which no reference or number of a document breaks. */
function Words({ text }: { text: string }) {
  const [, words = text, address] = /^(.*?)(https?:\/\/\S+)$/.exec(text) ?? [];
  return (
    <>
      {words.split(/((?:BB|INV|ADJ)-[0-9A-Z]+)/).map((piece, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity
          <span key={at} style={{ whiteSpace: 'nowrap' }}>
            {piece}
          </span>
        ) : (
          unbrokenTimes(piece)
        ),
      )}
      {address && <Link href={address} words={address} />}
    </>
  );
}

function Link({ href, words }: { href: string; words: string }) {
  return (
    <a href={href} className="link" style={{ color: light.link, fontWeight: 600 }}>
      {words}
    </a>
  );
}

/** A part in the text form. */
export function textOfPart(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('heading' in part) return part.heading;
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  if ('action' in part) return `${part.action}:\n${part.href}`;
  if ('link' in part) return `${part.link}:\n${part.href}`;
  if ('panel' in part) return [part.panel, ...part.lines].join('\n');
  if ('treasure' in part) return [part.treasure, ...part.lines].join('\n');
  if ('note' in part) return part.note;
  if ('code' in part) return `    ${part.code}`;
  return part.quote.replace(/^/gm, '> ');
}
