import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { addAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import {
  attendee,
  makeCourseDate,
  miscountedCourseDates,
  momentAt,
  orderOf,
  seatIn,
} from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const opening = momentAt('2025-09-08T09:00');
const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const act = fc.record({
  do: fc.constantFrom('accept', 'add', 'cancel', 'leave', 'come'),
  seats: fc.integer({ min: 1, max: 6 }),
});

/** What would leave fewer than four one by one, after all could go. */
const oneByOne = [
  ...[
    { do: 'accept', seats: 3 },
    { do: 'come', seats: 1 },
    { do: 'accept', seats: 4 },
    { do: 'add', seats: 1 },
  ],
  ...[
    { do: 'cancel', seats: 2 },
    { do: 'leave', seats: 1 },
    { do: 'leave', seats: 1 },
    { do: 'cancel', seats: 6 },
  ],
] as const;

/** A date for one organisation of four people or more, another one for everybody, and the acts of its buyer. */
async function group() {
  const { db } = database;
  const [own, other] = [
    await makeCourseDate(db, { capacity: 9, minimum: 4, startsOn: '2025-11-03' }),
    await makeCourseDate(db, { capacity: 99, startsOn: '2025-12-01' }),
  ];
  const made = db.insertInto('organisations').values({ legal_name: 'Councilworks', made_at: opening.now });
  const { id: organisationId } = await made.returning('id').executeTakeFirstOrThrow();
  await db.updateTable('course_dates').set({ organisation_id: organisationId }).where('id', '=', own.id).execute();
  const enrolments: number[] = [];
  const place = async (date: typeof own, seats: number) => {
    const attendees = Array.from({ length: seats }, () => attendee());
    const order = await orderOf(db, [seatIn(date)], { attendees, organisationId, offeredByStaff: true });
    const placed = await transaction((trx) => placeEnrolment(trx, order, opening));
    if (placed.ok) enrolments.push(placed.enrolmentId);
  };
  const placesOf = async (enrolmentId: number, on: typeof own) =>
    (await readEnrolment(db, enrolmentId)).places.filter(
      (one) => one.state === 'active' && one.courseDate?.id === on.id,
    );
  const move = async (from: typeof own, to: typeof own) => {
    const [enrolmentId = 0] = enrolments.slice(-1);
    const [{ id: placeId } = { id: 0 }] = enrolmentId ? await placesOf(enrolmentId, from) : [];
    const transfer = { enrolmentId, placeId, toCourseDateId: to.id, actor: theBuyer };
    if (placeId) await transaction((trx) => transferPlace(trx, transfer, opening));
  };
  const acts = {
    accept: (seats: number) => place(own, seats),
    async add() {
      const [enrolmentId = 0] = enrolments.slice(-1);
      const adding = {
        enrolmentId,
        choices: [seatIn(own)],
        attendee: attendee(),
        shownCents: 549_900,
        actor: theBuyer,
      };
      if (enrolmentId) await transaction((trx) => addAttendee(trx, adding, opening));
    },
    async cancel(seats: number) {
      const [enrolmentId = 0] = enrolments.slice(-1);
      const placeIds = enrolmentId ? (await placesOf(enrolmentId, own)).slice(0, seats).map(({ id }) => id) : [];
      const cancelling = { enrolmentId, placeIds, why: 'buyer', shownCents: null } as const;
      if (placeIds.length > 0) await transaction((trx) => cancelPlaces(trx, cancelling, opening));
    },
    leave: () => move(own, other),
    come: () => place(other, 1).then(() => move(other, own)),
  };
  const seats = db.selectFrom('course_date_seats').select('sold').where('course_date_id', '=', own.id);
  return { acts, sold: async () => (await seats.executeTakeFirstOrThrow()).sold };
}

test('P114: whatever its buyers accept, add, cancel and move, a private date has nobody or its minimum', async () => {
  let reached = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 9 }), async (history) => {
      const { acts, sold } = await group();
      for (const { do: what, seats } of history) {
        await acts[what](seats);
        const now = await sold();
        expect(now === 0 || (now >= 4 && now <= 9)).toBe(true);
        reached = Math.max(reached, now);
      }
    }),
    { numRuns: 8, examples: [[[...oneByOne]]] },
  );
  expect(reached).toBeGreaterThan(4);
  expect(await miscountedCourseDates(database.db)).toEqual([]);
});
