import { sql } from 'kysely';
import type { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { type ActResult, type DeskResult, type Refused, takeDeskForm } from '#app/http/desk-form.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import type { tokenField } from '#app/ui/form-state.ts';
import { actionInWords } from './history.ts';

/** What is written down of an act; null when its command writes its own entry. */
type Did = { action: string; details?: Record<string, string | number> } | null;
export type ActDone = { ok: true; did: Did };

type Acting<Data> = {
  form: FormData | null;
  schema: z.ZodType<Data>;
  /** Kind and reference of what is acted on, such as `enrolment:BB-7KQ2MX`, as audit entries have it. */
  subject: string;
  actor: StaffActor;
  /** Writes in the given transaction. A refusal undoes everything it wrote. */
  act(
    trx: Trx,
    data: Data,
    circumstances: Circumstances,
  ): Promise<ActDone | Refused | { ok: false; reason: 'missing' }>;
};

/** When and for whom staff act now. */
export const circumstancesOf = ({ clock, forms, academy }: Academy): Circumstances => ({
  now: clock.now(),
  today: academyToday(clock),
  at: forms.trueNow(),
  academy: academy(),
});

/**
 * Takes a form of a page for staff: everything in one transaction, once for each form (P25), with its audit entry. Acts
 * on one subject follow each other; when somebody acted since the page was read, nothing is done and the page says who.
 */
export function takeAct<Data extends { [tokenField]: string }>(
  desk: Academy,
  { form, schema, subject, actor, act }: Acting<Data>,
): Promise<DeskResult> {
  const circumstances = circumstancesOf(desk);
  const { at } = circumstances;
  return takeDeskForm<Data, { action: string }>({
    form,
    schema,
    subject: subject.split(':')[0]?.replace('-', ' ') ?? subject,
    otherDid: ({ action }) => ({ did: actionInWords(action), where: '"What staff did"' }),
    async act(data, { seen, idempotencyKey }) {
      try {
        return await desk.db.transaction().execute(async (trx): Promise<ActResult<{ action: string }>> => {
          await sql`select pg_advisory_xact_lock(hashtextextended(${`desk ${subject}`}, 0))`.execute(trx);
          if (!(await claimForm(trx, idempotencyKey, at))) return { ok: true };
          const other = await findEntryAfter(trx, subject, seen);
          if (other) throw new NotDone({ ok: false, reason: 'meanwhile', ...other });
          const result = await act(trx, data, circumstances);
          if (!result.ok) throw new NotDone(result);
          if (result.did) await writeAuditEntry(trx, { at, personId: actor.person.id, subject, ...result.did });
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
 * and what it showed is refused as out of date. Returns how many, null when it was done today. `now` is the true time.
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

async function findEntryAfter(trx: Db, subject: string, seen: number) {
  return trx
    .selectFrom('audit_entries')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['audit_entries.id as seen', 'people.name as by', 'at', 'action'])
    .where('subject', '=', subject)
    .where('audit_entries.id', '>', seen)
    .orderBy('audit_entries.id', 'desc')
    .executeTakeFirst();
}
