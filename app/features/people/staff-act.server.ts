import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AuditChange } from '#app/audit/changes.ts';
import { findEntryAfter, readEntriesOf } from '#app/audit/history.server.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { busyText } from '#app/http/database-away.server.ts';
import { firstFaults, textsOf } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm, Undone } from '#app/http/take-form.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { type FieldErrors, type FormState, type FormValues, tokenField } from '#app/ui/form-state.ts';
import { actionInWords } from './action-words.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from './actor.ts';
import type { Permission } from './permissions.ts';
import { maySeeCourseDate } from './queries.server.ts';

/** The fields of every form on pages for staff. */
export const common = { [tokenField]: z.uuid(), seen: z.string(), act: z.string() };

export type StaffFormResult = { ok: true } | Refusal;

/** The audit entry of an act; null when its command writes its own entry. */
type Did = { action: string; details?: Record<string, string | number>; changes?: readonly AuditChange[] } | null;
export type ActDone = { ok: true; did: Did };

/**
 * Nothing was saved: `errors` are sentences about fields, `fault` is a sentence about the whole act. `values` are those of
 * fields that nobody fills in. `heading` is of a form in which nothing is typed: the fault then says all.
 */
export type Refused = {
  ok: false;
  reason: 'refused';
  heading?: FormState['heading'];
  fault?: string;
  errors?: FieldErrors;
  values?: FormValues;
};

/** Somebody else acted first: `did` is such as `answered this`, `where` names the part of the page that shows it. */
type Meanwhile = { ok: false; reason: 'meanwhile'; by: string; at: Date; seen: number; did: string; where?: string };
type NotDone = Refused | Meanwhile | { ok: false; reason: 'missing' };

type Words = FormWords & {
  kept: string;
  /** The part of the page that shows the acts of others. */
  where: string;
  notSaved: string;
};
const stillBelow = 'What you wrote is still below.';
const staffWords: Words = {
  unreadable: 'Part of the form was missing. Nothing was saved. Please send it again.',
  kept: 'Nothing was sent or saved, and what you wrote is still below.',
  where: '“What happened”',
  busy: busyText(stillBelow),
  notSaved: `Our system is not available, so nothing was sent or saved. ${stillBelow} Send it again in a few minutes.`,
  away: unconfirmedText(
    'that this was saved',
    `${stillBelow} Send it again in a few minutes; if it did arrive, nothing is sent twice.`,
  ),
};

/**
 * The forms of a page for staff, filled in with what is known. The value `seen` is the last thing done that stood on
 * the page, 0 for none.
 */
export function blankStaffForm(seen: number, filled: Readonly<Record<string, string | null>> = {}): FormState {
  const values = Object.entries(filled).map(([name, value]) => [name, value ?? '']);
  const blank = blankForm('Not sent yet', randomUUID());
  return { ...blank, values: { ...Object.fromEntries(values), seen: String(seen) } };
}

type StaffForm<Data> = {
  form: FormData | null;
  schema: z.ZodType<Data>;
  /** Kind and reference of the subject, such as `enrolment:BB-7KQ2MX`, as in audit entries. */
  subject: string;
  actor: StaffActor;
  /** Words of the page, in place of the common ones. */
  words?: Partial<Words>;
};

type Acting<Data> = StaffForm<Data> & {
  /** The subject as it is called now, where it may have been renamed after the page was read. */
  present?(trx: Trx): Promise<string>;
  /** False where the act itself reports changes by others since the page was read, or no such change matters. */
  compares?: boolean;
  /**
   * Writes in the given transaction. A refusal undoes everything it wrote. `key` names what was sent: the form with what it
   * says (P25).
   */
  act(trx: Trx, data: Data, moment: Moment, sent: { seen: number; key: string }): Promise<ActDone | NotDone>;
};

/**
 * Takes a form of a page for staff: everything in one transaction, once for each form (P25), with its audit entry. Acts
 * on one subject follow each other; when somebody acted since the page was read, nothing is done and the page says who.
 */
export function takeStaffAct<Data extends { [tokenField]: string }>(
  academy: Academy,
  { actor, act, present, compares = true, ...sent }: Acting<Data>,
): Promise<StaffFormResult> {
  const moment = momentOf(academy);
  const { now } = moment;
  return readStaffForm({ ...sent, actor }, (data, { seen, key }, refused) =>
    academy.db.transaction().execute(async (trx): Promise<StaffFormResult> => {
      const subject = present ? await present(trx) : sent.subject;
      await lockActs(trx, subject);
      if (!(await firstSubmission(trx, key, now))) return { ok: true };
      const other = compares ? await findEntryAfter(trx, subject, seen) : null;
      const result: ActDone | NotDone = other
        ? { ok: false, reason: 'meanwhile', ...other, did: actionInWords(other.action) }
        : await act(trx, data, moment, { seen, key });
      if (!result.ok) throw new Undone(refused(result));
      if (result.did) await writeAuditEntry(trx, { at: now, personId: actor.person.id, subject, ...result.did });
      return { ok: true };
    }),
  );
}

/** Makes other acts of staff on this subject wait until the transaction ends. */
export async function lockActs(trx: Trx, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`acts on ${subject}`}, 0))`.execute(trx);
}

/**
 * Reads a form of a page for staff. `key` names what was sent, the form with what it says: so the same is done once,
 * and a text that was changed is no repeat.
 */
export function readStaffForm<Data extends { [tokenField]: string }>(
  { form, schema, subject, words: own }: StaffForm<Data>,
  take: (
    data: Data,
    sent: { seen: number; key: string },
    refused: (why: NotDone) => Refusal,
  ) => Promise<StaffFormResult>,
): Promise<StaffFormResult> {
  const words = { ...staffWords, ...own };
  // As an id: the database takes no number without end.
  const seen = Number(/^\d{1,15}$/.exec(textsOf(form).seen ?? '')?.[0] ?? 0);
  const fresh = blankStaffForm(seen);
  const token = textsOf(form)[tokenField] || fresh.token;
  return takeForm<{ ok: true }>({ form, fresh: { ...fresh, token }, words }, async (values, refuse) => {
    const parsed = schema.safeParse(values);
    if (!parsed.success) {
      const errors = firstFaults(parsed.error);
      const visible = Object.keys(errors).every((field) => ![tokenField, 'act', 'seen', 'state'].includes(field));
      return refuse(400, visible ? { errors } : { fault: words.unreadable, token: fresh.token });
    }
    const refused = (why: NotDone): Refusal => {
      switch (why.reason) {
        case 'refused':
          return refuse(409, {
            ...(why.heading && { heading: why.heading }),
            fault: why.fault ? [why.fault, why.heading ? '' : words.kept].join(' ').trimEnd() : null,
            errors: why.errors ?? {},
            values: { ...values, ...why.values },
          });
        case 'missing':
          return refuse(404, `This ${subject.split(':')[0]?.replace('-', ' ')} has been deleted. ${words.kept}`);
        case 'meanwhile':
          return refuse(409, {
            values: { ...values, seen: String(why.seen) },
            fault: `${why.by} ${why.did} in the meantime, on ${formatMoment(why.at)}; see ${why.where ?? words.where}. ${words.kept} Send it again if you still want it.`,
          });
      }
    };
    try {
      return await take(parsed.data, { seen, key: keyOf(values) }, refused);
    } catch (error) {
      if (error instanceof NotPermitted) return refuse(403, `${notPermitted} ${words.kept}`.trimEnd());
      throw error;
    }
  });
}

const notPermitted = 'Your role does not allow this. An owner of the academy can give you another role.';

/** Hashes the fields of a form, without `seen`: pages that show news by themselves change that field. */
function keyOf({ seen: _, ...values }: FormValues): string {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(values).sort()));
  return hash.digest('hex').slice(0, 32);
}

/** Notes a form as submitted; false when it was before. `key` is of `readStaffForm`. */
export async function firstSubmission(trx: Db, key: string, at: Date): Promise<boolean> {
  const row = await trx
    .insertInto('submitted_staff_forms')
    .values({ key, submitted_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the form was submitted before. */
export async function wasSubmitted(db: Db, key: string): Promise<boolean> {
  return (
    (await db.selectFrom('submitted_staff_forms').select('key').where('key', '=', key).executeTakeFirst()) !== undefined
  );
}

/** Said to staff who take back an email that is no longer waiting (P101). */
export const tooLateToTakeBack: Refused = {
  ok: false,
  reason: 'refused',
  heading: 'Nothing was changed',
  fault: 'It is too late: the email has gone out, or somebody has taken it back already.',
};

const keptMs = 30 * dayMs;

/**
 * The daily job: forgets the keys of forms that were submitted more than 30 days ago; nobody sends a page that old again,
 * and what it showed is refused as out of date. Returns how many, null when it was done today.
 */
export function forgetStaffForms(db: Db, now: Date): Promise<number | null> {
  return doDaily(db, 'forget-submitted-staff-forms', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('submitted_staff_forms')
      .where('submitted_at', '<', new Date(now.getTime() - keptMs))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}

/** What reading the history of a kind of subject needs: the same as its page. */
const needed = {
  accountant: 'money:export',
  booking: 'bookings:read',
  certificate: 'certificates:read',
  course: 'prices:read',
  enrolling: 'enrolments:change',
  enrolment: 'enrolments:read',
  'live-hour': 'attendees:read',
  offer: 'companies:read',
  organisation: 'companies:read',
  payment: 'money:read',
  person: 'staff:read',
  prices: 'prices:read',
  promotion: 'prices:read',
  'bulk-action': 'mail:read',
  template: 'inbox:read',
  'course-date': 'course-dates:read',
} as const satisfies Record<string, Permission>;
type Kind = keyof typeof needed;

/**
 * What was done to a subject, oldest first, as a member of staff may see it: an instructor sees it for their own course
 * dates and live hours only (P68). `former` are references that the subject had before. A form of its page sends `seen`, the number of the last entry that the page showed.
 */
export async function readHistory(
  db: Db,
  actor: StaffActor,
  subject: `${Kind}:${string}`,
  { former = [] }: { former?: readonly string[] } = {},
) {
  const [kind, reference] = subject.split(/:(.*)/) as [Kind, string];
  requirePermission(actor, needed[kind]);
  if (!(await isOwn(db, actor, kind, reference))) return { seen: 0, entries: [] };
  return readEntriesOf(db, [subject, ...former.map((name) => `${kind}:${name}`)], actionInWords);
}

async function isOwn(db: Db, actor: StaffActor, kind: Kind, reference: string): Promise<boolean> {
  if (kind === 'course-date') return maySeeCourseDate(db, actor, { slug: reference });
  const only = onlyCourseDatesOf(actor, needed[kind]);
  if (kind !== 'live-hour' || only === null) return true;
  const row = await db
    .selectFrom('live_hours')
    .select('id')
    .where('id', '=', Number(reference))
    .where('instructor_slug', 'in', ['', ...only])
    .executeTakeFirst();
  return row !== undefined;
}
