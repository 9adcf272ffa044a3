import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { addAttendee } from '#app/features/enrolments/add-attendee.server.ts';
import { agreeOnInstalments } from '#app/features/enrolments/agree-instalments.server.ts';
import { askForNames } from '#app/features/enrolments/ask-names.server.ts';
import { changeAttendee } from '#app/features/enrolments/change-attendee.server.ts';
import { openInvoices } from '#app/features/money/open-invoices.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import type { EnrolmentAct } from '#app/features/runs/acts.ts';
import { buyersOf, planEnrolments } from '#app/features/runs/chosen-enrolments.server.ts';
import { chosenRecipient, chosenRecipients } from '#app/features/runs/chosen-recipients.server.ts';
import { planKey, startForEnrolments, startWriting, stopRun } from '#app/features/runs/commands.server.ts';
import { doRuns } from '#app/features/runs/jobs.server.ts';
import { expireRunWordsDaily } from '#app/features/runs/personal-records.server.ts';
import { findRun } from '#app/features/runs/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { leftOutWords } from '#app/routes/staff/runs/message-labels.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { attendee, makeSession, momentAt, placeIn, seatIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';

// Acts on enrolments that staff chose in a list (P79). What is placed on 8 September is due on the 22nd.
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const pressed = momentAt('2025-09-25T09:00');
const later = momentAt('2025-09-25T09:01');
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

type Member = Awaited<ReturnType<typeof makeStaff>>;
let ada: Member;

/** Enrolments of one attendee each, with or without a name, by buyers of their own. */
async function enrolmentsOf(names: readonly (string | null)[]) {
  const { db } = database;
  const session = await makeSession(db, { startsOn: '2025-11-24', capacity: 20 });
  const ids: number[] = [];
  for (const [at, name] of names.entries()) {
    const buyer = { name: `Mary${'abcdefg'[at]} Shelley`, email: `${'abcdefg'[at]}@buyers.example`, phone: null };
    const attendees = [attendee({ name, email: name && `${'abcdefg'[at]}@attend.example` })];
    ids.push((await placeIn(db, session, { buyer, attendees })).enrolmentId);
  }
  ada = await makeStaff(db, { email: 'ada@example.com', name: 'Ada' }, pressed.now);
  await db.deleteFrom('mails').execute();
  return { session, ids };
}

type More = { until: string; reason: string } | null;

async function press(act: EnrolmentAct, ids: readonly number[], more: More = null, moment: Moment = pressed) {
  const plan = await planEnrolments(database.db, ids, { act, until: more?.until ?? null }, moment);
  const asked = { act, ids, more, actor: ada.actor, form: crypto.randomUUID(), expects: planKey(plan) };
  return inTrx((trx) => startForEnrolments(trx, asked, moment));
}
const mailed = async (kind: string) =>
  (
    await database.db.selectFrom('mails').select('recipient').where('kind', '=', kind).orderBy('recipient').execute()
  ).map(({ recipient }) => recipient);
const outcomes = async () =>
  (await database.db.selectFrom('bulk_run_items').select(['state', 'why']).orderBy('id').execute()).map(
    ({ state, why }) => why ?? state,
  );

test('P79: each buyer who owes is reminded once, the record says who did it, and two people who chose the same cannot remind twice', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper', 'Mary Wollstonecraft']);
  const [a = 0, b = 0, c = 0] = ids;
  expect(await press('remind', [a, b])).toMatchObject({ ok: true, count: 2 });
  expect(await press('remind', [b, c])).toMatchObject({ ok: true, count: 2 });
  expect(await doRuns(database.db, pressed)).toBe(0);
  expect(await doRuns(database.db, later)).toBe(4);
  expect(await mailed('payment-reminder')).toEqual(['a@buyers.example', 'b@buyers.example', 'c@buyers.example']);
  expect(await outcomes()).toEqual(['done', 'done', 'reminded', 'done']);
  // The run had its minute: what it says was sent cannot be taken back one by one.
  const taken = database.db
    .selectFrom('mails')
    .select('id')
    .where('kind', '=', 'payment-reminder')
    .where('can_take_back', '=', true);
  expect(await taken.execute()).toEqual([]);
  const trace = await database.db
    .selectFrom('audit_entries')
    .select('person_id')
    .where('action', '=', 'remind')
    .execute();
  expect(trace).toEqual([ada.id, ada.id, ada.id].map((person_id) => ({ person_id })));
  // On the next days the page leaves them out, and the reminders by the program count as well.
  const plan = (day: string) =>
    planEnrolments(database.db, ids, { act: 'remind', until: null }, momentAt(`${day}T09:00`));
  expect((await plan('2025-09-27')).map(({ leftOut }) => leftOut)).toEqual(['reminded', 'reminded', 'reminded']);
  expect((await plan('2025-09-28')).map(({ leftOut }) => leftOut)).toEqual([null, null, null]);
});

test('P79: a buyer whose reminder did not arrive is left out for that, and had none once the address is another one', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron']);
  const { db } = database;
  await press('remind', ids);
  await doRuns(db, later);
  await db.updateTable('mails').set({ state: 'failed', settled_at: later.now, reason: '550 no such user' }).execute();
  const plan = async () =>
    (await planEnrolments(db, ids, { act: 'remind', until: null }, momentAt('2025-09-26T09:00'))).map(
      ({ leftOut }) => leftOut,
    );
  expect(await plan()).toEqual(['bounced']);
  await db.updateTable('enrolments').set({ email: 'new@buyers.example', mailbox: 'new@buyers.example' }).execute();
  expect(await plan()).toEqual([null]);
});

test('P79: who was asked for names by an email that did not arrive is asked again at the corrected address', async () => {
  const { ids } = await enrolmentsOf([null]);
  const { db } = database;
  await press('ask-names', ids);
  await doRuns(db, later);
  const plan = async () =>
    (await planEnrolments(db, ids, { act: 'ask-names', until: null }, momentAt('2025-09-26T09:00'))).map(
      ({ leftOut }) => leftOut,
    );
  expect(await plan()).toEqual(['asked']);
  await db.updateTable('mails').set({ state: 'failed', settled_at: later.now, reason: '550 no such user' }).execute();
  await db.updateTable('enrolments').set({ email: 'new@buyers.example', mailbox: 'new@buyers.example' }).execute();
  expect(await plan()).toEqual([null]);
});

test('P79: a buyer whose last email did not arrive gets more time too, and is named; the run knows its letters', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const { db } = database;
  await db
    .insertInto('mails')
    .values({
      ...{ kind: 'sample', recipient: 'A@buyers.example', subject: 'x', body_text: 'x', body_html: 'x', headers: '{}' },
      ...{ state: 'failed', settled_at: pressed.now, reason: '550 no such user' },
    })
    .execute();
  const more = { until: '2025-10-20', reason: 'They asked' };
  const plan = await planEnrolments(db, ids, { act: 'more-time', until: more.until }, pressed);
  expect(plan.map(({ leftOut, untold }) => [leftOut, untold])).toEqual([
    [null, true],
    [null, false],
  ]);
  const run = await press('more-time', ids, more);
  if (!run.ok) return expect.unreachable(run.reason);
  await doRuns(db, later);
  expect(await findRun(db, ada.actor, run.runId)).toMatchObject({ done: 2, emails: { waits: 2, unknown: 0 } });
  // P39, P83: the letter says what a reminder would say.
  const remind = async (moment: Moment) =>
    (await planEnrolments(db, ids, { act: 'remind', until: null }, moment)).map(({ leftOut }) => leftOut);
  expect(await remind(momentAt('2025-09-27T09:00'))).toEqual(['bounced', 'agreed']);
  expect(await remind(momentAt('2025-09-28T09:00'))).toEqual(['bounced', null]);
  // A letter that did not arrive says nothing.
  const letters = db.updateTable('mails').set({ state: 'failed', settled_at: later.now, reason: 'x' });
  await letters
    .where('kind', '=', 'instalments-agreed')
    .where('about_id', '=', ids[1] ?? 0)
    .execute();
  await db
    .updateTable('enrolments')
    .set({ email: 'right@buyers.example' })
    .where('id', '=', ids[1] ?? 0)
    .execute();
  expect(await remind(momentAt('2025-09-27T09:00'))).toEqual(['bounced', null]);
});

test('P79: nobody is reminded or given more time while a card payment they completed is on its way', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron']);
  const { db } = database;
  const [enrolmentId = 0] = ids;
  const plan = async (act: EnrolmentAct) =>
    (await planEnrolments(db, ids, { act, until: '2025-10-30' }, pressed)).map(({ leftOut }) => leftOut);
  expect([await plan('remind'), await plan('more-time')]).toEqual([[null], [null]]);
  await press('more-time', ids, { until: '2025-10-30', reason: 'They asked' });
  await db
    .insertInto('card_checkouts')
    .values({
      key: crypto.randomUUID(),
      enrolment_id: enrolmentId,
      stripe_id: 'cs_1',
      amount_cents: 549_900,
      state: 'processing',
      expires_at: momentAt('2025-09-25T20:00').now,
      made_at: pressed.now,
    })
    .execute();
  expect([await plan('remind'), await plan('more-time')]).toEqual([['on-its-way'], ['on-its-way']]);
  await doRuns(db, later);
  expect(await outcomes()).toEqual(['on-its-way']);
  expect(Object.keys(leftOutWords)).toContain('on-its-way');
});

test('P79: two processes at once settle each item once', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper', 'Mary Wollstonecraft', 'Hedy Lamarr']);
  await press('remind', ids);
  await press('remind', ids);
  const both = await Promise.all([doRuns(database.db, later), doRuns(database.db, later)]);
  await doRuns(database.db, later);
  expect(await mailed('payment-reminder')).toHaveLength(4);
  expect((both[0] ?? 0) + (both[1] ?? 0)).toBe(8);
  expect((await outcomes()).sort()).toEqual([...Array(4).fill('done'), ...Array(4).fill('reminded')]);
});

test('P79: a payment between the look and the press changes what the button would do, and it is refused', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const { db } = database;
  const [, second = 0] = ids;
  const plan = await planEnrolments(db, ids, { act: 'remind', until: null }, pressed);
  await db.updateTable('enrolment_list').set({ balance_cents: 0 }).where('enrolment_id', '=', second).execute();
  const asked = {
    act: 'remind' as const,
    ids,
    more: null,
    actor: ada.actor,
    form: crypto.randomUUID(),
    expects: planKey(plan),
  };
  expect(await inTrx((trx) => startForEnrolments(trx, asked, pressed))).toEqual({ ok: false, reason: 'changed' });
  const now = await planEnrolments(db, ids, { act: 'remind', until: null }, pressed);
  expect(now.map(({ leftOut }) => leftOut)).toEqual([null, 'owes-nothing']);
  const again = { ...asked, expects: planKey(now) };
  expect(await inTrx((trx) => startForEnrolments(trx, again, pressed))).toMatchObject({ ok: true, count: 1 });
});

test('P68: a role that is taken away before the job comes leaves the rest undone', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  await press('remind', ids);
  await database.db.deleteFrom('staff_roles').where('person_id', '=', ada.id).execute();
  await doRuns(database.db, later);
  expect(await outcomes()).toEqual(['not-permitted', 'not-permitted']);
  expect(await mailed('payment-reminder')).toEqual([]);
});

test('P68: who may not do an act cannot begin it, nor stop it', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron']);
  const run = await press('more-time', ids, { until: '2025-10-20', reason: 'Bank holiday' });
  for (const role of ['reader', 'editor', 'instructor'] as const) {
    const actor = staffActor(ada, role);
    const asked = { act: 'remind' as const, ids, more: null, actor, form: crypto.randomUUID(), expects: '' };
    await expect(
      inTrx((trx) => startForEnrolments(trx, asked, pressed)),
      role,
    ).rejects.toThrow();
    const runId = run.ok ? run.runId : 0;
    await expect(
      inTrx((trx) => stopRun(trx, { runId, actor }, pressed)),
      role,
    ).rejects.toThrow();
  }
});

test('P79: a row at which the program fails is tried three times and left out; the others are done and the run ends', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  await press('remind', ids);
  await sql`create function fail_once() returns trigger language plpgsql as $$ begin
    if new.recipient = 'a@buyers.example' then raise exception 'a bad row'; end if; return new; end $$`.execute(
    database.owner,
  );
  await sql`create trigger fail_once before insert on mails for each row execute function fail_once()`.execute(
    database.owner,
  );
  try {
    expect(await doRuns(database.db, later)).toBe(1);
    expect(await outcomes()).toEqual(['to-do', 'done']);
    await doRuns(database.db, later);
    await doRuns(database.db, later);
    expect(await outcomes()).toEqual(['fault', 'done']);
    expect(await doRuns(database.db, later)).toBe(0);
    const run = await database.db.selectFrom('bulk_runs').select('ended_at').executeTakeFirstOrThrow();
    expect(run.ended_at).toEqual(later.now);
    const [fault] = await database.db.selectFrom('job_faults').select(['message', 'times']).execute();
    expect(fault).toEqual({ message: 'a bad row', times: 3 });
  } finally {
    await sql`drop trigger fail_once on mails`.execute(database.owner);
    await sql`drop function fail_once()`.execute(database.owner);
  }
});

test('P79: buyers are asked for names once, and nobody whose attendees all have one', async () => {
  const { ids } = await enrolmentsOf([null, 'Grace Hopper', null]);
  expect(await press('ask-names', ids)).toMatchObject({ ok: true, count: 2 });
  expect(await press('ask-names', ids)).toMatchObject({ ok: true, count: 2 });
  await doRuns(database.db, later);
  expect(await mailed('names-asked')).toEqual(['a@buyers.example', 'c@buyers.example']);
  expect(await outcomes()).toEqual(['done', 'done', 'asked', 'asked']);
  const mail = await database.db.selectFrom('mails').select(['subject', 'body_text']).executeTakeFirstOrThrow();
  expect(mail.subject).toContain('Please name who attends');
  expect(mail.body_text).toContain('before 24 November');
});

test('P79: on the first day nobody is asked for names any more: the email would not go out', async () => {
  const { ids } = await enrolmentsOf([null]);
  const [enrolmentId = 0] = ids;
  const eve = momentAt('2025-11-23T23:59');
  expect(await press('ask-names', ids, null, eve)).toMatchObject({ ok: true, count: 1 });
  await doRuns(database.db, momentAt('2025-11-24T00:00'));
  expect(await outcomes()).toEqual(['begun']);
  const asked = { enrolmentId, actor: ada.actor, key: 'one' };
  expect(await inTrx((trx) => askForNames(trx, asked, momentAt('2025-11-24T07:00')))).toMatchObject({ ok: false });
  expect(await mailed('names-asked')).toEqual([]);
});

test('P79: more time makes all that is due before it due on one day, with a letter and a note; ending the agreement is its counter-act', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const { db } = database;
  const [first = 0] = ids;
  expect(await press('more-time', ids, { until: '2025-10-20', reason: 'Their bank was down' })).toMatchObject({
    ok: true,
    count: 2,
  });
  await press('more-time', ids, { until: '2025-10-20', reason: 'Twice' });
  await doRuns(db, later);
  expect(await outcomes()).toEqual(['done', 'done', 'due-later', 'due-later']);
  expect(await mailed('instalments-agreed')).toEqual(['a@buyers.example', 'b@buyers.example']);
  const [invoice] = await openInvoices(db, first);
  expect([invoice?.dueOn, invoice?.dueCents, invoice?.instalments.length]).toEqual([
    '2025-10-20',
    invoice?.openCents,
    1,
  ]);
  const [note] = await db.selectFrom('notes').select(['about_id', 'body']).orderBy('id').execute();
  expect(note).toEqual({
    about_id: first,
    body: 'More time to pay, until Monday 20 October 2025: Their bank was down',
  });
  const { due_on } = await db
    .selectFrom('enrolment_list')
    .select('due_on')
    .where('enrolment_id', '=', first)
    .executeTakeFirstOrThrow();
  expect(due_on).toBe('2025-10-20');
});

test('P79: more time is given although an invoice that is paid had several instalments', async () => {
  const { ids, session } = await enrolmentsOf(['Ada Byron']);
  const { db } = database;
  const [enrolmentId = 0] = ids;
  const [paid] = await openInvoices(db, enrolmentId);
  const { id: invoiceId = 0, openCents = 0 } = paid ?? {};
  const half = [
    { dueOn: '2025-10-01', cents: openCents - 100_000 },
    { dueOn: '2025-10-20', cents: 100_000 },
  ];
  const agreement = { enrolmentId, invoiceId, instalments: half, actor: theProgram };
  expect(await inTrx((trx) => agreeOnInstalments(trx, agreement, pressed))).toMatchObject({ ok: true });
  const plan = () => planEnrolments(db, ids, { act: 'more-time', until: '2025-11-01' }, pressed);
  expect(await plan()).toMatchObject([{ leftOut: 'in-instalments' }]);
  await receive(db, enrolmentId, openCents, pressed);
  const addition = { enrolmentId, choices: [seatIn(session)], attendee: attendee(), shownCents: openCents };
  const added = await inTrx((trx) => addAttendee(trx, { ...addition, actor: theProgram }, later));
  expect(added).toMatchObject({ ok: true });
  expect(await press('more-time', ids, { until: '2025-11-01', reason: 'Bank holiday' })).toMatchObject({ count: 1 });
});

test('P80: a message to the buyer of several dates names the one that is on or comes next, not one that is over', async () => {
  const { db } = database;
  const { ids } = await enrolmentsOf(['Ada Byron']);
  const [enrolmentId = 0] = ids;
  const early = await makeSession(db, { startsOn: '2025-10-06' });
  const [{ openCents: shownCents } = expect.unreachable()] = await openInvoices(db, enrolmentId);
  const addition = { enrolmentId, choices: [seatIn(early)], attendee: attendee(), shownCents, actor: theProgram };
  expect(await inTrx((trx) => addAttendee(trx, addition, pressed))).toMatchObject({ ok: true });
  const named = async (today: string) =>
    (await chosenRecipient(db, { kind: 'enrolment', id: enrolmentId, today }))?.course.when;
  expect(await named('2025-10-10')).toContain('6 to 10 October');
  expect(await named('2025-10-11')).toContain('24 to 28 November');
});

test('P79: a message goes to the attendees of what was chosen, each with the own course, once for one address', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', null]);
  const { db } = database;
  const records = { of: 'enrolments' as const, ids };
  const to = ['attendees', 'buyers'] as const;
  const gets = await chosenRecipients(db, records, { to, marketing: false, today: pressed.today });
  expect(gets.map(({ email, leftOut }) => [email, leftOut])).toEqual([
    ['a@attend.example', null],
    [null, 'no-address'],
    ['a@buyers.example', null],
    ['b@buyers.example', null],
  ]);
  const message = { subject: 'About {course}', body: 'Hello {first name}, {date}, {number}.', marketing: false };
  const asked = { records, to, message, dueAt: null, actor: ada.actor, form: crypto.randomUUID() };
  expect(await inTrx((trx) => startWriting(trx, { ...asked, expects: planKey(gets) }, pressed))).toMatchObject({
    ok: true,
    count: 3,
  });
  await doRuns(db, later);
  expect(await mailed('place-message')).toEqual(['a@attend.example', 'a@buyers.example', 'b@buyers.example']);
  const [first] = await db.selectFrom('mails').select('body_text').orderBy('recipient').execute();
  expect(first?.body_text).toMatch(/Hello Ada, 24 to 28 November 2025, .*, BB-/s);
});

async function wordsKept() {
  const rows = await database.db
    .selectFrom('bulk_runs')
    .select(['body', 'words_erased_at', 'stopped_at'])
    .orderBy('id')
    .execute();
  return rows.map(({ body, words_erased_at, stopped_at }) => [body, words_erased_at !== null, stopped_at !== null]);
}

async function writeTo(ids: readonly number[], body: string) {
  const records = { of: 'enrolments' as const, ids };
  const to = ['buyers'] as const;
  const expects = planKey(await chosenRecipients(database.db, records, { to, marketing: false, today: pressed.today }));
  const message = { subject: 'Hello', body, marketing: false };
  const asked = { records, to, message, dueAt: null, actor: ada.actor, form: crypto.randomUUID(), expects };
  const started = await inTrx((trx) => startWriting(trx, asked, pressed));
  expect(started.ok).toBe(true);
}

test('P23: what staff wrote goes some days after its run ended, and not before', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron']);
  await writeTo(ids, 'Bring a laptop.');
  await doRuns(database.db, later);
  expect(await expireRunWordsDaily(database.db, 30, momentAt('2025-10-24T09:00').now)).toBe(0);
  expect(await wordsKept()).toEqual([['Bring a laptop.', false, false]]);
  expect(await expireRunWordsDaily(database.db, 30, momentAt('2025-10-26T09:00').now)).toBe(1);
  expect(await wordsKept()).toEqual([[null, true, false]]);
});

test('P23: a person finds what was written to them, and erasing takes the words that name them or were for them alone', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const [first = 0] = ids;
  await writeTo(ids, 'Marya Shelley brings a laptop.');
  await writeTo(ids, 'Bring a laptop.');
  await writeTo([first], 'For one of them.');
  const held = await exportPerson(database.db, 'a@buyers.example');
  expect(held['acts on many']).toMatchObject([
    { body: 'Marya Shelley brings a laptop.' },
    { body: 'Bring a laptop.' },
    { body: 'For one of them.' },
  ]);
  const { counts } = await erasePerson(database.db, 'a@buyers.example', { dataDir: '/nonexistent', at: later.now });
  expect(counts['acts on many']).toBe(1);
  // What was not sent yet and is for nobody else is stopped with it.
  expect(await wordsKept()).toEqual([
    ['Marya Shelley brings a laptop.', false, false],
    ['Bring a laptop.', false, false],
    [null, true, true],
  ]);
  await doRuns(database.db, later);
  await expireRunWordsDaily(database.db, 30, later.now);
  expect((await wordsKept())[0]).toEqual([null, true, false]);
});

test('P79: a message to an attendee does not reach the person to whom the place was given before it went out', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const { db } = database;
  const records = { of: 'enrolments' as const, ids };
  const to = ['attendees'] as const;
  const expects = planKey(await chosenRecipients(db, records, { to, marketing: false, today: pressed.today }));
  const message = { subject: 'Your knee', body: 'Dear {first name}, we have a chair for your knee.', marketing: false };
  const asked = { records, to, message, dueAt: null, actor: ada.actor, form: crypto.randomUUID(), expects };
  expect(await inTrx((trx) => startWriting(trx, asked, pressed))).toMatchObject({ ok: true, count: 2 });
  const first = await db
    .selectFrom('attendees')
    .select('id')
    .where('enrolment_id', '=', ids[0] ?? 0)
    .executeTakeFirstOrThrow();
  const hedy = attendee({ name: 'Hedy Lamarr', email: 'hedy@attend.example' });
  const change = { enrolmentId: ids[0] ?? 0, attendeeId: first.id, attendee: hedy, actor: theProgram };
  expect(await inTrx((trx) => changeAttendee(trx, change, momentAt('2025-09-25T09:00')))).toMatchObject({ ok: true });
  await doRuns(db, later);
  expect(await mailed('place-message')).toEqual(['b@attend.example']);
  expect(await outcomes()).toEqual(['handed-over', 'done']);
  expect(Object.keys(leftOutWords)).toContain('handed-over');
});

test('P79: a buyer with several of the chosen enrolments gets an email for each, and the page counts the buyers', async () => {
  const { ids } = await enrolmentsOf(['Ada Byron', 'Grace Hopper', 'Hedy Lamarr']);
  const { db } = database;
  const same = { email: 'A@buyers.example', mailbox: 'a@buyers.example' };
  await db
    .updateTable('enrolments')
    .set(same)
    .where('id', '=', ids[1] ?? 0)
    .execute();
  const plan = await planEnrolments(db, ids, { act: 'remind', until: null }, pressed);
  expect(buyersOf(plan)).toBe(2);
  await press('remind', ids);
  await doRuns(db, later);
  expect(await mailed('payment-reminder')).toHaveLength(3);
});
