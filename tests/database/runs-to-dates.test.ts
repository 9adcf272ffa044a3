import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { chosenRecipients } from '#app/features/runs/chosen-recipients.server.ts';
import { planKey, startWriting } from '#app/features/runs/commands.server.ts';
import { doRuns } from '#app/features/runs/jobs.server.ts';
import { messagesTo } from '#app/features/runs/queries.server.ts';
import type { Audience } from '#app/features/runs/recipients.server.ts';
import { attendee, makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';

// Messages to the people of several course dates that staff ticked (P79, P80).
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const pressed = momentAt('2025-09-25T09:00');
const later = momentAt('2025-09-25T09:01');
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const mary = { name: 'Mary Shelley', email: 'mary@example.org' };
const percy = { name: 'Percy Shelley', email: 'percy@example.org' };

/** Mary in both dates and Percy in the second, each with an enrolment of their own; and a third date that nobody ticks. */
async function threeDates() {
  const { db } = database;
  const dates = await Promise.all(
    ['2025-10-06', '2025-11-24', '2025-12-01'].map((startsOn) => makeSession(db, { startsOn, capacity: 20 })),
  );
  const [early, first, second] = dates;
  if (!early || !first || !second) return expect.unreachable();
  for (const [date, who] of [
    [early, mary],
    [first, mary],
    [second, mary],
    [second, percy],
  ] as const) {
    const buyer = { name: 'Ada Byron', email: 'ada@buyers.example', phone: null };
    await placeIn(db, date, { buyer, attendees: [attendee(who)] });
  }
  // A buyer who names the same address again and again is believed by nobody; here they are.
  await db.updateTable('attendees').set({ told: true }).execute();
  const { actor } = await makeStaff(db, { email: 'desk@example.com', name: 'Desk' }, pressed.now);
  await db.deleteFrom('mails').execute();
  return { early, first, second, actor };
}

type Wish = { to?: readonly Audience[]; marketing?: boolean };

async function write(actor: ReturnType<typeof staffActor>, ids: readonly number[], wish: Wish = {}) {
  const { to = ['attendees'] as const, marketing = false } = wish;
  const records = { of: 'sessions', ids } as const;
  const expects = planKey(await chosenRecipients(database.db, records, { to, marketing, today: pressed.today }));
  const message = { subject: 'The room', body: 'Hello {first name}, on {date} we start early.', marketing };
  const asked = { records, to, message, dueAt: null, actor, form: crypto.randomUUID(), expects };
  return inTrx((trx) => startWriting(trx, asked, pressed));
}
const mails = async () =>
  (await database.db.selectFrom('mails').select(['recipient', 'body_text']).orderBy('recipient').execute()).map(
    ({ recipient, body_text }) => [recipient, /on (.*) we start/.exec(body_text ?? '')?.[1]],
  );

test('P80: the email names the date that was ticked, not the person’s next course; somebody in two dates gets one for each', async () => {
  const { first, second, actor } = await threeDates();
  expect(await write(actor, [first.id, second.id])).toMatchObject({ ok: true, count: 3 });
  expect(await doRuns(database.db, later)).toBe(3);
  const sent = await mails();
  expect(sent.map(([to]) => to)).toEqual(['mary@example.org', 'mary@example.org', 'percy@example.org']);
  expect(sent.map(([, date]) => /to (\d+ \w+ 2025)/.exec(date ?? '')?.[1]).sort()).toEqual([
    '28 November 2025',
    '5 December 2025',
    '5 December 2025',
  ]);
});

test('P80: a buyer of two ticked dates gets an email about each, and none where an attendee of that date has the address', async () => {
  const { first, second, actor } = await threeDates();
  expect(await write(actor, [first.id, second.id], { to: ['buyers'] })).toMatchObject({ ok: true, count: 2 });
  await doRuns(database.db, later);
  expect(await mails()).toHaveLength(2);
});

test('P80: a person who left one of the ticked dates since the press gets no message about it, and still the one about the other', async () => {
  const { early, first, second, actor } = await threeDates();
  await write(actor, [first.id, second.id]);
  await database.db
    .updateTable('places')
    .set({ training_session_id: early.id })
    .where('training_session_id', '=', first.id)
    .execute();
  await doRuns(database.db, later);
  expect((await mails()).map(([to]) => to)).toEqual(['mary@example.org', 'percy@example.org']);
  const items = await database.db.selectFrom('bulk_run_items').select(['state', 'why']).orderBy('id').execute();
  expect(items.map(({ state, why }) => why ?? state)).toEqual(['gone', 'done', 'done']);
});

test('P80: news and offers go to an address once, however many of the ticked dates it is in', async () => {
  const { first, second } = await threeDates();
  const wanted = { to: ['attendees'], marketing: true, today: pressed.today } as const;
  const found = await chosenRecipients(database.db, { of: 'sessions', ids: [first.id, second.id] }, wanted);
  expect(found.map(({ email, leftOut }) => [email, leftOut])).toEqual([
    ['mary@example.org', 'no-consent'],
    ['mary@example.org', 'same-address'],
    ['percy@example.org', 'no-consent'],
  ]);
});

test('P80: other dates at the press than the page showed are refused, also for the same people', async () => {
  const { early, first, actor } = await threeDates();
  const shown = await chosenRecipients(
    database.db,
    { of: 'sessions', ids: [early.id] },
    { to: ['attendees'], marketing: false, today: pressed.today },
  );
  const asked = {
    records: { of: 'sessions' as const, ids: [first.id] },
    to: ['attendees'] as const,
    message: { subject: 'x', body: 'x', marketing: false },
    ...{ dueAt: null, actor, form: crypto.randomUUID(), expects: planKey(shown) },
  };
  expect(await inTrx((trx) => startWriting(trx, asked, pressed))).toEqual({ ok: false, reason: 'changed' });
});

test('the page of each ticked date lists the message, that of another one does not', async () => {
  const { early, first, second, actor } = await threeDates();
  await write(actor, [first.id, second.id]);
  const listed = async (id: number) => (await messagesTo(database.db, actor, id)).map(({ subject }) => subject);
  expect(await listed(first.id)).toEqual(['The room']);
  expect(await listed(second.id)).toEqual(['The room']);
  expect(await listed(early.id)).toEqual([]);
});

test('P68: an instructor, an editor and a reader cannot write to course dates', async () => {
  const { first, actor } = await threeDates();
  for (const role of ['instructor', 'reader', 'editor'] as const) {
    await expect(write(staffActor(actor.person, role), [first.id]), role).rejects.toThrow();
  }
});
