import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { changeAttendee } from '#app/features/enrolments/change-attendee.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { cancelSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { chosenRecipients } from '#app/features/runs/chosen-recipients.server.ts';
import { planKey, startMessage, startWriting, stopRun } from '#app/features/runs/commands.server.ts';
import { doRuns } from '#app/features/runs/jobs.server.ts';
import { expireRunWordsDaily } from '#app/features/runs/personal-records.server.ts';
import { emailState, findRun, runDates, runItems } from '#app/features/runs/queries.server.ts';
import type { Audience } from '#app/features/runs/recipients.server.ts';
import { lockSessions } from '#app/features/seats/commands.server.ts';
import type { SessionTimes } from '#app/features/sessions/changed-times.ts';
import { timesOf } from '#app/features/sessions/session-times.server.ts';
import { moveSessionForAll } from '#app/features/waiting/move-session.server.ts';
import { resendMail } from '#app/outbox/failed-mail.server.ts';
import { erasePerson } from '#server/personal-records.ts';
import { attendee, makeSession, momentAt, orderOf, placeIn } from '#tests/support/enrolments.ts';
import { mailLinks } from '#tests/support/mail-links.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

// What happens to a scheduled message between the press and the sending (P79, P80), and what its page knows afterwards.
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const pressed = momentAt('2025-09-25T09:00');
const between = momentAt('2025-09-25T12:00');
const due = momentAt('2025-09-26T09:00');
const later = momentAt('2025-09-26T09:01');
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const text = { subject: 'Bring a laptop', body: 'Hello {first name}, see you on {date}.', marketing: false };

const outcomes = async () =>
  (await database.db.selectFrom('bulk_run_items').select(['about_kind', 'state', 'why']).orderBy('id').execute()).map(
    (row) => `${row.about_kind} ${row.why ?? row.state}`,
  );
const mailed = async () =>
  (
    await database.db
      .selectFrom('mails')
      .select('recipient')
      .where('kind', '=', 'place-message')
      .orderBy('recipient')
      .execute()
  ).map(({ recipient }) => recipient);

/** An enrolment for each letter, by a buyer and with an attendee of its own, in one course date. */
async function enrolled(letters: readonly string[]) {
  const { db } = database;
  const session = await makeSession(db, { startsOn: '2025-11-24', capacity: 20 });
  const ids: number[] = [];
  for (const letter of letters) {
    const buyer = { name: `Mary${letter} Shelley`, email: `${letter}@buyers.example`, phone: null };
    const attendees = [attendee({ name: `Joann${letter} Leeds`, email: `${letter}@attend.example` })];
    ids.push((await placeIn(db, session, { buyer, attendees })).enrolmentId);
  }
  const { actor } = await makeStaff(db, { email: 'ada@example.com', name: 'Ada' }, pressed.now);
  await db.deleteFrom('mails').execute();
  return { session, ids, actor };
}
type Actor = Awaited<ReturnType<typeof enrolled>>['actor'];

/** A message to the people of chosen enrolments, for the next day. */
async function writeTo(ids: readonly number[], to: readonly Audience[], actor: Actor, body = text.body) {
  const records = { of: 'enrolments' as const, ids };
  const gets = await chosenRecipients(database.db, records, { to, marketing: false, today: pressed.today });
  const asked = { records, to, message: { ...text, body }, dueAt: due.now, actor, form: crypto.randomUUID() };
  const started = await inTrx((trx) => startWriting(trx, { ...asked, expects: planKey(gets) }, pressed));
  if (!started.ok) return expect.unreachable(started.reason);
  return started.runId;
}

async function writeToDate(sessionId: number, to: readonly Audience[], actor: Actor) {
  const asked = { sessionId, message: text, to, dueAt: due.now, actor };
  return inTrx((trx) => startMessage(trx, asked, pressed));
}

test('P80: what was written to chosen enrolments reaches nobody once the course date that it names was cancelled', async () => {
  const { session, ids, actor } = await enrolled(['a', 'b']);
  await writeTo(ids, ['attendees', 'buyers'], actor);
  await inTrx((trx) => cancelSessionAndAsk(trx, session.id, actor, between));
  await doRuns(database.db, later);
  expect(await mailed()).toEqual([]);
  expect(await outcomes()).toEqual([
    'attendee date-cancelled',
    'attendee date-cancelled',
    'enrolment date-cancelled',
    'enrolment date-cancelled',
  ]);
});

test('P80: what was written to chosen enrolments reaches nobody once the course date that it names was moved', async () => {
  const { session, ids, actor } = await enrolled(['a']);
  await writeTo(ids, ['attendees'], actor);
  const moved = await inTrx(async (trx) => {
    const locked = (await lockSessions(trx, [session.id], between.now)).get(session.id);
    if (!locked) return expect.unreachable('there is no such date');
    const times = { ...(await timesOf(trx, locked)), startDate: '2025-12-08', endDate: '2025-12-12' };
    return moveSessionForAll(trx, { sessionId: locked, times, actor }, between);
  });
  expect(moved).toMatchObject({ ok: true });
  await doRuns(database.db, later);
  expect(await mailed()).toEqual([]);
  expect(await outcomes()).toEqual(['attendee date-moved']);
});

async function cancel(enrolmentId: number, moment: typeof pressed) {
  const places = await database.db.selectFrom('places').select('id').where('enrolment_id', '=', enrolmentId).execute();
  const asked = { enrolmentId, placeIds: places.map(({ id }) => id), why: 'buyer' as const, shownCents: null };
  expect(await inTrx((trx) => cancelPlaces(trx, asked, moment))).toMatchObject({ ok: true });
}

test('P80: a buyer whose places were cancelled after the press gets nothing; one who had cancelled before does', async () => {
  const { ids, actor } = await enrolled(['a', 'b']);
  const [first = 0, second = 0] = ids;
  await cancel(second, momentAt('2025-09-25T08:00'));
  await writeTo(ids, ['buyers'], actor);
  await cancel(first, between);
  await doRuns(database.db, later);
  expect(await mailed()).toEqual(['b@buyers.example']);
  expect((await outcomes()).sort()).toEqual(['enrolment cancelled', 'enrolment done']);
});

test('P80: an attendee whose place was cancelled after the press is told as cancelled, not as no longer chosen', async () => {
  const { session, ids, actor } = await enrolled(['a', 'b']);
  await writeToDate(session.id, ['attendees'], actor);
  await cancel(ids[0] ?? 0, between);
  await doRuns(database.db, later);
  expect(await outcomes()).toEqual(['attendee cancelled', 'attendee done']);
});

test('P80: a buyer who waited for a date and cancelled after the press gets nothing', async () => {
  const { db } = database;
  const { session, actor } = await enrolled([]);
  const { course_id: courseId } = await db
    .selectFrom('training_sessions')
    .select('course_id')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  const order = await orderOf(db, [{ courseId, way: 'next-date' }], { attendees: [attendee()], actor: theBuyer });
  const placed = await inTrx((trx) => placeEnrolment(trx, order, pressed));
  if (!placed.ok) return expect.unreachable(placed.reason);
  await writeTo([placed.enrolmentId], ['buyers'], actor);
  await cancel(placed.enrolmentId, between);
  await db.deleteFrom('mails').execute();
  await doRuns(db, later);
  expect(await mailed()).toEqual([]);
  expect(await outcomes()).toEqual(['enrolment cancelled']);
});

test('P80: who shared an address with somebody who left gets the email instead, and an address gets it once', async () => {
  const { db } = database;
  const { session, actor } = await enrolled([]);
  const buyer = { name: 'Mary Shelley', email: 'mary@buyers.example', phone: null };
  const herself = attendee({ name: 'Mary Shelley', email: 'Mary@buyers.example' });
  const { enrolmentId } = await placeIn(db, session, { buyer, attendees: [herself] });
  await db.deleteFrom('mails').execute();
  expect(await writeToDate(session.id, ['attendees', 'buyers'], actor)).toMatchObject({ ok: true, count: 1 });
  expect(await writeToDate(session.id, ['attendees', 'buyers'], actor)).toMatchObject({ ok: true, count: 1 });
  const [first] = await db.selectFrom('bulk_runs').select('id').orderBy('id').execute();
  await db
    .updateTable('bulk_runs')
    .set({ due_at: between.now })
    .where('id', '=', first?.id ?? 0)
    .execute();
  await Promise.all([doRuns(db, between), doRuns(db, between)]);
  expect((await outcomes()).slice(0, 2).sort()).toEqual(
    expect.arrayContaining([expect.stringContaining('same-address')]),
  );
  expect(await mailed()).toHaveLength(1);
  const { id } = await db.selectFrom('attendees').select('id').executeTakeFirstOrThrow();
  const hedy = attendee({ name: 'Hedy Lamarr', email: 'hedy@attend.example' });
  const change = { enrolmentId, attendeeId: id, attendee: hedy, actor: theProgram };
  await inTrx((trx) => changeAttendee(trx, change, between));
  await doRuns(db, later);
  expect((await outcomes()).slice(2)).toEqual(['attendee handed-over', 'enrolment done']);
  expect(await mailed()).toEqual([expect.stringMatching(/^mary@/i), 'mary@buyers.example']);
});

test('P79: an email that waits or did not arrive is not one that was sent, and what is not kept is not known', async () => {
  const { db } = database;
  const { ids, actor } = await enrolled(['a', 'b', 'c', 'd']);
  const runId = await writeTo(ids, ['attendees'], actor);
  const emails = async () => (await findRun(db, actor, runId))?.emails;
  expect(await runDates(db, actor, runId)).toMatchObject([{ done: 0, all: 4 }]);
  await doRuns(db, later);
  expect(await emails()).toEqual({ sent: 0, waits: 4, failed: 0, withdrawn: 0, unknown: 0 });
  const settle = (letter: string, state: 'sent' | 'failed') =>
    db
      .updateTable('mails')
      .set({ state, settled_at: later.now, reason: state === 'failed' ? '550 no such user' : null })
      .where('recipient', '=', `${letter}@attend.example`)
      .execute();
  await settle('a', 'sent');
  await settle('b', 'failed');
  await db.deleteFrom('mails').where('recipient', '=', 'c@attend.example').execute();
  expect(await emails()).toEqual({ sent: 1, waits: 1, failed: 1, withdrawn: 0, unknown: 1 });
  expect((await runItems(db, actor, runId)).map(({ mail }) => emailState(mail))).toEqual([
    'sent',
    'failed',
    'unknown',
    'waits',
  ]);
  expect(await runDates(db, actor, runId)).toMatchObject([{ done: 4, all: 4 }]);
});

/** Three people to whom staff wrote: the first got it, to the second it did not arrive, and for the third it waits. */
async function threeWritten() {
  const { db } = database;
  const { session, ids, actor } = await enrolled(['a', 'b', 'c']);
  const runId = await writeTo(ids, ['attendees'], actor);
  await doRuns(db, later);
  const mailOf = (letter: string) => db.updateTable('mails').where('recipient', '=', `${letter}@attend.example`);
  const settled = { settled_at: later.now };
  await mailOf('a')
    .set({ ...settled, state: 'sent' })
    .execute();
  await mailOf('b')
    .set({ ...settled, state: 'failed', reason: '550 no such user' })
    .execute();
  const now = async () =>
    (await runItems(db, actor, runId)).map(({ mail, withdrawn }) => [emailState(mail), withdrawn].join(': '));
  const again = async (letter: string) => {
    const { id } = await db
      .selectFrom('mails')
      .select('id')
      .where('recipient', '=', `${letter}@attend.example`)
      .where('kind', '=', 'place-message')
      .executeTakeFirstOrThrow();
    return resendMail(db, id, momentAt('2025-09-26T10:00').now, mailLinks());
  };
  return { session, actor, runId, mailOf, now, again };
}
const afterwards = momentAt('2025-09-26T09:30');

test('P80: what did not arrive yet of a message to a course date is withdrawn when the date is cancelled, and not sent again', async () => {
  const { db } = database;
  const { session, actor, runId, mailOf, now, again } = await threeWritten();
  await inTrx((trx) => cancelSessionAndAsk(trx, session.id, actor, afterwards));
  const why = 'withdrawn: The course date was cancelled after this was written';
  // What did not arrive stays so: its address may be wrong for other emails too.
  expect(await now()).toEqual(['sent: ', 'failed: ', why]);
  expect((await findRun(db, actor, runId))?.emails).toEqual({ sent: 1, waits: 0, failed: 1, withdrawn: 1, unknown: 0 });
  expect(await again('b')).toEqual({ ok: false, reason: 'stale' });
  // The first comes back afterwards.
  await mailOf('a').set({ state: 'failed', reason: 'It came back: no such user' }).execute();
  expect(await again('a')).toEqual({ ok: false, reason: 'stale' });
});

test('P80: what did not arrive yet of a message to a course date is withdrawn when the date is moved, not when its deadline is', async () => {
  const { session, actor, now, again } = await threeWritten();
  const move = (changed: Partial<SessionTimes>) =>
    inTrx(async (trx) => {
      const locked = (await lockSessions(trx, [session.id], afterwards.now)).get(session.id);
      if (!locked) return expect.unreachable('there is no such date');
      const times = { ...(await timesOf(trx, locked)), ...changed };
      return moveSessionForAll(trx, { sessionId: locked, times, actor }, afterwards);
    });
  expect(await move({ enrolmentEnds: '2025-10-31' })).toMatchObject({ ok: true });
  expect(await now()).toEqual(['sent: ', 'failed: ', 'waits: ']);
  expect(await move({ startTime: '10:00' })).toMatchObject({ ok: true });
  const why = 'withdrawn: The course date was moved after this was written';
  expect(await now()).toEqual(['sent: ', 'failed: ', why]);
  expect(await again('b')).toEqual({ ok: false, reason: 'stale' });
});

test('P80: an email that is for another date as well goes out when one of the two is moved', async () => {
  const { db } = database;
  const buyer = { name: 'Mary Shelley', email: 'mary@buyers.example', phone: null };
  const [moved, other] = [
    await makeSession(db, { startsOn: '2025-11-24' }),
    await makeSession(db, { startsOn: '2025-12-08' }),
  ];
  const ids: number[] = [];
  for (const session of [moved, other]) ids.push((await placeIn(db, session, { buyer })).enrolmentId);
  const { actor } = await makeStaff(db, { email: 'ada@example.com', name: 'Ada' }, pressed.now);
  await db.deleteFrom('mails').execute();
  await writeTo(ids, ['buyers'], actor, 'Hello, our new number is 07 3000 0000.');
  await doRuns(db, later);
  const states = async () =>
    (await db.selectFrom('mails').select('state').where('kind', '=', 'place-message').execute()).map(
      ({ state }) => state,
    );
  expect(await states()).toEqual(['queued']);
  await inTrx((trx) => cancelSessionAndAsk(trx, moved.id, actor, afterwards));
  expect(await states()).toEqual(['queued']);
});

test('P79: a run that was stopped says that no email about its course date was written', async () => {
  const { ids, actor } = await enrolled(['a', 'b']);
  const runId = await writeTo(ids, ['attendees'], actor);
  await inTrx((trx) => stopRun(trx, { runId, actor }, between));
  expect(await runDates(database.db, actor, runId)).toMatchObject([{ done: 0, all: 2 }]);
});

test('P23: erasing somebody whom a message to others names keeps nobody from getting it, and its words go when it is over', async () => {
  const { db } = database;
  const { ids, actor } = await enrolled(['a', 'b']);
  const other = await makeSession(db, { startsOn: '2025-12-01' });
  const ann = { name: 'Ann Lee', email: 'ann@buyers.example', phone: null };
  await placeIn(db, other, {
    buyer: ann,
    attendees: [attendee({ name: 'Your Course', email: 'your@attend.example' })],
  });
  await db.deleteFrom('mails').execute();
  await writeTo(ids, ['attendees'], actor, 'Ask for Joann Leeds at the door.');
  await writeTo(ids, ['attendees'], actor, 'Ask for Ann Lee (room 4).');
  const erase = { dataDir: '/nonexistent', at: between.now };
  expect((await erasePerson(db, 'ann@buyers.example', erase)).counts['acts on many']).toBe(0);
  await doRuns(db, later);
  expect(await mailed()).toHaveLength(4);
  expect(await expireRunWordsDaily(db, 30, later.now)).toBe(1);
  const bodies = await db.selectFrom('bulk_runs').select('body').orderBy('id').execute();
  expect(bodies.map(({ body }) => body)).toEqual(['Ask for Joann Leeds at the door.', null]);
});
