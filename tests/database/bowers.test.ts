import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import {
  type BowerDecision,
  decideBower,
  reportBower,
  showBower,
  withdrawBower,
} from '#app/features/bower/commands.server.ts';
import { forgetReports } from '#app/features/bower/forget-reports.server.ts';
import {
  countReportedBowers,
  findPublicBower,
  findStaffBower,
  listBowers,
} from '#app/features/bower/queries.server.ts';
import { readBower } from '#app/features/bower/records.server.ts';
import { bowerList } from '#app/features/bower/staff-list.ts';
import { revokeCertificate } from '#app/features/certificates/end-certificate.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { addAddress } from '#app/features/people/more-addresses.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { afterClass, attends, type Class, issued, makeClass } from '#tests/support/certificates.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { personOf } from '#tests/support/players.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let group: Class;
let staff: StaffActor;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  group = await makeClass(db);
  ({ actor: staff } = await makeStaff(db, { email: 'olive@staff.example', name: 'Olive' }, now));
});
afterAll(() => database.drop());

const { now } = momentAt('2025-11-21T10:00');
const inTrx = <T>(work: (trx: Trx) => Promise<T>, on = db) => on.transaction().execute(work);
const someone = async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  return { email, personId: await personOf(db, email) };
};
const show = (personId: number, typed: string, on = db) =>
  inTrx((trx) => showBower(trx, { personId, ownName: null, typed }, now), on);
const report = (slug: string, key = crypto.randomUUID() as string) =>
  reportBower(db, { slug, reason: 'A rude name.' }, { idempotencyKey: key, at: now });
const decide = (personId: number, decision: BowerDecision, actor = staff) =>
  inTrx((trx) => decideBower(trx, { personId, decision, actor }, now));
const isPublic = async (slug: string) => (await findPublicBower(db, slug)) !== null;
const taken = { ok: false, fault: 'Somebody else shows a bower at this name. Choose another one.' };
const noCourses = { bySlug: new Map(), aliases: new Map() };

test('P63: of eight who ask for one name at once, one gets it, whatever the accents', async () => {
  const beside = createDb(database.connection, () => undefined);
  const people = await Promise.all(Array.from({ length: 8 }, someone));
  const asked = await Promise.all(
    people.map(({ personId }, at) => show(personId, at % 2 ? 'Zoë' : 'zoe', at % 3 ? db : beside)),
  );
  await beside.destroy();
  expect(asked.filter(({ ok }) => ok)).toEqual([{ ok: true, slug: 'zoe' }]);
  expect(asked.filter(({ ok }) => !ok)).toEqual(Array(7).fill(taken));
});

test('P63: a new name leaves the old one free, and a withdrawn one is free at once', async () => {
  const [ada, eve] = [await someone(), await someone()];
  expect(await show(ada.personId, 'Ada')).toEqual({ ok: true, slug: 'ada' });
  expect(await show(eve.personId, 'ADA')).toEqual(taken);
  expect(await show(ada.personId, 'Ada King')).toEqual({ ok: true, slug: 'ada-king' });
  expect(await show(eve.personId, 'ADA')).toEqual({ ok: true, slug: 'ada' });
  await inTrx((trx) => withdrawBower(trx, ada.personId));
  expect([await isPublic('ada-king'), await isPublic('ada')]).toEqual([false, true]);
  expect(await show(eve.personId, 'Ada King')).toMatchObject({ ok: true });
});

test('P63: what staff hide stays hidden under a new name, and after going back and forth, until they allow it', async () => {
  const { personId } = await someone();
  await show(personId, 'Mallory');
  expect(await decide(personId, { kind: 'hide', why: 'The name is another person’s.' })).toBe(true);
  await show(personId, 'Trent');
  expect([await isPublic('mallory'), await isPublic('trent')]).toEqual([false, false]);
  await inTrx((trx) => withdrawBower(trx, personId));
  await show(personId, 'Mallory');
  expect(await isPublic('mallory')).toBe(false);
  expect(await report('mallory')).toBe(false);
  await decide(personId, { kind: 'allow' });
  expect(await isPublic('mallory')).toBe(true);
});

test('P63: a report that is sent twice counts once; any decision settles them all', async () => {
  const { personId } = await someone();
  await show(personId, 'Bob');
  const key = crypto.randomUUID();
  expect([await report('bob', key), await report('bob', key), await report('bob'), await report('nobody')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect((await findStaffBower(db, staff, personId))?.reports).toHaveLength(2);
  expect(await countReportedBowers(db, staff)).toBe(1);
  const [first] = (await listBowers(db, staff, bowerList.filterOf(new URLSearchParams('state=reported')))).bowers;
  expect(first).toMatchObject({ personId, name: 'Bob', hiddenWhy: null });
  await decide(personId, { kind: 'keep' });
  expect([await countReportedBowers(db, staff), await isPublic('bob')]).toEqual([0, true]);
});

test('P68: without the permission nobody hides a bower or reads reports', async () => {
  const { personId } = await someone();
  await show(personId, 'Carol');
  for (const role of ['reader', 'instructor', 'editor'] as const) {
    const actor = staffActor({ id: 0, name: 'Ada' }, role);
    await expect(decide(personId, { kind: 'hide', why: 'No.' }, actor)).rejects.toThrow(NotPermitted);
    const read = findStaffBower(db, actor, personId);
    if (role === 'reader') expect(await read).toMatchObject({ name: 'Carol' });
    else await expect(read).rejects.toThrow(NotPermitted);
  }
  expect(await isPublic('carol')).toBe(true);
});

test('P58: a bower and the reports of it are exported and erased, and its name is free', async () => {
  const { personId, email } = await someone();
  await show(personId, 'Dave');
  await report('dave');
  expect((await exportPerson(db, email)).bower).toMatchObject([
    { as: 'bower', name: 'Dave', slug: 'dave', avenue: null },
    { as: 'report of it', name: 'Dave', reason: 'A rude name.' },
  ]);
  const { counts } = await erasePerson(db, email, { dataDir: '/nowhere', at: now });
  expect(counts).toMatchObject({ bower: 2, people: 1 });
  expect(await isPublic('dave')).toBe(false);
  const next = await someone();
  expect(await show(next.personId, 'Dave')).toMatchObject({ ok: true });
});

test('P63: three days of seven hours are 21 straws, and the certificate a treasure until it is revoked', async () => {
  const { email } = await someone();
  const { placeId } = await attends(db, group, { name: 'Ada Byron', email });
  const personId = await personOf(db, email);
  const read = async () => {
    const { minutes, finished, underWay } = await readBower(db, personId, noCourses, null);
    return [minutes, finished.map(({ slug }) => slug), underWay.map(({ slug }) => slug)];
  };
  expect(await read()).toEqual([1260, [], ['cissp']]);
  const { number } = await issued(db, placeId);
  expect(await read()).toEqual([1260, ['cissp'], []]);
  await inTrx((trx) =>
    revokeCertificate(
      trx,
      { number, why: 'mistake', actor: staff },
      { ...afterClass, now: new Date(afterClass.now.getTime() + 3_600_000) },
    ),
  );
  expect(await read()).toEqual([1260, [], ['cissp']]);
});

test('P63: no two treasures of one bower are split alike, and that of a revoked certificate is free again', async () => {
  const { email } = await someone();
  const certificate = async () => {
    const { placeId } = await attends(db, group, { name: 'Ada Byron', email });
    const { id, number } = await issued(db, placeId);
    const rows = db.selectFrom('certificates').select(sql<string>`facts -> 'treasure' ->> 'split'`.as('split'));
    return { number, ...(await rows.where('id', '=', id).executeTakeFirstOrThrow()) };
  };
  const [first, second] = [await certificate(), await certificate()];
  expect(second.split).not.toBe(first.split);
  const { number } = first;
  await inTrx((trx) =>
    revokeCertificate(
      trx,
      { number, why: 'mistake', actor: staff },
      { ...afterClass, now: new Date(afterClass.now.getTime() + 3_600_000) },
    ),
  );
  expect((await certificate()).split).toBe(first.split);
});

test('P63: a report stays for twelve months after it was settled, and while nobody settled it', async () => {
  const { personId } = await someone();
  await show(personId, 'Report Keeper');
  await report('report-keeper');
  await decide(personId, { kind: 'keep' });
  await report('report-keeper');
  const kept = async () =>
    (await db.selectFrom('bower_reports').select('settled_at').where('person_id', '=', personId).execute()).length;
  // Settled on 21 November 2025 at 10 am.
  await forgetReports(db, momentAt('2026-11-21T09:59').now);
  expect(await kept()).toBe(2);
  await forgetReports(db, momentAt('2026-11-22T09:59').now);
  expect(await kept()).toBe(1);
});

test('P63: what staff hid stays hidden, and reports stay open, when its owner joins two accounts', async () => {
  const [work, home] = [await personOf(db, 'ada@work.example'), await personOf(db, 'ada@home.example')];
  await show(work, 'rude words');
  expect(await report('rude-words')).toBe(true);
  await decide(work, { kind: 'hide', why: 'Rude' });
  await db
    .updateTable('bower_reports')
    .set({ settled_at: null, settled_by: null })
    .where('person_id', '=', work)
    .execute();
  const ask = { person_id: home, email: 'ada@work.example', asked_at: now, link_hash: hashOfToken('link') };
  await db.insertInto('address_asks').values(ask).execute();
  const clock = { now: () => now, aheadMs: 0 };
  expect(await inTrx((trx) => addAddress(trx, { clock }, { personId: home, token: 'link' }))).toEqual({ ok: true });
  await show(home, 'rude words');
  expect(await isPublic('rude-words')).toBe(false);
  const open = await db.selectFrom('bower_reports').select('person_id').where('person_id', '=', home).execute();
  expect(open).toHaveLength(1);
});
