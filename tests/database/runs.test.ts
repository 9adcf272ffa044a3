import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelSessionAndAsk } from '#app/features/enrolments/session-changes.server.ts';
import { continueRun, startMessage, stopRun } from '#app/features/runs/commands.server.ts';
import { doRuns } from '#app/features/runs/jobs.server.ts';
import { whoGets } from '#app/features/runs/message.server.ts';
import { runsUnderWay } from '#app/features/runs/queries.server.ts';
import type { Audience } from '#app/features/runs/recipients.server.ts';
import { lockSessions } from '#app/features/seats/commands.server.ts';
import type { SessionTimes } from '#app/features/sessions/changed-times.ts';
import { timesOf } from '#app/features/sessions/session-times.server.ts';
import { moveSessionForAll } from '#app/features/waiting/move-session.server.ts';
import { attendee, makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';

// Acts on many (P79) and messages to a course date (P80).
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const opening = momentAt('2025-09-08T09:00');
const aMinuteLater = momentAt('2025-09-08T09:01');
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
const message = { subject: 'Bring a laptop', body: 'Hello {first name},\n\nsee you at {course}.', marketing: false };

async function classOf(emails: readonly (string | null)[]) {
  const session = await makeSession(database.db, { startsOn: '2025-11-24', capacity: 20 });
  const attendees = emails.map((email, at) => attendee({ name: `Mary${'abcdefg'[at]} Shelley`, email }));
  await placeIn(database.db, session, { attendees });
  const { actor } = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, opening.now);
  await database.db.deleteFrom('mails').execute();
  return { session, actor };
}

async function written(emails: readonly (string | null)[], to: readonly Audience[] = ['attendees']) {
  const { session, actor } = await classOf(emails);
  const asked = { sessionId: session.id, message, to, dueAt: null, actor };
  const started = await inTrx((trx) => startMessage(trx, asked, opening));
  if (!started.ok) return expect.unreachable(started.reason);
  return { session, actor, runId: started.runId, count: started.count };
}
const mailed = async () =>
  (await database.db.selectFrom('mails').select('recipient').orderBy('recipient').execute()).map(
    ({ recipient }) => recipient,
  );
const items = () => database.db.selectFrom('bulk_run_items').select(['id', 'state', 'why']).orderBy('id').execute();
const states = async () => (await items()).map(({ state, why }) => why ?? state);

test('P79: nothing goes out for 60 seconds; then each person gets it once, with their own name', async () => {
  await written(['a@example.org', 'b@example.org']);
  expect(await doRuns(database.db, momentAt('2025-09-08T09:00'))).toBe(0);
  expect(await mailed()).toEqual([]);
  expect(await doRuns(database.db, aMinuteLater)).toBe(2);
  expect(await doRuns(database.db, aMinuteLater)).toBe(0);
  expect(await mailed()).toEqual(['a@example.org', 'b@example.org']);
  const [first] = await database.db
    .selectFrom('mails')
    .select(['body_text', 'kind', 'about_kind'])
    .orderBy('recipient')
    .execute();
  expect(first).toMatchObject({ kind: 'place-message', about_kind: 'enrolment' });
  expect(first?.body_text).toContain('Hello Marya,');
  const run = await database.db.selectFrom('bulk_runs').select('ended_at').executeTakeFirstOrThrow();
  expect(run.ended_at).toEqual(aMinuteLater.now);
});

test('P79: taken back within the minute, nothing is sent, and it cannot be stopped twice', async () => {
  const { runId, actor } = await written(['a@example.org', 'b@example.org']);
  expect(await inTrx((trx) => stopRun(trx, { runId, actor }, opening))).toEqual({ ok: true, done: 0, undone: 2 });
  expect(await doRuns(database.db, aMinuteLater)).toBe(0);
  expect(await mailed()).toEqual([]);
  expect(await inTrx((trx) => stopRun(trx, { runId, actor }, opening))).toEqual({ ok: false, reason: 'over' });
});

test('P79: a process that is killed in the middle of an item leaves it undone, and the next one does what is left once', async () => {
  await written(['a@example.org', 'b@example.org', 'c@example.org']);
  const { db } = database;
  const waits = () =>
    sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  await inTrx(async (trx) => {
    // Its mail cannot be stored while this is held, so that is where it is killed.
    await sql`lock table mails in exclusive mode`.execute(trx);
    const killed = doRuns(db, aMinuteLater).catch(() => 'killed');
    await expect.poll(async () => (await waits()).rows.length).toBe(1);
    await sql`select pg_terminate_backend(${(await waits()).rows[0]?.pid ?? 0})`.execute(trx);
    expect(await killed).toBe('killed');
  });
  expect(await states()).toEqual(['to-do', 'to-do', 'to-do']);
  expect(await mailed()).toEqual([]);
  expect(await doRuns(db, aMinuteLater)).toBe(3);
  expect(await mailed()).toEqual(['a@example.org', 'b@example.org', 'c@example.org']);
});

test('P79: two processes at once do not take one item twice', async () => {
  await written(['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org']);
  const both = await Promise.all([doRuns(database.db, aMinuteLater), doRuns(database.db, aMinuteLater)]);
  await doRuns(database.db, aMinuteLater);
  expect((both[0] ?? 0) + (both[1] ?? 0)).toBe(4);
  expect(await mailed()).toEqual(['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org']);
});

test('P79: stopped half way, what was sent is counted, and the rest is not sent', async () => {
  const { runId, actor } = await written(['a@example.org', 'b@example.org', 'c@example.org']);
  const [, second, third] = await items();
  const rest = [second?.id ?? 0, third?.id ?? 0];
  // The first is done, while others hold the other two.
  await inTrx(async (trx) => {
    await trx.selectFrom('bulk_run_items').select('id').where('id', 'in', rest).forUpdate().execute();
    expect(await doRuns(database.db, aMinuteLater)).toBe(1);
  });
  expect(await inTrx((trx) => stopRun(trx, { runId, actor }, aMinuteLater))).toEqual({ ok: true, done: 1, undone: 2 });
  expect(await doRuns(database.db, aMinuteLater)).toBe(0);
  expect(await states()).toEqual(['done', 'to-do', 'to-do']);
  // What is left is sent after another minute, and nobody gets it twice.
  expect(await inTrx((trx) => continueRun(trx, { runId, actor }, aMinuteLater))).toEqual({ ok: true, count: 2 });
  expect(await inTrx((trx) => continueRun(trx, { runId, actor }, aMinuteLater))).toEqual({
    ok: false,
    reason: 'not-stopped',
  });
  expect(await doRuns(database.db, aMinuteLater)).toBe(0);
  expect(await doRuns(database.db, momentAt('2025-09-08T09:02'))).toBe(2);
  expect(await mailed()).toEqual(['a@example.org', 'b@example.org', 'c@example.org']);
});

test('P79: a scheduled run that was stopped and continued keeps its time, and is done by whoever continues it', async () => {
  const { session, actor } = await classOf(['a@example.org']);
  const dueAt = momentAt('2025-11-24T07:00').now;
  const asked = { sessionId: session.id, message, to: ['attendees' as const], dueAt, actor };
  const started = await inTrx((trx) => startMessage(trx, asked, opening));
  if (!started.ok) return expect.unreachable(started.reason);
  const { runId } = started;
  await inTrx((trx) => stopRun(trx, { runId, actor }, opening));
  const { actor: bob } = await makeStaff(database.db, { email: 'bob@example.com', name: 'Bob' }, opening.now);
  // Ada leaves.
  await database.db.deleteFrom('staff_roles').where('person_id', '=', actor.person.id).execute();
  expect(await inTrx((trx) => continueRun(trx, { runId, actor: bob }, aMinuteLater))).toEqual({ ok: true, count: 1 });
  expect(await doRuns(database.db, momentAt('2025-11-24T06:59'))).toBe(0);
  expect(await doRuns(database.db, momentAt('2025-11-24T07:00'))).toBe(1);
  expect(await mailed()).toEqual(['a@example.org']);
});

test('P79: a run whose words were erased, or of which nothing is left, is not continued', async () => {
  const { runId, actor } = await written(['a@example.org']);
  await inTrx((trx) => stopRun(trx, { runId, actor }, opening));
  const again = () => inTrx((trx) => continueRun(trx, { runId, actor }, opening));
  await database.db.updateTable('bulk_run_items').set({ state: 'done', settled_at: opening.now }).execute();
  expect(await again()).toEqual({ ok: false, reason: 'nobody' });
  const erased = { subject: null, body: null, words_erased_at: opening.now };
  await database.db.updateTable('bulk_runs').set(erased).execute();
  expect(await again()).toEqual({ ok: false, reason: 'words-erased' });
});

test('P79: who asks for the same while it has not gone out is told whose act it is in, and when it begins', async () => {
  const { runId, session, actor } = await written(['a@example.org', 'b@example.org']);
  const gets = await whoGets(database.db, session.id, { to: ['attendees', 'buyers'], marketing: false });
  const others = (acts: readonly ('message' | 'remind')[]) => runsUnderWay(database.db, actor, acts, gets);
  expect(await others(['message'])).toEqual([{ id: runId, by: 'Ada', dueAt: aMinuteLater.now, count: 2 }]);
  expect(await others(['remind'])).toEqual([]);
  await doRuns(database.db, aMinuteLater);
  expect(await others(['message'])).toEqual([]);
});

test('P80: a person who left the course date between the press and the sending is left out, and the run says so', async () => {
  const { session } = await written(['a@example.org', 'b@example.org']);
  const other = await makeSession(database.db, { startsOn: '2026-02-02' });
  const place = await database.db
    .selectFrom('places')
    .select('id')
    .where('training_session_id', '=', session.id)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await database.db.updateTable('places').set({ training_session_id: other.id }).where('id', '=', place.id).execute();
  await doRuns(database.db, aMinuteLater);
  expect(await states()).toEqual(['gone', 'done']);
  expect(await mailed()).toEqual(['b@example.org']);
});

test('P80: what was written to a course date that is cancelled before it goes out reaches nobody; what is written afterwards does', async () => {
  const { session, actor } = await written(['a@example.org', 'b@example.org']);
  const halfAMinuteLater = { ...opening, now: new Date('2025-09-07T23:00:30Z') };
  await inTrx((trx) => cancelSessionAndAsk(trx, session.id, actor, halfAMinuteLater));
  await database.db.deleteFrom('mails').execute();
  expect(await doRuns(database.db, aMinuteLater)).toBe(2);
  expect(await states()).toEqual(['date-cancelled', 'date-cancelled']);
  expect(await mailed()).toEqual([]);
  const asked = { sessionId: session.id, message, to: ['attendees'] as const, dueAt: null, actor };
  expect(await inTrx((trx) => startMessage(trx, asked, aMinuteLater))).toMatchObject({ ok: true, count: 2 });
  expect(await doRuns(database.db, momentAt('2025-09-08T09:02'))).toBe(2);
  expect(await mailed()).toEqual(['a@example.org', 'b@example.org']);
});

test('P80: what was written to a course date that is moved before it goes out reaches nobody; a change of its deadline matters to no text', async () => {
  const { session, actor } = await written(['a@example.org', 'b@example.org']);
  const halfAMinuteLater = { ...opening, now: new Date('2025-09-07T23:00:30Z') };
  const move = (changed: Partial<SessionTimes>) =>
    inTrx(async (trx) => {
      const locked = (await lockSessions(trx, [session.id], opening.now)).get(session.id);
      if (!locked) throw new Error('there is no such session');
      const times = { ...(await timesOf(trx, locked)), ...changed };
      return moveSessionForAll(trx, { sessionId: locked, times, actor }, halfAMinuteLater);
    });
  expect(await move({ enrolmentEnds: '2025-10-31' })).toMatchObject({ ok: true });
  const [first] = await items();
  await inTrx(async (trx) => {
    await trx
      .selectFrom('bulk_run_items')
      .select('id')
      .where('id', '>', first?.id ?? 0)
      .forUpdate()
      .execute();
    expect(await doRuns(database.db, aMinuteLater)).toBe(1);
  });
  expect(await move({ startTime: '10:00' })).toMatchObject({ ok: true });
  expect(await doRuns(database.db, aMinuteLater)).toBe(1);
  expect(await states()).toEqual(['done', 'date-moved']);
});

test('P80: who has no address, whose mail failed, and who has an address twice, are left out by name', async () => {
  const { session } = await classOf(['a@example.org', null, 'A@example.org', 'f@example.org']);
  await database.db
    .insertInto('mails')
    .values({
      kind: 'sample',
      recipient: 'f@example.org',
      subject: 'x',
      body_text: 'x',
      body_html: 'x',
      headers: '{}',
      state: 'failed',
      settled_at: opening.now,
      reason: 'no such user',
    })
    .execute();
  const gets = await whoGets(database.db, session.id, { to: ['attendees'], marketing: false });
  expect(gets.map(({ leftOut }) => leftOut)).toEqual([null, 'no-address', 'same-address', 'bounced']);
});

test('P80: news and offers go to nobody without a consent; a message about the course date needs none', async () => {
  const { session, actor } = await classOf(['a@example.org']);
  const asked = { sessionId: session.id, to: ['attendees'] as const, dueAt: null, actor };
  const news = { ...asked, message: { ...message, marketing: true } };
  expect(await inTrx((trx) => startMessage(trx, news, opening))).toEqual({ ok: false, reason: 'nobody' });
  expect(await inTrx((trx) => startMessage(trx, { ...asked, message }, opening))).toMatchObject({ ok: true, count: 1 });
});

test('an instructor and a reader cannot write to a course date', async () => {
  const { session, actor } = await classOf(['a@example.org']);
  for (const role of ['instructor', 'reader', 'editor'] as const) {
    const asked = {
      sessionId: session.id,
      message,
      to: ['attendees'] as const,
      dueAt: null,
      actor: staffActor(actor.person, role),
    };
    await expect(
      inTrx((trx) => startMessage(trx, asked, opening)),
      role,
    ).rejects.toThrow();
  }
});
