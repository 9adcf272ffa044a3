import { convert } from 'html-to-text';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { controlCharacters } from '#app/lib/control-characters.ts';
import {
  type Correspondent,
  type DeliveryReport,
  type EmailFile,
  type EmailResults,
  type EmailTask,
  type InboundEmail,
  mostCharacters,
  mostFiles,
} from './email.ts';

const mostMarkup = 200_000;
/** Of a delivery report, whose lines are short. */
const mostReportBytes = 100_000;
const longestSubject = 200;
/** Of the emails that one names; a long conversation names them all. */
const mostNamed = 50;

/** Reads an email, or one of its files. Throws when it is no email. */
export async function readHere<Task extends EmailTask>(task: Task): Promise<EmailResults[Task['kind']]> {
  const email = await PostalMime.parse(task.source, { forceRfc822Attachments: true });
  const result = task.kind === 'read' ? inboundEmailOf(email) : fileOf(email, task.number);
  // A task of a kind has the result of that kind.
  return result as EmailResults[Task['kind']];
}

function inboundEmailOf(email: Email): InboundEmail {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value.trim() ?? '';
  const invitation = invitationOf(email);
  return {
    messageId: idsIn(email.messageId ?? '')[0] ?? null,
    answers: [...new Set([...idsIn(email.inReplyTo ?? ''), ...idsIn(email.references ?? '').reverse()])].slice(
      0,
      mostNamed,
    ),
    from: correspondentOf(email.from),
    replyTo: correspondentOf(email.replyTo?.[0]),
    subject: oneLine(email.subject ?? '', longestSubject),
    text: wordsOf(email).slice(0, mostCharacters),
    date: header('date'),
    receivedAt: receivedAtOf(header('received')),
    files: email.attachments.slice(0, mostFiles).map(factsOf),
    // A person who declines may want something; a person who accepts waits for nothing.
    automatic: isAutomatic(header) || /^(ACCEPTED|TENTATIVE)$/.test(invitation?.answer ?? ''),
    invitation,
    copies: [...(email.to ?? []), ...(email.cc ?? [])]
      .flatMap((address) => address.group ?? [address])
      .flatMap((address) => correspondentOf(address) ?? [])
      .slice(0, mostNamed),
    report: reportOf(email, header('content-type')),
  };
}

/** The server that got an email last writes the first such line, with the time at its end (RFC 5321, 4.4). */
function receivedAtOf(line: string): string | null {
  const at = new Date(line.slice(line.lastIndexOf(';') + 1).trim());
  return line.includes(';') && !Number.isNaN(at.getTime()) ? at.toISOString() : null;
}

/**
 * RFC 3834 for programs that say so, and what older ones write instead. What comes through a mailing list may be written by
 * a person: a group of the academy may lie in front of its mailbox.
 */
function isAutomatic(header: (name: string) => string): boolean {
  const submitted = header('auto-submitted').toLowerCase();
  return (
    (submitted !== '' && submitted !== 'no') ||
    /^(junk|auto_reply)$/i.test(header('precedence')) ||
    ['x-autoreply', 'x-autorespond'].some((name) => header(name) !== '') ||
    /^yes/i.test(header('x-spam-flag')) ||
    /^multipart\/report\b/i.test(header('content-type'))
  );
}

/** The answer that a calendar sends when somebody presses a button of an invitation (RFC 5546, 3.2.3). */
function invitationOf({ attachments }: Email): InboundEmail['invitation'] {
  const entry = attachments.find(({ mimeType }) => mimeType === 'text/calendar');
  const text = entry ? new TextDecoder().decode(bytesOf(entry)).replaceAll(/\r?\n[ \t]/g, '') : '';
  const uid = /^UID:(\S+)/m.exec(text)?.[1];
  const answer = /^ATTENDEE\b.*;PARTSTAT="?([A-Z]+)/im.exec(text)?.[1];
  return uid && answer && /^METHOD:REPLY/im.test(text) ? { answer: answer.toUpperCase(), uid } : null;
}

/** A delivery report (RFC 3464) that says "failed"; one of a delay is none. */
function reportOf(email: Email, contentType: string): DeliveryReport | null {
  if (!/^multipart\/report\b/i.test(contentType)) return null;
  const part = (type: RegExp) => {
    const found = email.attachments.find(({ mimeType }) => type.test(mimeType));
    return found ? new TextDecoder().decode(bytesOf(found).subarray(0, mostReportBytes)) : '';
  };
  const status = part(/^message\/delivery-status$/).replaceAll(/\r?\n[ \t]+/g, ' ');
  if (!/^action:\s*failed\b/im.test(status)) return null;
  const original = part(/^(message\/rfc822|text\/rfc822-headers)$/);
  const named = /^message-id:\s*(.*)/im.exec(original.replaceAll(/\r?\n[ \t]+/g, ' '))?.[1] ?? '';
  const said = /^diagnostic-code:[ \t]*(?:[a-z0-9-]+;)?(.+)/im.exec(status)?.[1];
  const code = /^status:\s*(\S+)/im.exec(status)?.[1];
  // The email that came back may name others of ours, which arrived. Without it, what the report answers has to do.
  const ids = original ? idsIn(named) : [...idsIn(email.inReplyTo ?? ''), ...idsIn(email.references ?? '')];
  return {
    messageIds: ids.slice(0, mostNamed),
    reason: oneLine(said ?? code ?? 'no reason given', 500),
  };
}

function wordsOf({ text, html }: Email): string {
  const words = text?.trim() ? text : htmlAsText(html ?? '');
  // PostgreSQL stores no NUL.
  return words.replaceAll('\0', '').replaceAll(/\r\n?/g, '\n').trim();
}

/** Links keep their addresses; pictures and tables give what they say. */
function htmlAsText(html: string): string {
  return convert(html.slice(0, mostMarkup), {
    wordwrap: false,
    limits: { maxDepth: 50, maxChildNodes: 5_000, maxInputLength: mostMarkup },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      // Emails are laid out with tables: each cell begins a line.
      { selector: 'td', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ],
  });
}

const factsOf = (file: Attachment): EmailFile => ({
  name: nameOf(file),
  type: oneLine(file.mimeType, 120),
  bytes: bytesOf(file).byteLength,
});

function fileOf(email: Email, number: number): EmailResults['file'] {
  const file = email.attachments[number];
  if (!file) return null;
  // A copy of its own, which can be handed to another thread.
  return { name: nameOf(file), type: file.mimeType, content: new Uint8Array(bytesOf(file)) };
}

const names: Record<string, string> = { 'message/rfc822': 'email.eml', 'text/calendar': 'calendar.ics' };

const nameOf = ({ filename, mimeType }: Attachment): string =>
  oneLine(filename ?? '', 120) || (names[mimeType] ?? 'file without a name');

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return new Uint8Array(content);
}

function correspondentOf(address: Address | undefined): Correspondent | null {
  const one = address?.group ? address.group[0] : address;
  return one?.address ? { name: oneLine(one.name, 120), address: oneLine(one.address, 320) } : null;
}

/** Message-IDs in angle brackets, such as `<1@example.com>`: only what a header field of ours can name. */
function idsIn(header: string): string[] {
  return [...header.matchAll(/<[\x21-\x3b\x3d\x3f-\x7e]{3,250}>/g)].map(([id]) => id);
}

/** At most so many characters of a text, in one line. JSON in the database takes no half of a character. */
const oneLine = (text: string, most: number): string =>
  text.replaceAll(controlCharacters, ' ').trim().slice(0, most).toWellFormed();
