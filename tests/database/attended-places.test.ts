import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db, Trx } from '#app/db/client.server.ts';
import { readBower } from '#app/features/bower/records.server.ts';
import { withdrawCertificate } from '#app/features/certificates/end-certificate.server.ts';
import { ownOfPlace } from '#app/features/certificates/queries.server.ts';
import { staysWithAttendee, whatStays } from '#app/features/enrolments/attended-places.server.ts';
import { changeAttendee } from '#app/features/enrolments/change-attendee.server.ts';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { planCancellation } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { xpOfPerson } from '#app/features/progress/records.server.ts';
import { attends, type Class, type InClass, issued, makeClass } from '#tests/support/certificates.ts';
import { placeCombo } from '#tests/support/combos.ts';
import { attendee, momentAt } from '#tests/support/enrolments.ts';
import { personOf } from '#tests/support/players.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let group: Class;
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  group = await makeClass(db);
});
afterEach(() => database.drop());

const inTrx = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
const noCourses = { bySlug: new Map(), aliases: new Map() };
const ada = { name: 'Ada Byron', email: 'ada@example.com' };
const eve = { name: 'Eve Else', email: 'eve@example.org' };
const give = (its: Omit<InClass, 'placeId'>, parts: object, when: string) =>
  inTrx((trx) => changeAttendee(trx, { ...its, attendee: attendee(parts), actor: theBuyer }, momentAt(when)));
const refused = { ok: false, reason: 'attended' };

test('P50: a certificate stays with who earned it: a month later the buyer cannot give the place away', async () => {
  const its = await attends(db, group, ada);
  const { number } = await issued(db, its.placeId);
  const person = await personOf(db, ada.email);
  const earned = await xpOfPerson(db, person);
  for (const parts of [eve, { name: null, email: null }, { ...ada, email: null }]) {
    expect(await give(its, parts, '2025-12-05T09:00')).toEqual(refused);
  }
  expect((await readBower(db, person, noCourses, null)).finished).toMatchObject([{ number }]);
  expect(await xpOfPerson(db, person)).toBe(earned);
  // What is misspelt is corrected still.
  expect(await give(its, { ...ada, name: 'Ada Byrom' }, '2025-12-05T09:00')).toEqual({ ok: true, changed: true });
  expect(await give(its, { name: 'Ada Byrom', email: 'ada@home.example' }, '2025-12-05T09:00')).toMatchObject({
    ok: true,
  });
  expect((await ownOfPlace(db, its.placeId))?.number).toBe(number);
});

test('P50: a certificate that was withdrawn still says who was there, so the place stays with them', async () => {
  const its = await attends(db, group, ada);
  const { number } = await issued(db, its.placeId);
  expect(await inTrx((trx) => withdrawCertificate(trx, number, momentAt('2025-12-01T09:00').now))).toMatchObject({
    ok: true,
  });
  const { places } = await readEnrolment(db, its.enrolmentId);
  // By a clock before the end of the class, which alone keeps a place.
  expect([...(await staysWithAttendee(db, places, momentAt('2025-11-05T10:00').now))]).toEqual([its.placeId]);
});

test('P64: a place can be given away until its last class ends, and the page says so from then on', async () => {
  const [early, late] = [
    await attends(db, group, ada, 1),
    await attends(db, group, { ...ada, email: 'b@example.com' }, 1),
  ];
  const said = async (when: string) =>
    whatStays(db, (await readEnrolment(db, late.enrolmentId)).places, momentAt(when).now);
  // The class is from 9 to 5 until Wednesday 5 November.
  expect(await said('2025-11-05T16:59')).toBeNull();
  expect(await give(early, eve, '2025-11-05T16:59')).toEqual({ ok: true, changed: true });
  expect(await said('2025-11-05T17:00')).toBe(
    'Certified Information Systems Security Professional (CISSP) is finished and stays with Ada Byron. You can correct the name or the address, but not name another person.',
  );
  expect(await give(late, eve, '2025-11-05T17:00')).toEqual(refused);
});

test('P64: of a combo, another person gets the courses to come; the one attended stays with its page, and the refund is the same', async () => {
  const ways = [{ startsOn: '2025-10-06' }, { startsOn: '2025-11-10' }, { startsOn: '2025-12-01' }] as const;
  const { enrolmentId } = await placeCombo(db, ways, momentAt('2025-09-08T09:00'), { attendees: [attendee(ada)] });
  const read = () => readEnrolment(db, enrolmentId);
  const [first, second, third] = (await read()).places;
  if (!first || !second || !third) throw new Error('three places were bought');
  const attendeeId = first.attendee.id;
  const token = await makeEnrolmentLink(db, enrolmentId, attendeeId);
  const when = momentAt('2025-10-20T09:00');
  const back = () =>
    inTrx(async (trx) => {
      const enrolment = await read();
      const toCome = enrolment.places.filter(({ id }) => id !== first.id);
      const asked = { placeIds: toCome.map(({ id }) => id), charged: await chargedFor(trx, enrolmentId) };
      return planCancellation(enrolment, asked, when)?.cents;
    });
  const before = await back();
  expect(await whatStays(db, (await read()).places, when.now)).toBe(
    'AWS Certified Cloud Practitioner (CLF-C02) is finished and stays with Ada Byron. Another person gets the other courses only.',
  );
  await db.deleteFrom('mails').execute();
  const change = { enrolmentId, attendeeId, attendee: attendee(eve), actor: theProgram };
  expect(await inTrx((trx) => changeAttendee(trx, change, when))).toEqual({ ok: true, changed: true });
  expect(await inTrx((trx) => changeAttendee(trx, change, when))).toEqual({ ok: true, changed: false });
  const names = new Map((await read()).places.map(({ id, attendee: { name } }) => [id, name]));
  expect(names).toEqual(
    new Map([
      [second.id, 'Eve Else'],
      [third.id, 'Eve Else'],
      [first.id, 'Ada Byron'],
    ]),
  );
  // Ada's link leads to what is hers.
  const links = await db
    .selectFrom('private_links')
    .select('attendee_id')
    .where('enrolment_id', '=', enrolmentId)
    .execute();
  const adas = (await read()).places.find(({ id }) => id === first.id)?.attendee.id;
  expect(token).toHaveLength(48);
  expect(links.flatMap(({ attendee_id }) => attendee_id ?? [])).toEqual([adas]);
  // She keeps one course of the combo, so that one is priced anew as before (P40).
  expect(await back()).toBe(before);
  const mails = await db.selectFrom('mails').select(['kind', 'recipient']).orderBy('id').execute();
  expect(mails.filter(({ recipient }) => recipient === ada.email)).toHaveLength(2);
});
