import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { completeGuided } from '#app/features/enrolments/complete-guided.server.ts';
import type { Order } from '#app/features/enrolments/order.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { type Opening, openModule } from '#app/features/study/modules.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { sendLinks } from '#app/routes/staff/enrolments/send-links.server.ts';
import { exportPerson } from '#server/personal-records.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { pay, writeModules } from '#tests/support/study.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const opening = momentAt('2025-09-08T09:00');
const monday = '2025-10-13';

let database: TestDatabase;
const opened: Db[] = [];
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  await writeModules(database.db, 'cissp');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
  await database.drop();
});

const transaction = <T>(work: (trx: Trx) => Promise<T>, db = database.db) => db.transaction().execute(work);

/** A paid guided place on CISSP: AU$5,499 and eight modules, so AU$687.375 each. */
async function placed(parts: Partial<Order> = {}, from = monday, moment: Moment = opening) {
  const { id: courseId } = await database.db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  const order = await orderOf(database.db, [{ courseId, way: 'guided', from }], parts);
  const result = await transaction((trx) => placeEnrolment(trx, order, moment));
  if (!result.ok) expect.unreachable(JSON.stringify(result));
  await pay(database.db, result.enrolmentId);
  const enrolment = await readEnrolment(database.db, result.enrolmentId);
  const [place] = enrolment.places;
  if (!place) throw new Error('nothing was placed');
  const base = { enrolmentId: enrolment.id, attendeeId: place.attendee.id, placeId: place.id, early: false };
  return { enrolment, place, base, courseId };
}
const open = (wanted: Opening, when: string, db = database.db) =>
  transaction((trx) => openModule(trx, wanted, momentAt(when)), db);
const placeNow = async (enrolmentId: number) => (await readEnrolment(database.db, enrolmentId)).places[0];
const cancel = (enrolmentId: number, placeId: number, when: string, parts: object = {}) =>
  transaction((trx) =>
    cancelPlaces(trx, { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null, ...parts }, momentAt(when)),
  );

test('P40: the modules are those of the contract, whatever happens to the course afterwards', async () => {
  const { place, base, courseId, enrolment } = await placed();
  expect(place.modules.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(place.modules[1]).toMatchObject({ title: 'Asset Security (10 per cent)', openedAt: null });
  expect(place.modules[1]?.topics).toHaveLength(4);
  await open({ ...base, module: 1 }, '2025-10-13T08:00');
  const fewer = JSON.stringify([{ module: 'All in one', topics: ['Everything'] }]);
  const details = sql<string>`jsonb_set(details, '{curriculum}', ${fewer})`;
  await database.db.updateTable('courses').set({ details }).where('id', '=', courseId).execute();
  expect((await placeNow(enrolment.id))?.modules.map(({ title }) => title)).toEqual(
    place.modules.map(({ title }) => title),
  );
  // Seven of eight: 4,811.625 dollars, half a cent for the buyer.
  expect(await cancel(enrolment.id, place.id, '2025-10-20T09:00')).toMatchObject({
    ok: true,
    credits: [{ cents: 481_163 }],
  });
});

test('P40: a module is opened once, from the Monday on or earlier if agreed, by its attendee, while there is access', async () => {
  const { base, enrolment, place } = await placed();
  const other = await placed();
  const third = { ...base, module: 3 };
  expect(await open(third, '2025-10-12T23:59')).toEqual({ ok: false, reason: 'begins-later' });
  expect(await open({ ...third, attendeeId: other.base.attendeeId }, '2025-10-13T00:00')).toEqual({
    ok: false,
    reason: 'no-module',
  });
  for (const module of [0, 9]) {
    expect(await open({ ...base, module }, '2025-10-13T00:00')).toEqual({ ok: false, reason: 'no-module' });
  }
  expect((await placeNow(enrolment.id))?.modules.filter(({ openedAt }) => openedAt)).toEqual([]);
  expect(await open({ ...third, early: true }, '2025-10-10T08:00')).toEqual({ ok: true, asked: false });
  // The study has begun: the next one needs no agreement.
  expect(await open({ ...base, module: 4 }, '2025-10-11T08:00')).toEqual({ ok: true, asked: false });
  expect(await open(third, '2025-12-01T08:00')).toEqual({ ok: true, asked: false });
  expect((await placeNow(enrolment.id))?.modules.flatMap(({ openedAt }) => openedAt ?? [])).toEqual([
    new Date('2025-10-10T08:00:00+10:00'),
    new Date('2025-10-11T08:00:00+10:00'),
  ]);
  expect(await open({ ...base, module: 5 }, '2026-10-12T23:59')).toEqual({ ok: true, asked: false });
  expect(await open({ ...base, module: 6 }, '2026-10-13T00:00')).toEqual({ ok: false, reason: 'access-over' });
  await cancel(enrolment.id, place.id, '2026-10-12T23:59');
  expect(await open({ ...base, module: 6 }, '2026-10-12T23:59')).toEqual({ ok: false, reason: 'no-module' });
});

test('P40: the same module opened eight times at once through two pools is recorded once; nothing is taken back', async () => {
  const { base } = await placed();
  const second = createDb(database.connection, () => undefined);
  opened.push(second);
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      open({ ...base, module: 2 }, '2025-10-14T09:00', at % 2 === 0 ? database.db : second),
    ),
  );
  expect(results.every(({ ok }) => ok)).toBe(true);
  expect(await database.db.selectFrom('module_openings').select(['module']).execute()).toEqual([{ module: 2 }]);
  await expect(database.db.deleteFrom('module_openings').execute()).rejects.toThrow('only added to');
});

test('P39, P40: a place is completed the day after access ended; a bad one does not stop the others', async () => {
  const first = await placed();
  const bad = await placed();
  const later = await placed({}, '2025-10-20');
  const cancelled = await placed();
  await cancel(cancelled.enrolment.id, cancelled.place.id, '2025-09-10T09:00');
  await sql`create function refuse_this() returns trigger language plpgsql as $$
    begin if new.id = ${sql.lit(bad.place.id)} then raise exception 'cannot be completed'; end if; return new; end $$`.execute(
    database.owner,
  );
  await sql`create trigger refuse_this before update on places for each row execute function refuse_this()`.execute(
    database.owner,
  );
  const states = async () =>
    Promise.all([first, bad, later, cancelled].map(async ({ enrolment }) => (await placeNow(enrolment.id))?.state));
  expect(await completeGuided(database.db, momentAt('2026-10-12T23:59'))).toBe(0);
  expect(await completeGuided(database.db, momentAt('2026-10-13T00:00'))).toBe(1);
  expect(await states()).toEqual(['completed', 'active', 'active', 'cancelled']);
  expect(await database.db.selectFrom('job_faults').select(['job', 'item']).execute()).toEqual([
    { job: 'complete guided study', item: `place:${bad.place.id}` },
  ]);
  await sql`drop trigger refuse_this on places`.execute(database.owner);
  expect(await completeGuided(database.db, momentAt('2026-10-20T00:00'))).toBe(2);
  expect(await states()).toEqual(['completed', 'completed', 'completed', 'cancelled']);
  expect(await database.db.selectFrom('job_faults').select('job').execute()).toEqual([]);
});

test('P40: a buyer cannot cancel a completed place; staff can refund it with a reason, and buyer and attendee get an email', async () => {
  const { enrolment, place } = await placed({ attendees: [attendee({ email: 'ada@example.com' })] });
  await completeGuided(database.db, momentAt('2026-10-13T00:00'));
  const when = '2026-10-14T09:00';
  expect(await cancel(enrolment.id, place.id, when)).toEqual({ ok: false, reason: 'not-active' });
  expect(await cancel(enrolment.id, place.id, when, { why: 'staff', actor: theProgram })).toEqual({
    ok: false,
    reason: 'not-active',
  });
  const inFull = { reason: 'The instructor fell ill' };
  expect(await cancel(enrolment.id, place.id, when, { why: 'staff', actor: theProgram, inFull })).toMatchObject({
    ok: true,
    credits: [{ cents: 549_900 }],
    stillOwedCents: 0,
  });
  const notes = await database.db.selectFrom('adjustment_notes').select(['reason', 'total_cents']).execute();
  expect(notes).toEqual([{ reason: inFull.reason, total_cents: 549_900 }]);
  const told = await database.db
    .selectFrom('mails')
    .select('recipient')
    .where('kind', '=', 'place-cancelled')
    .orderBy('recipient')
    .execute();
  expect(told.map(({ recipient }) => recipient)).toEqual(['ada@example.com', enrolment.email]);
});

test('P32: the mails about guided study lead to the page where the modules are, also of a buyer who attends', async () => {
  const buyer = { name: 'Grace Hopper', email: 'grace@example.com', phone: null };
  const { enrolment } = await placed({ buyer, attendees: [attendee({ name: 'Grace Hopper', email: buyer.email })] });
  const mails = async () =>
    database.db
      .selectFrom('mails')
      .select(['kind', 'body_text'])
      .where('recipient', '=', buyer.email)
      .orderBy('kind')
      .execute();
  const [toBuyer, toAttendee] = await mails();
  expect([toBuyer?.kind, toAttendee?.kind]).toEqual(['enrolment-placed', 'place-given']);
  for (const mail of [toBuyer, toAttendee]) expect(mail?.body_text).not.toContain('calendar');
  expect(await withLinks(database.db, toAttendee?.body_text)).toMatch(/http:\/\/localhost:3000\/place\/[0-9a-f]{48}/);
  const text = toAttendee?.body_text.replaceAll(/\s+/g, ' ');
  expect(text).toContain('From Monday 13 October 2025 you can open the modules.');
  expect(text).not.toContain('AU$');
  for (const { body_text } of await mails()) expect(body_text).not.toMatch(/log ?in|write to you how to begin/i);
  expect(toBuyer?.body_text.replaceAll(/\s+/g, ' ')).toContain(
    'AU$5,499 back while no module is opened, about AU$687.38 less for each of the 8 modules opened, and nothing after 12 October 2026, when access ends',
  );
  // Staff who send the links again send both.
  expect(await transaction((trx) => sendLinks(trx, enrolment.id, opening))).toBe(2);
});

test('an attendee’s export has the modules that they opened, and the buyer’s does not', async () => {
  const { base, enrolment } = await placed({ attendees: [attendee({ email: 'ada@example.com' })] });
  await open({ ...base, module: 7 }, '2025-10-14T09:00');
  const own = JSON.stringify(await exportPerson(database.db, 'ada@example.com'));
  expect(own).toContain('"module":7');
  const buyers = JSON.stringify(await exportPerson(database.db, enrolment.email));
  expect(buyers).not.toContain('"module":7');
});

test('P30, P39: guided study placed on a Tuesday is due on Friday and can begin on Monday, on Wednesday no longer', async () => {
  // Tuesday for the Monday after it: Wednesday, Thursday, Friday.
  const { enrolment } = await placed({}, '2025-09-15', momentAt('2025-09-09T09:00'));
  const [invoice] = await database.db.selectFrom('tax_invoices').select('facts').execute();
  expect(invoice?.facts).toMatchObject({ issuedOn: '2025-09-09', dueOn: '2025-09-12' });
  expect(enrolment.places[0]?.guidedFrom).toBe('2025-09-15');
  const late = await orderOf(database.db, [
    { courseId: enrolment.places[0]?.courseId ?? 0, way: 'guided', from: '2025-09-15' },
  ]);
  expect(await transaction((trx) => placeEnrolment(trx, late, momentAt('2025-09-10T00:00')))).toMatchObject({
    ok: false,
    reason: 'no-such-monday',
  });
});
