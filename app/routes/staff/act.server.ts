import { type NotNull, sql } from 'kysely';
import type { z } from 'zod';
import type { AuditChange } from '#app/audit/changes.ts';
import { findEntryAfter } from '#app/audit/history.server.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { type ActResult, type DeskResult, type Refused, takeDeskForm } from '#app/http/desk-form.server.ts';
import type { tokenField } from '#app/ui/form-state.ts';
import { actionInWords } from './history.ts';

/** What is written down of an act; null when its command writes its own entry. */
type Did = { action: string; details?: Record<string, string | number>; changes?: readonly AuditChange[] } | null;
export type ActDone = { ok: true; did: Did };

type Acting<Data> = {
  form: FormData | null;
  schema: z.ZodType<Data>;
  /** Kind and reference of what is acted on, such as `enrolment:BB-7KQ2MX`, as audit entries have it. */
  subject: string;
  staff: { id: number };
  /** Writes in the given transaction. A refusal undoes everything it wrote. */
  act(trx: Trx, data: Data, moment: Moment): Promise<ActDone | Refused | { ok: false; reason: 'missing' }>;
};

/**
 * Takes a form of a page for staff: everything in one transaction, once for each form (P25), with its audit entry. Acts
 * on one subject follow each other; when somebody acted since the page was read, nothing is done and the page says who.
 */
export function takeAct<Data extends { [tokenField]: string }>(
  academy: Academy,
  { form, schema, subject, staff, act }: Acting<Data>,
): Promise<DeskResult> {
  const moment = momentOf(academy);
  const { now } = moment;
  return takeDeskForm<Data, { action: string }>({
    form,
    schema,
    subject: subject.split(':')[0]?.replace('-', ' ') ?? subject,
    otherDid: ({ action }) => ({ did: actionInWords(action), where: '"What staff did"' }),
    async act(data, { seen, idempotencyKey }) {
      try {
        return await academy.db.transaction().execute(async (trx): Promise<ActResult<{ action: string }>> => {
          await sql`select pg_advisory_xact_lock(hashtextextended(${`desk ${subject}`}, 0))`.execute(trx);
          if (!(await claimForm(trx, idempotencyKey, now))) return { ok: true };
          const other = await findEntryAfter(trx, subject, seen);
          if (other) throw new NotDone({ ok: false, reason: 'meanwhile', ...other });
          const result = await act(trx, data, moment);
          if (!result.ok) throw new NotDone(result);
          if (result.did) await writeAuditEntry(trx, { at: now, personId: staff.id, subject, ...result.did });
          return { ok: true };
        });
      } catch (error) {
        if (error instanceof NotDone) return error.result;
        throw error;
      }
    },
  });
}

/** Undoes the transaction in which it is thrown. */
class NotDone extends Error {
  readonly result;
  constructor(result: Exclude<ActResult<{ action: string }>, { ok: true }>) {
    super(result.reason);
    this.result = result;
  }
}

/** False when the form was taken before. */
export async function claimForm(trx: Db, key: string, at: Date): Promise<boolean> {
  const row = await trx
    .insertInto('desk_forms')
    .values({ key, taken_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

const keptMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The daily job: forgets the keys of forms that were taken more than 30 days ago; nobody sends a page that old again,
 * and what it showed is refused as out of date. Returns how many, null when it was done today.
 */
export function forgetDeskForms(db: Db, now: Date): Promise<number | null> {
  return doDaily(db, 'forget-desk-forms', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('desk_forms')
      .where('taken_at', '<', new Date(now.getTime() - keptMs))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
