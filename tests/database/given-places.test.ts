import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db, Trx } from '#app/db/client.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { planCancellation } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { staysInWords } from '#app/features/enrolments/words.ts';
import { chargedFor } from '#app/features/money/adjustment-notes.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { readCandidates } from '#app/features/study/certificates/group.server.ts';
import { ownOfPlace } from '#app/features/study/certificates/queries.server.ts';
import { xpOfPerson } from '#app/features/study/completion.server.ts';
import {
  afterClass,
  attends,
  type Class,
  type InClass,
  issued,
  makeClass,
  markPresent,
} from '#tests/support/certificates.ts';
import { placeCombo } from '#tests/support/combos.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { personOf } from '#tests/support/players.ts';
import { recordOpened } from '#tests/support/study.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
// From Monday 3 to Wednesday 5 November 2025.
let group: Class;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  group = await makeClass(db);
});
afterAll(() => database.drop());

const inTrx = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
let people = 0;
const ada = () => ({ name: 'Ada Byron', email: `ada${++people}@example.com` });
const eve = { name: 'Eve Else', email: 'eve@example.org' };
const give = (its: Omit<InClass, 'placeId'>, parts: object, when: string) =>
  inTrx((trx) => changeAttendee(trx, { ...its, attendee: attendee(parts), actor: theProgram }, momentAt(when)));
const changed = { ok: true, changed: true };
const refused = { ok: false, reason: 'begun' };

test('P100: a place may be given away until its first day, also by staff', async () => {
  const [early, late] = [await attends(db, group, ada(), 0), await attends(db, group, ada(), 0)];
  expect(await give(early, eve, '2025-11-02T23:59')).toEqual(changed);
  expect(await give(late, eve, '2025-11-03T00:00')).toEqual(refused);
  const { places } = await readEnrolment(db, late.enrolmentId);
  expect([staysInWords(places, '2025-11-02'), staysInWords(places, '2025-11-03')]).toEqual([
    null,
    'Certified Information Systems Security Professional (CISSP) has begun and stays with Ada Byron. You can correct the name or the address, but not name another person.',
  ]);
});

test('P100: guided study may be given away until its first module is opened', async () => {
  const { id: courseId } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  const guided = { courseId, way: 'guided', from: '2025-10-13' } as const;
  const order = await orderOf(db, [guided], { attendees: [attendee(ada())] });
  const placed = await inTrx((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  if (!placed.ok) return expect.unreachable(placed.reason);
  const { enrolmentId } = placed;
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  const of = { enrolmentId, attendeeId: place?.attendee.id ?? 0 };
  expect(await give(of, eve, '2025-10-20T09:00')).toEqual(changed);
  await recordOpened(db, place?.id ?? 0, momentAt('2025-10-20T10:00').now);
  expect(await give(of, ada(), '2025-10-20T11:00')).toEqual(refused);
});

test('P50: after the first day a name or an address is still corrected, and neither can be taken off', async () => {
  const person = ada();
  const its = await attends(db, group, person);
  const { number } = await issued(db, its.placeId);
  const earned = await xpOfPerson(db, await personOf(db, person.email));
  for (const parts of [
    { name: null, email: null },
    { ...person, email: null },
  ]) {
    expect(await give(its, parts, '2025-12-05T09:00')).toEqual(refused);
  }
  expect(await give(its, { ...person, name: 'Ada Byrom' }, '2025-12-05T09:00')).toEqual(changed);
  expect(await give(its, { name: 'Ada Byrom', email: 'ada@home.example' }, '2025-12-05T09:00')).toEqual(changed);
  expect((await ownOfPlace(db, its.placeId))?.number).toBe(number);
  expect(await xpOfPerson(db, await personOf(db, 'ada@home.example'))).toBe(earned);
});

test.each(['Byron Ada', 'BYRON, Ada', 'Áda  Byron', 'Ada King'])(
  'P100: %s at a new address is still Ada Byron',
  async (name) => {
    const its = await attends(db, group, ada());
    expect(await give(its, { name, email: 'byron@example.com' }, '2025-11-05T18:00')).toEqual(changed);
  },
);

test.each([
  ['name first', [{ name: 'Eve Else' }, eve]],
  ['address first', [{ email: eve.email }, eve]],
  ['a word at a time', [{ name: 'Ada Else' }, { name: 'Ada Else', email: eve.email }, eve]],
])('P100: a place that has begun is not given away by several corrections either: %s', async (_, steps) => {
  const person = ada();
  const its = await attends(db, group, person, 1);
  const results = [];
  for (const [at, parts] of steps.entries())
    results.push(await give(its, { ...person, ...parts }, `2025-11-03T19:0${at}`));
  expect(results.at(-1)).toEqual(refused);
});

test('P64: a name that was changed after the first class is shown to staff before they issue a certificate', async () => {
  const person = ada();
  const its = await attends(db, group, person, 1);
  await give(its, { ...person, name: 'Ada Bryon' }, '2025-11-03T18:00');
  for (const day of ['2025-11-04', '2025-11-05']) await markPresent(db, its.placeId, group, day);
  const remark = async () => (await readCandidates(db, theProgram, { placeId: its.placeId }, afterClass))[0];
  expect(await remark()).toMatchObject({ standing: 'ready', remark: null });
  await give(its, { ...person, name: 'Grace Hopper' }, '2025-11-05T18:00');
  expect(await remark()).toMatchObject({
    standing: 'ready',
    remark:
      'The name was Ada Byron until Monday 3 November 2025, after the first class or exercise. Is it the same person?',
  });
});

test('P100: a corrected spelling is told as a correction, and another person as another', async () => {
  const person = ada();
  const its = await attends(db, group, person, 0);
  const kinds = async () => {
    const mails = db.selectFrom('mails').select('kind').where('about_id', '=', its.enrolmentId).orderBy('queued_at');
    return (await mails.where('kind', 'like', 'place-attendee-%').execute()).map(({ kind }) => kind);
  };
  await give(its, { ...person, name: 'Ada Byrom' }, '2025-11-01T09:00');
  await give(its, eve, '2025-11-01T10:00');
  expect(await kinds()).toEqual(['place-attendee-corrected', 'place-attendee-changed']);
});

test('P99, P100: another person gets the courses to come of a combo; the begun one stays, and the refund is the same', async () => {
  const person = ada();
  const ways = [{ startsOn: '2025-10-06' }, { startsOn: '2025-11-10' }, { startsOn: '2025-12-01' }] as const;
  const { enrolmentId } = await placeCombo(db, ways, momentAt('2025-09-08T09:00'), { attendees: [attendee(person)] });
  const read = () => readEnrolment(db, enrolmentId);
  const [first, second, third] = (await read()).places;
  if (!first || !second || !third) throw new Error('three places were bought');
  const attendeeId = first.attendee.id;
  await makeEnrolmentLink(db, enrolmentId, attendeeId);
  const when = momentAt('2025-10-20T09:00');
  const back = async () => {
    const asked = { placeIds: [second.id, third.id], charged: await chargedFor(db, enrolmentId) };
    return planCancellation(await read(), asked, when)?.cents;
  };
  const before = await back();
  expect(staysInWords((await read()).places, when.today)).toBe(
    'AWS Certified Cloud Practitioner (CLF-C02) has begun and stays with Ada Byron. Another person gets the other courses only.',
  );
  const change = { enrolmentId, attendeeId, attendee: attendee(eve), actor: theBuyer };
  expect(await inTrx((trx) => changeAttendee(trx, change, when))).toEqual(changed);
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
  const links = db.selectFrom('private_links').select('attendee_id').where('enrolment_id', '=', enrolmentId);
  const adas = (await read()).places.find(({ id }) => id === first.id)?.attendee.id;
  expect((await links.execute()).flatMap(({ attendee_id }) => attendee_id ?? [])).toEqual([adas]);
  expect([await back(), (before ?? 0) > 0]).toEqual([before, true]);
});
