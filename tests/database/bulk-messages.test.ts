import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import type { CourseDateTimes } from '#app/features/course-dates/changed-times.ts';
import { timesOf } from '#app/features/course-dates/course-date-times.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { addAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { moveCourseDateForAll } from '#app/features/enrolments/waiting/move-course-date.server.ts';
import { planKey, sendMessage, takeBack } from '#app/features/inbox/bulk-actions/press.server.ts';
import { messagesTo } from '#app/features/inbox/bulk-actions/queries.server.ts';
import { type Audience, type ChosenRecords, recipientsOf } from '#app/features/inbox/bulk-actions/recipients.server.ts';
import { openInvoices } from '#app/features/money/accounts.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { resendMail } from '#app/outbox/failed-mail.server.ts';
import { attendee, makeCourseDate, momentAt, placeIn, seatIn } from '#tests/support/enrolments.ts';
import { mailLinks } from '#tests/support/mail-links.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';
import { torture } from '#tests/support/torture.ts';

// Messages to the people of chosen enrolments, waiting entries and course dates (P80, P101).
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const pressed = momentAt('2025-09-25T09:00');
const seconds = (count: number) => ({ ...pressed, now: new Date(pressed.now.getTime() + count * 1000) });
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

type Actor = ReturnType<typeof staffActor>;
async function staff(): Promise<Actor> {
  const { actor } = await makeStaff(database.db, { email: 'desk@example.com', name: 'Desk' }, pressed.now);
  // A buyer who names the same address again and again is believed by nobody; here they are.
  await database.db.updateTable('attendees').set({ told: true }).execute();
  await database.db.deleteFrom('mails').execute();
  return actor;
}

/** A course date with an enrolment of one buyer for attendees with these addresses. */
async function dateOf(emails: readonly (string | null)[], startsOn = '2025-11-24') {
  const courseDate = await makeCourseDate(database.db, { startsOn, capacity: 20 });
  const attendees = emails.map((email, at) => attendee({ name: `Mary${'abcdefg'[at]} Shelley`, email }));
  const buyer = { name: 'Ada Byron', email: 'ada@buyers.example', phone: null };
  const { enrolmentId } = await placeIn(database.db, courseDate, { buyer, attendees });
  return { id: courseDate.id, enrolmentId };
}

type Wish = { to?: readonly Audience[]; marketing?: boolean; actor: Actor };
const peopleOf = (records: ChosenRecords, { to = ['attendees'], marketing = false }: Omit<Wish, 'actor'> = {}) =>
  recipientsOf(database.db, records, { to, marketing, today: pressed.today });
const leftOutOf = async (records: ChosenRecords, wish: Omit<Wish, 'actor'> = {}) =>
  (await peopleOf(records, wish)).map(({ email, leftOut }) => [email, leftOut]);
const datesOf = (...ids: number[]): ChosenRecords => ({ of: 'course-dates', ids });

async function write(records: ChosenRecords, wish: Wish, expects?: string) {
  const { to = ['attendees'], marketing = false, actor } = wish;
  const message = { subject: 'The room', body: 'Hello {first name}, on {date} we start early.', marketing };
  const shown = expects ?? planKey(await peopleOf(records, { to, marketing }));
  return inTrx((trx) => sendMessage(trx, { records, to, message, actor, expects: shown }, pressed));
}
const mails = async () =>
  (
    await database.db
      .selectFrom('mails')
      .selectAll()
      .where('bulk_action', 'is not', null)
      .orderBy('recipient')
      .execute()
  ).map(({ recipient, body_text, state, reason, kind }) => ({ recipient, body_text, state, reason, kind }));
const recipients = async () => (await mails()).map(({ recipient }) => recipient);
const reasons = async () => (await mails()).map(({ state, reason }) => reason ?? state);

test('P80: each person of a course date gets a message once, with their own name', async () => {
  const { id } = await dateOf(['a@example.org', 'b@example.org']);
  expect(await write(datesOf(id), { actor: await staff() })).toMatchObject({ ok: true, emails: 2 });
  const [first, second] = await mails();
  expect(first).toMatchObject({ recipient: 'a@example.org', kind: 'place-message', state: 'queued' });
  expect(first?.body_text).toMatch(/Hello Marya, on .*24 to 28 November 2025/);
  expect(second?.body_text).toContain('Hello Maryb,');
});

test('P80: people without an address, with the address of another or with one that failed are left out', async () => {
  const { id } = await dateOf(['a@example.org', null, 'A@example.org', 'f@example.org']);
  await staff();
  await database.db
    .insertInto('mails')
    .values({
      ...{ kind: 'sample', recipient: 'F@example.org', subject: 'x', body_text: 'x', body_html: 'x', headers: '{}' },
      ...{ state: 'failed', settled_at: pressed.now, reason: 'no such user' },
    })
    .execute();
  expect((await leftOutOf(datesOf(id))).map(([, why]) => why)).toEqual([null, 'no-address', 'same-address', 'bounced']);
});

test('P80: news and offers go to nobody without a consent', async () => {
  const { id } = await dateOf(['a@example.org']);
  const actor = await staff();
  expect(await leftOutOf(datesOf(id), { marketing: true })).toEqual([['a@example.org', 'no-consent']]);
  expect(await write(datesOf(id), { marketing: true, actor })).toEqual({ ok: false, reason: 'nobody' });
});

test('P101: an address gets one email about the first of the ticked dates, and a buyer none beside an attendee', async () => {
  const first = await dateOf(['mary@example.org'], '2025-11-24');
  const second = await dateOf(['mary@example.org', 'ada@buyers.example'], '2025-12-01');
  const actor = await staff();
  const wish = { to: ['attendees', 'buyers'] as const, actor };
  expect(await write(datesOf(first.id, second.id), wish)).toMatchObject({ ok: true, emails: 2 });
  const texts = (await mails()).map(({ recipient, body_text }) => [
    recipient,
    /on .*? to (.*?) 2025/.exec(body_text)?.[1],
  ]);
  expect(texts).toEqual([
    ['ada@buyers.example', '5 December'],
    ['mary@example.org', '28 November'],
  ]);
});

test('P80: a message to chosen enrolments names the course that is on or comes next', async () => {
  const { db } = database;
  const { enrolmentId } = await dateOf(['ada@example.org']);
  const early = await makeCourseDate(db, { startsOn: '2025-10-06' });
  const [{ openCents: shownCents } = expect.unreachable()] = await openInvoices(db, enrolmentId);
  const addition = { enrolmentId, choices: [seatIn(early)], attendee: attendee(), shownCents, actor: theProgram };
  expect(await inTrx((trx) => addAttendee(trx, addition, pressed))).toMatchObject({ ok: true });
  const named = async (today: string) => {
    const wanted = { to: ['buyers'], marketing: false, today } as const;
    return (await recipientsOf(db, { of: 'enrolments', ids: [enrolmentId] }, wanted))[0]?.course.when;
  };
  expect(await named('2025-10-10')).toContain('6 to 10 October');
  expect(await named('2025-10-11')).toContain('24 to 28 November');
});

torture('P101: more than 500 people are refused', async () => {
  const { id } = await dateOf([]);
  const actor = await staff();
  await sql`insert into waiting_entries (reference, course_date_id, course_id, seats, name, email, mailbox,
      joined_at, confirmed_at)
    select 'BB-' || translate(lpad(n::text, 6, '0'), '01', 'AB'), ${id}, course_id, 1, 'Mary', 'm' || n || '@wait.example', 'm' || n || '@wait.example', now(), now()
    from course_dates, generate_series(1, 501) as n where id = ${id}`.execute(database.db);
  expect(await write(datesOf(id), { to: ['waiting'], actor })).toEqual({ ok: false, reason: 'too-many' });
  await sql`delete from waiting_entries where email = 'm501@wait.example'`.execute(database.db);
  expect(await write(datesOf(id), { to: ['waiting'], actor })).toMatchObject({ ok: true, emails: 500 });
});

test('P80: the same people of another date than the page showed are refused', async () => {
  const first = await dateOf(['mary@example.org'], '2025-11-24');
  const second = await dateOf(['mary@example.org'], '2025-12-01');
  const actor = await staff();
  const shown = planKey(await peopleOf(datesOf(first.id)));
  expect(await write(datesOf(second.id), { actor }, shown)).toEqual({ ok: false, reason: 'changed' });
});

const move = (id: number, changed: Partial<CourseDateTimes>, actor: Actor) =>
  inTrx(async (trx) => {
    const locked = (await lockCourseDates(trx, [id], seconds(30).now)).get(id);
    if (!locked) return expect.unreachable('there is no such date');
    const times = { ...(await timesOf(trx, locked)), ...changed };
    return moveCourseDateForAll(trx, { courseDate: locked, times, actor }, seconds(30));
  });

test('P80: a date that was moved or cancelled between the look and the press refuses the press', async () => {
  const { id } = await dateOf(['mary@example.org']);
  const actor = await staff();
  const shown = planKey(await peopleOf(datesOf(id)));
  await move(id, { startTime: '10:00' }, actor);
  expect(await write(datesOf(id), { actor }, shown)).toEqual({ ok: false, reason: 'changed' });
  const again = planKey(await peopleOf(datesOf(id)));
  await inTrx((trx) => cancelCourseDateAndAsk(trx, id, actor, seconds(40)));
  expect(await write(datesOf(id), { actor }, again)).toEqual({ ok: false, reason: 'changed' });
});

test('P80: a waiting message is dropped when its date is cancelled; a later one is not', async () => {
  const { id } = await dateOf(['a@example.org', 'b@example.org']);
  const actor = await staff();
  await write(datesOf(id), { actor });
  await inTrx((trx) => cancelCourseDateAndAsk(trx, id, actor, seconds(30)));
  const why = 'The course date was cancelled after this was written';
  expect(await reasons()).toEqual([why, why]);
  expect(await write(datesOf(id), { actor })).toMatchObject({ ok: true, emails: 2 });
});

test('P80: a message that waits is dropped when its date is moved, not when its deadline is', async () => {
  const { id } = await dateOf(['a@example.org']);
  const actor = await staff();
  await write(datesOf(id), { actor });
  await move(id, { enrolmentEnds: '2025-10-31' }, actor);
  expect(await reasons()).toEqual(['queued']);
  await move(id, { startTime: '10:00' }, actor);
  expect(await reasons()).toEqual(['The course date was moved after this was written']);
});

test('P80: a message that did not arrive is not sent again once its date was cancelled', async () => {
  const { db } = database;
  const { id } = await dateOf(['a@example.org']);
  const actor = await staff();
  await write(datesOf(id), { actor });
  await db
    .updateTable('mails')
    .set({ state: 'failed', reason: '550', settled_at: seconds(61).now })
    .execute();
  await inTrx((trx) => cancelCourseDateAndAsk(trx, id, actor, seconds(70)));
  expect(await reasons()).toEqual(['550']);
  const mail = await db.selectFrom('mails').select('id').where('bulk_action', 'is not', null).executeTakeFirstOrThrow();
  const resent = await inTrx((trx) => resendMail(trx, mail.id, seconds(80).now, mailLinks()));
  expect(resent).toEqual({ ok: false, reason: 'stale' });
});

test('P80: a date that is cancelled while a message is being pressed waits, and withdraws it', async () => {
  const { db } = database;
  const { id } = await dateOf(['a@example.org']);
  const actor = await staff();
  const expects = planKey(await peopleOf(datesOf(id)));
  const message = { subject: 'The room', body: 'Hello', marketing: false };
  const asked = { records: datesOf(id), to: ['attendees'] as const, message, actor, expects };
  let cancelled: Promise<unknown> = Promise.resolve();
  await inTrx(async (trx) => {
    expect(await sendMessage(trx, asked, pressed)).toMatchObject({ ok: true });
    cancelled = inTrx((other) => cancelCourseDateAndAsk(other, id, actor, seconds(1)));
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    await expect.poll(async () => (await waiting()).rows.length).toBe(1);
  });
  expect(await cancelled).toMatchObject({ ok: true });
  expect(await reasons()).toEqual(['The course date was cancelled after this was written']);
});

test('P101: a message is taken back as a whole', async () => {
  const { id } = await dateOf(['a@example.org', 'b@example.org']);
  const actor = await staff();
  const sent = await write(datesOf(id), { actor });
  if (!sent.ok) return expect.unreachable(sent.reason);
  expect(await inTrx((trx) => takeBack(trx, { number: sent.number, actor }, pressed))).toEqual({ ok: true });
  expect(await reasons()).toEqual(['Taken back by Desk', 'Taken back by Desk']);
});

test('the messages to a course date are those whose emails name it', async () => {
  const first = await dateOf(['mary@example.org'], '2025-11-24');
  const other = await dateOf(['percy@example.org'], '2025-12-01');
  const actor = await staff();
  await write({ of: 'enrolments', ids: [first.enrolmentId] }, { actor });
  const subjects = async (id: number) => (await messagesTo(database.db, actor, [id])).map(({ subject }) => subject);
  expect(await subjects(first.id)).toEqual(['The room']);
  expect(await subjects(other.id)).toEqual([]);
});

test('P68: an instructor, an editor and a reader cannot write to course dates', async () => {
  const { id } = await dateOf(['a@example.org']);
  const { person } = await staff();
  for (const role of ['instructor', 'reader', 'editor'] as const) {
    await expect(write(datesOf(id), { actor: staffActor(person, role) }), role).rejects.toThrow();
  }
  expect(await recipients()).toEqual([]);
});
