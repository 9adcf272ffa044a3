import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { listOwed } from '#app/features/enrolments/owed.server.ts';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { nextStep, owedList } from '#app/routes/staff/enrolments/owed-list.tsx';

import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { anOwner } from '#tests/support/staff.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

/** The next reminder that the list promises on a day, its words, and the first day on which one then goes out. */
async function promisedAndSent(today: Day) {
  const { db } = database;
  const [row] = (await listOwed(db, anOwner, owedList.viewOf(new URLSearchParams()), today)).owed;
  if (!row) throw new Error('nothing is late');
  let sent: Day | null = null;
  for (let day = addDays(today, 1); sent === null && day < addDays(today, 25); day = addDays(day, 1)) {
    if ((await queuePaymentReminders(db, momentAt(`${day}T20:30`))) > 0) sent = day;
  }
  return { promised: row.remindsOn, sent, words: nextStep(row, today) };
}

/** Sends what is due until a day, as the job did. */
async function remindUntil(from: Day, until: Day) {
  for (let day = from; day <= until; day = addDays(day, 1)) {
    await queuePaymentReminders(database.db, momentAt(`${day}T20:30`));
  }
}

test('P39: the list of who owes promises a reminder for the day on which it goes out', async () => {
  await placeIn(database.db, await makeCourseDate(database.db, { startsOn: '2025-12-01' }));
  const { due_on } = await database.db.selectFrom('enrolment_list').select('due_on').executeTakeFirstOrThrow();
  const dueOn = due_on ?? '';
  const today = addDays(dueOn, 1);
  await remindUntil('2025-09-09', today);
  const { promised, sent } = await promisedAndSent(today);
  expect([promised, sent]).toEqual([addDays(dueOn, 3), addDays(dueOn, 3)]);
});

test('P39: shortly before a first day no reminder is promised that the first day stops', async () => {
  await placeIn(database.db, await makeCourseDate(database.db, { startsOn: '2025-09-17' }));
  await remindUntil('2025-09-08', '2025-09-16');
  expect(await promisedAndSent('2025-09-16')).toEqual({
    promised: null,
    sent: null,
    words: 'Call before Wed 17 Sept, when it begins',
  });
});

test('P39: nobody is reminded of what we keep of a cancelled place, and the list says so', async () => {
  const { db } = database;
  const { enrolmentId } = await placeIn(db, await makeCourseDate(db, { startsOn: '2025-09-29' }));
  const places = await db.selectFrom('places').select('id').where('enrolment_id', '=', enrolmentId).execute();
  const cancel = (trx: Trx) => {
    const wish = { enrolmentId, placeIds: places.map(({ id }) => id), why: 'buyer' as const, shownCents: null };
    return cancelPlaces(trx, wish, momentAt('2025-09-18T09:00'));
  };
  expect(await db.transaction().execute(cancel)).toMatchObject({ ok: true });
  expect(await promisedAndSent('2025-09-24')).toEqual({
    promised: null,
    sent: null,
    words: 'Call: their places are cancelled',
  });
});
