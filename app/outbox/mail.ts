import { z } from 'zod';
import { controlCharacters } from '#app/lib/control-characters.ts';
import { emailAddressOf, longestEmailAddress } from '#app/lib/email-address.ts';
import { isAwaited } from './urgency.ts';

/** The subject of an email, by the id of its row. */
export type About = {
  kind:
    | 'enrolment'
    | 'enrolment-draft'
    | 'offer'
    | 'booking'
    | 'conversation'
    | 'enquiry'
    | 'waiting-entry'
    | 'course-date'
    | 'person';
  id: number;
};

/** An email to one person, as a feature hands it to the outbox. */
export type Mail = {
  /** Which email it is, for staff, tests and the log, such as `contact-acknowledgement`. */
  kind: string;
  /** One subject, or `nothing`, such as for news. */
  about: About | 'nothing';
  /** One address without a name. */
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  /** A calendar part; the method is repeated in its content type (RFC 6047, 2.4). */
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; content: string };
  /**
   * Files to attach. `document` names what is made again from stored facts with each attempt, such as `tax-invoice:12`:
   * the same facts give the same bytes, so that none has to be kept.
   */
  attachments?: readonly { filename: string; document: string }[];
  /** After this instant the mail is dropped instead of sent (P49). */
  staleAfter?: Date;
  /** A mail with a key that was queued before is not queued again. */
  dedupeKey?: string;
  /**
   * The private links in its words, by name, such as `enrolment:12` or `place:12:34`. The words have a `placeholderOf`
   * for each; every attempt makes new links, so that none is in the database.
   */
  links?: readonly string[];
  /**
   * Holds a code or a link that is of use for minutes: text and HTML are erased once the mail is sent, dropped or
   * stale. It needs `staleAfter`.
   */
  secret?: boolean;
  /** Sent this many seconds later at the earliest. */
  afterSeconds?: number;
  /** Staff send it by hand: it waits `takeBackSeconds` for one click that takes it back (P101). */
  canTakeBack?: boolean;
  /** The number of its bulk action: it waits as long for the click that takes the whole action back (P101). */
  bulkAction?: number;
  /** The course date that it names, by its id: it is withdrawn when that is cancelled or moved. */
  courseDate?: number;
  /** Further header fields, such as List-Unsubscribe. */
  headers?: Record<string, string>;
};

/** The time that an email sent by hand waits for the click that takes it back (P101). */
export const takeBackSeconds = 60;

/** Whether an email waits because it can be taken back. */
export const waitsForTakingBack = ({ canTakeBack, bulkAction }: Pick<Mail, 'canTakeBack' | 'bulkAction'>): boolean =>
  canTakeBack === true || bulkAction !== undefined;

/** The placeholder of a private link in the text of a mail. */
export const placeholderOf = (name: string): string => `{${name}}`;

const oneLine = z
  .string()
  .min(1)
  .max(900)
  .refine((text) => text.search(controlCharacters) < 0, 'must not contain control characters');

/** An address from `emailAddressOf`, or one stored under an earlier rule. */
const address = z
  .string()
  .max(longestEmailAddress)
  .refine((text) => emailAddressOf(text) === text || z.email().safeParse(text).success, 'is no email address in ASCII');

/** Headers that the sender sets for every mail, and headers that would add recipients. */
const ownHeaders = ['from', 'to', 'cc', 'bcc', 'sender', 'reply-to', 'subject', 'date', 'message-id', 'mime-version'];

const fields = z.object({
  kind: z.string().regex(/^[a-z][a-z0-9-]*$/),
  about: z.union([z.literal('nothing'), z.object({ kind: z.string(), id: z.number().int().positive() })]),
  to: address,
  replyTo: address.optional(),
  subject: oneLine,
  text: z.string().min(1),
  html: z.string().min(1),
  calendar: z.object({ method: z.enum(['REQUEST', 'CANCEL', 'PUBLISH']), content: z.string().min(1) }).optional(),
  attachments: z
    .array(
      z.object({
        filename: z.string().regex(/^[A-Za-z0-9-]{1,60}\.pdf$/),
        document: z.string().regex(/^[a-z-]+:\d+$/),
      }),
    )
    .default([]),
  staleAfter: z.date().optional(),
  dedupeKey: z.string().min(1).max(200).optional(),
  links: z.array(z.string().regex(/^[a-z-]+(:\d+){1,2}$/)).default([]),
  secret: z.boolean().default(false),
  afterSeconds: z.number().int().min(0).max(7200).default(0),
  canTakeBack: z.boolean().default(false),
  bulkAction: z.number().int().positive().optional(),
  courseDate: z.number().int().positive().optional(),
  headers: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9-]{1,70}$/)
        .refine((name) => !/^content-/i.test(name) && !ownHeaders.includes(name.toLowerCase()), 'is set by the sender'),
      oneLine,
    )
    .default({}),
});

const schema = fields
  .refine(({ secret, staleAfter }) => !secret || staleAfter !== undefined, 'a secret must become stale')
  .refine(
    ({ secret, kind, ...mail }) => !waitsForTakingBack(mail) || !(secret || isAwaited(kind)),
    'what somebody waits for goes out at once',
  )
  .refine(
    ({ links, text, html }) => links.map(placeholderOf).every((one) => text.includes(one) && html.includes(one)),
    'a link that it names must be in its words',
  );

/**
 * Checks that a mail can be sent as it is and that no value can add a header field or a recipient. Throws for a bug of
 * the caller: what people type is checked before, by the schemas of forms.
 */
export function checkMail(mail: Mail): z.output<typeof schema> {
  return schema.parse(mail);
}
