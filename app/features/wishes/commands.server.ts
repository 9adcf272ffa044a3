import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { withdrawMails } from '#app/outbox/withdraw-mail.server.ts';
import { mailWording, mostWishes } from './rules.ts';

type Of = { personId: number; courseId: number };

/** Wishes of one person wait for each other, so that no two exceed the limit together. */
const lockPerson = (trx: Trx, personId: number) =>
  trx.selectFrom('people').select('id').where('id', '=', personId).forUpdate().execute();

/** Adds a course to a person's wishes (P57); one that is there stays as it is. */
export async function addWish(
  trx: Trx,
  { personId, courseId }: Of,
  at: Date,
): Promise<{ ok: true } | { ok: false; reason: 'full' }> {
  const { added, refused } = await addWishes(trx, { personId, courseIds: [courseId] }, at);
  return added === 0 && refused > 0 ? { ok: false, reason: 'full' } : { ok: true };
}

/**
 * Adds courses to a person's wishes in the order given, up to the limit. Existing wishes stay unchanged.
 * Returns how many are new, and for how many there was no room.
 */
export async function addWishes(
  trx: Trx,
  { personId, courseIds }: { personId: number; courseIds: readonly number[] },
  at: Date,
): Promise<{ added: number; refused: number }> {
  await lockPerson(trx, personId);
  const kept = await trx.selectFrom('wishes').select('course_id').where('person_id', '=', personId).execute();
  const known = new Set(kept.map(({ course_id }) => course_id));
  const wanted = [...new Set(courseIds)].filter((id) => !known.has(id));
  const taken = wanted.slice(0, Math.max(0, mostWishes - known.size));
  if (taken.length > 0) {
    await trx
      .insertInto('wishes')
      .values(taken.map((course_id) => ({ person_id: personId, course_id, wished_at: at })))
      .execute();
  }
  return { added: taken.length, refused: wanted.length - taken.length };
}

/** Takes a course off a person's wishes, with the email that was asked for. */
export async function removeWish(trx: Trx, { personId, courseId }: Of, now: Date): Promise<void> {
  await lockPerson(trx, personId);
  const wish = await trx
    .deleteFrom('wishes')
    .where('person_id', '=', personId)
    .where('course_id', '=', courseId)
    .returning('mail_asked_at')
    .executeTakeFirst();
  if (wish?.mail_asked_at) await withdrawUndelivered(trx, personId, now);
}

/**
 * Notes that a person asks for an email when a wished course gets a date (P49). The dates it has now are no news. False
 * when the course is not among their wishes.
 */
export async function askForDates(
  trx: Trx,
  { personId, courseId }: Of,
  { now, today }: { now: Date; today: Day },
): Promise<boolean> {
  await lockPerson(trx, personId);
  const { numUpdatedRows } = await trx
    .updateTable('wishes')
    .set({ mail_asked_at: now, mail_wording: mailWording })
    .where('person_id', '=', personId)
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await sql`insert into wish_dates_told (person_id, training_session_id, told_at)
    select ${personId}, id, ${now} from training_sessions
    where course_id = ${courseId} and starts_on >= ${today}
    on conflict do nothing`.execute(trx);
  return true;
}

/**
 * Ends the emails about one wished course, or about all of them; then those that were not delivered yet are withdrawn
 * too (P49). The wishes stay.
 */
export async function stopDates(trx: Trx, { personId, courseId }: { personId: number; courseId?: number }, now: Date) {
  await lockPerson(trx, personId);
  const { numUpdatedRows } = await trx
    .updateTable('wishes')
    .set({ mail_asked_at: null, mail_wording: null })
    .where('person_id', '=', personId)
    .where('mail_asked_at', 'is not', null)
    .$if(courseId !== undefined, (query) => query.where('course_id', '=', courseId ?? 0))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await withdrawUndelivered(trx, personId, now);
}

/**
 * Takes back the emails about new dates that were not delivered (P49). Those of courses for which the person still wants
 * emails are told again, in a new one.
 */
async function withdrawUndelivered(trx: Trx, personId: number, now: Date): Promise<void> {
  const waiting = await trx
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'wished-dates')
    .where('about_kind', '=', 'person')
    .where('about_id', '=', personId)
    .where('state', 'in', ['queued', 'failed'])
    .execute();
  const withdrawn = await withdrawMails(
    trx,
    waiting.map(({ id }) => id),
    now,
    'They want no more emails about one of its courses',
  );
  if (withdrawn.length === 0) return;
  await trx.deleteFrom('wish_dates_told').where('person_id', '=', personId).where('mail_id', 'in', withdrawn).execute();
}
