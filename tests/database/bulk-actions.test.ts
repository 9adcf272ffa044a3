import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import type { BuyerAct } from '#app/features/inbox/bulk-actions/acts.ts';
import { eraseWithoutMails } from '#app/features/inbox/bulk-actions/personal-records.server.ts';
import { planBuyers } from '#app/features/inbox/bulk-actions/plan-buyers.server.ts';
import { mailBuyers, planKey, takeBack } from '#app/features/inbox/bulk-actions/press.server.ts';
import { findBulkAction } from '#app/features/inbox/bulk-actions/queries.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { erasePerson } from '#server/personal-records.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';

// Acts on the buyers of chosen enrolments (P101). What is placed on 8 September is due on the 22nd.
let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const pressed = momentAt('2025-09-25T09:00');
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);
let ada: Awaited<ReturnType<typeof makeStaff>>;

/** Enrolments of one attendee each, with or without a name, by buyers of their own. */
async function enrolmentsOf(names: readonly (string | null)[]): Promise<number[]> {
  const { db } = database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-24', capacity: 20 });
  const ids: number[] = [];
  for (const [at, name] of names.entries()) {
    const buyer = { name: `Mary${'abcdefg'[at]} Shelley`, email: `${'abcdefg'[at]}@buyers.example`, phone: null };
    ids.push((await placeIn(db, courseDate, { buyer, attendees: [attendee({ name })] })).enrolmentId);
  }
  ada = await makeStaff(db, { email: 'ada@example.com', name: 'Ada' }, pressed.now);
  await db.deleteFrom('mails').execute();
  return ids;
}
const plan = (act: BuyerAct, ids: readonly number[], moment: Moment = pressed) =>
  planBuyers(database.db, ada.actor, { ids, act }, moment);
const leftOut = async (act: BuyerAct, ids: readonly number[], moment: Moment = pressed) =>
  (await plan(act, ids, moment)).map((one) => one.leftOut);

async function press(act: BuyerAct, ids: readonly number[], moment: Moment = pressed) {
  const asked = { act, ids, actor: ada.actor, expects: planKey(await plan(act, ids, moment)) };
  return inTrx((trx) => mailBuyers(trx, asked, moment));
}
async function reminded(ids: readonly number[]): Promise<number> {
  const done = await press('remind', ids);
  return done.ok ? done.number : expect.unreachable(done.reason);
}
const takeItBack = (number: number) => inTrx((trx) => takeBack(trx, { number, actor: ada.actor }, pressed));
const mails = () =>
  database.db.selectFrom('mails').select(['recipient', 'state', 'bulk_action']).orderBy('recipient').execute();
const recipients = async () => (await mails()).map(({ recipient }) => recipient);
const daysPass = (days: number) =>
  sql`update mails set queued_at = queued_at - make_interval(days => ${days})`.execute(database.db);

test('P101: the buyers who owe are reminded under one number, and the emails wait 60 seconds', async () => {
  const number = await reminded(await enrolmentsOf(['Ada Byron', 'Grace Hopper']));
  const queued = { state: 'queued', bulk_action: number };
  expect(await mails()).toEqual([
    { recipient: 'a@buyers.example', ...queued },
    { recipient: 'b@buyers.example', ...queued },
  ]);
  const { rows } = await sql<{ waits: number }>`
    select extract(epoch from start_after - created_on)::integer as waits from pgboss.job
    where data->>'mailId' in (select id::text from mails)`.execute(database.db);
  expect(rows).toEqual([{ waits: 60 }, { waits: 60 }]);
});

test('P69: the trace has one entry for the act', async () => {
  const number = await reminded(await enrolmentsOf(['Ada Byron', 'Grace Hopper']));
  const entries = await database.db
    .selectFrom('audit_entries')
    .select(['person_id', 'action', 'subject', 'details'])
    .where('at', '=', pressed.now)
    .where('subject', 'like', 'bulk-action:%')
    .execute();
  const subject = `bulk-action:${number}`;
  expect(entries).toEqual([{ person_id: ada.id, action: 'send-reminders', subject, details: { emails: 2 } }]);
});

test('P101: taken back, nothing is sent and no reminder counts; it is taken back once', async () => {
  const ids = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const number = await reminded(ids);
  expect(await leftOut('remind', ids)).toEqual(['lately', 'lately']);
  expect(await takeItBack(number)).toEqual({ ok: true });
  expect((await mails()).map(({ state }) => state)).toEqual(['dropped', 'dropped']);
  expect(await database.db.selectFrom('payment_reminders').selectAll().execute()).toEqual([]);
  expect(await leftOut('remind', ids)).toEqual([null, null]);
  expect(await takeItBack(number)).toEqual({ ok: false, reason: 'too-late' });
});

test('P101: once an attempt to send one of its emails began, none of them is taken back', async () => {
  const number = await reminded(await enrolmentsOf(['Ada Byron', 'Grace Hopper']));
  const { db } = database;
  const { id: mail_id } = await db.selectFrom('mails').select('id').executeTakeFirstOrThrow();
  await db.insertInto('mail_attempts').values({ mail_id, number: 1, started_at: pressed.now }).execute();
  expect(await takeItBack(number)).toEqual({ ok: false, reason: 'too-late' });
  expect((await mails()).map(({ state }) => state)).toEqual(['queued', 'queued']);
  const { id } = await db.selectFrom('bulk_actions').select('taken_back_at as id').executeTakeFirstOrThrow();
  expect(id).toBe(null);
});

test('P101: an email that was dropped since keeps nobody from taking the others back', async () => {
  const number = await reminded(await enrolmentsOf(['Ada Byron', 'Grace Hopper']));
  const dropped = { state: 'dropped', reason: 'Paid meanwhile', settled_at: pressed.now } as const;
  await database.db.updateTable('mails').set(dropped).where('recipient', '=', 'a@buyers.example').execute();
  expect(await takeItBack(number)).toEqual({ ok: true });
  const found = await findBulkAction(database.db, ada.actor, number);
  expect(found?.emails.map(({ reason }) => reason)).toEqual(['Paid meanwhile', 'Taken back by Ada']);
});

test('P101: nobody is reminded twice within three days, by whichever colleague', async () => {
  const ids = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const [enrolmentId = 0] = ids;
  await inTrx((trx) => remindNow(trx, { enrolmentId, actor: theProgram }, pressed));
  expect(await leftOut('remind', ids)).toEqual(['lately', null]);
  await daysPass(2);
  expect(await leftOut('remind', ids)).toEqual(['lately', null]);
  await daysPass(1);
  expect(await leftOut('remind', ids)).toEqual([null, null]);
});

test('P101: a reminder that did not arrive leaves the buyer out until the address is another one', async () => {
  const ids = await enrolmentsOf(['Ada Byron']);
  const { db } = database;
  await reminded(ids);
  await db.updateTable('mails').set({ state: 'failed', settled_at: pressed.now, reason: '550 no such user' }).execute();
  expect(await leftOut('remind', ids)).toEqual(['bounced']);
  await db.updateTable('enrolments').set({ email: 'new@buyers.example', mailbox: 'new@buyers.example' }).execute();
  expect(await leftOut('remind', ids)).toEqual([null]);
});

test('P101: an address gets one email of one act, also when it has several rows', async () => {
  const ids = await enrolmentsOf(['Ada Byron', 'Grace Hopper', 'Hedy Lamarr']);
  const same = { email: 'A@buyers.example', mailbox: 'a@buyers.example' };
  await database.db
    .updateTable('enrolments')
    .set(same)
    .where('id', '=', ids[1] ?? 0)
    .execute();
  expect(await leftOut('remind', ids)).toEqual([null, 'same-address', null]);
  await reminded(ids);
  expect(await recipients()).toEqual(['a@buyers.example', 'c@buyers.example']);
});

test('P101: when two press at once one sends the reminders, the other sends none', async () => {
  const ids = await enrolmentsOf(['Ada Byron', 'Grace Hopper', 'Hedy Lamarr']);
  const expects = planKey(await plan('remind', ids));
  const once = () => inTrx((trx) => mailBuyers(trx, { act: 'remind', ids, actor: ada.actor, expects }, pressed));
  const both = await Promise.all([once(), once()]);
  expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
  expect(await recipients()).toHaveLength(3);
});

test('P101: a payment between the look and the press refuses the press', async () => {
  const ids = await enrolmentsOf(['Ada Byron', 'Grace Hopper']);
  const expects = planKey(await plan('remind', ids));
  const { db } = database;
  await db
    .updateTable('enrolment_list')
    .set({ balance_cents: 0 })
    .where('enrolment_id', '=', ids[1] ?? 0)
    .execute();
  const asked = { act: 'remind', ids, actor: ada.actor, expects } as const;
  expect(await inTrx((trx) => mailBuyers(trx, asked, pressed))).toEqual({ ok: false, reason: 'changed' });
  expect(await leftOut('remind', ids)).toEqual([null, 'owes-nothing']);
});

test('P101: nobody is reminded while a card payment that they completed is on its way', async () => {
  const ids = await enrolmentsOf(['Ada Byron']);
  await database.db
    .insertInto('card_checkouts')
    .values({
      key: crypto.randomUUID(),
      enrolment_id: ids[0] ?? 0,
      stripe_id: 'cs_1',
      amount_cents: 549_900,
      state: 'processing',
      expires_at: momentAt('2025-09-25T20:00').now,
      made_at: pressed.now,
    })
    .execute();
  expect(await leftOut('remind', ids)).toEqual(['on-its-way']);
  expect(await press('remind', ids)).toEqual({ ok: false, reason: 'nobody' });
});

test('P101: buyers are asked for missing names, and not again within three days', async () => {
  const ids = await enrolmentsOf([null, 'Grace Hopper', null]);
  expect(await press('ask-names', ids)).toMatchObject({ ok: true, emails: 2 });
  expect(await recipients()).toEqual(['a@buyers.example', 'c@buyers.example']);
  expect(await leftOut('ask-names', ids)).toEqual(['lately', 'all-named', 'lately']);
  await daysPass(3);
  expect(await leftOut('ask-names', ids)).toEqual([null, 'all-named', null]);
  const mail = await database.db.selectFrom('mails').select(['subject', 'body_text']).executeTakeFirstOrThrow();
  expect(mail.subject).toContain('Please name who attends');
  expect(mail.body_text).toContain('before 24 November');
});

test('P101: names are asked for until the day before the course', async () => {
  const ids = await enrolmentsOf([null]);
  expect(await leftOut('ask-names', ids, momentAt('2025-11-23T23:59'))).toEqual([null]);
  expect(await leftOut('ask-names', ids, momentAt('2025-11-24T00:00'))).toEqual(['begun']);
});

test('P68: staff who may not do an act can neither press it nor take it back', async () => {
  const ids = await enrolmentsOf(['Ada Byron']);
  const number = await reminded(ids);
  for (const role of ['reader', 'editor', 'instructor'] as const) {
    const actor = staffActor(ada, role);
    const asked = { act: 'remind', ids, actor, expects: '' } as const;
    await expect(
      inTrx((trx) => mailBuyers(trx, asked, pressed)),
      role,
    ).rejects.toThrow();
    await expect(
      inTrx((trx) => takeBack(trx, { number, actor }, pressed)),
      role,
    ).rejects.toThrow();
  }
});

test('P23: a bulk action is kept as long as one of its emails, also when somebody is erased', async () => {
  const number = await reminded(await enrolmentsOf(['Ada Byron', 'Grace Hopper']));
  const { db } = database;
  const erase = (address: string) => erasePerson(db, address, { dataDir: '/nonexistent', at: pressed.now });
  expect((await erase('a@buyers.example')).counts['bulk actions']).toBe(0);
  expect((await findBulkAction(db, ada.actor, number))?.emails).toHaveLength(1);
  expect(await eraseWithoutMails(db)).toBe(0);
  expect((await erase('b@buyers.example')).counts['bulk actions']).toBe(1);
  expect(await findBulkAction(db, ada.actor, number)).toBe(null);
});
