import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { addAttendee } from '#app/features/enrolments/add-attendee.server.ts';
import type { CourseChoice } from '#app/features/enrolments/order.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { keepWaitingLists } from '#app/features/waiting/jobs.server.ts';
import { readEntry } from '#app/features/waiting/read-entry.server.ts';
import { readWaitingPage } from '#app/features/waiting/waiting-page.server.ts';
import { cloudDefender, placeCombo } from '#tests/support/combos.ts';
import { attendee, makeSession, momentAt } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const opening = momentAt('2025-09-08T09:00');
const [practitioner, specialty, ccsp] = cloudDefender;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

test('P38: somebody who joins a combo later is not sold two of its courses at one time either; staff may do it', async () => {
  const { db } = database;
  const first = await placeCombo(db, [{ startsOn: '2025-11-03' }, 'later', { startsOn: '2025-11-17' }], opening);
  const { enrolmentId } = first;
  // Another attendee of the enrolment takes the third course on a date of the week of the first one's first course.
  const early = await makeSession(db, { course: ccsp.slug, startsOn: '2025-11-07' });
  const places = (await readEnrolment(db, enrolmentId)).places;
  const courseOf = (slug: string) => places.find(({ courseSlug }) => courseSlug === slug)?.courseId ?? 0;
  const dateOf = (slug: string) => places.find(({ courseSlug }) => courseSlug === slug)?.session?.id ?? 0;
  const ways = (third: number): CourseChoice[] => [
    { courseId: courseOf(practitioner.slug), way: 'session', sessionId: dateOf(practitioner.slug) },
    { courseId: courseOf(specialty.slug), way: 'next-date' },
    { courseId: courseOf(ccsp.slug), way: 'session', sessionId: third },
  ];
  const add = (choices: readonly CourseChoice[], actor: typeof theBuyer | typeof theProgram) =>
    transaction((trx) =>
      addAttendee(
        trx,
        { enrolmentId, choices, attendee: attendee({ name: 'Mary Jackson' }), shownCents: 636_700, actor },
        opening,
      ),
    );
  expect(await add(ways(early.id), theProgram)).toMatchObject({ ok: true });
  // Now the page offers that date to further people. 7 November is the last day of the one and the first of the other.
  expect(await add(ways(early.id), theBuyer)).toEqual({ ok: false, reason: 'dates-at-once' });
  expect(await add(ways(dateOf(ccsp.slug)), theBuyer)).toMatchObject({ ok: true });
});

test('P38: who is offered a date for a place bought without one reads which course of theirs is at the same time', async () => {
  const { db } = database;
  // Those of the test above would be offered as well.
  await db.updateTable('training_sessions').set({ state: 'cancelled' }).execute();
  const { enrolmentId } = await placeCombo(
    db,
    [{ startsOn: '2026-02-02' }, { guided: '2025-10-13' }, 'later'],
    opening,
  );
  await keepWaitingLists(db, opening);
  const { id } = await db
    .selectFrom('waiting_entries')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const offered = async () => {
    await keepWaitingLists(db, momentAt('2025-09-09T09:00'));
    const entry = await readEntry(db, id);
    if (!entry) throw new Error('the entry is gone');
    return (await readWaitingPage(db, entry, opening)).offer;
  };
  const date = await makeSession(db, { course: ccsp.slug, startsOn: '2026-02-06' });
  expect(await offered()).toMatchObject({ meets: 'AWS Certified Cloud Practitioner (CLF-C02)' });
  await db
    .updateTable('training_sessions')
    .set({ starts_on: '2026-02-09', ends_on: '2026-02-13', enrolment_ends_on: '2026-02-08' })
    .where('id', '=', date.id)
    .execute();
  expect(await offered()).toMatchObject({ meets: null });
});
