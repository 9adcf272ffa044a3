import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db, Trx } from '#app/db/client.server.ts';
import { readCandidates } from '#app/features/certificates/group.server.ts';
import { issueCertificate } from '#app/features/certificates/issue.server.ts';
import { markWork } from '#app/features/certificates/mark-work.server.ts';
import { changeAttendee } from '#app/features/enrolments/change-attendee.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { addAddress } from '#app/features/people/more-addresses.server.ts';
import { completionOf } from '#app/features/progress/completion.server.ts';
import { readProgress } from '#app/features/progress/module-page.server.ts';
import { bowerRecords, xpEntriesOf, xpOfPerson } from '#app/features/progress/records.server.ts';
import { readStudy } from '#app/features/progress/study.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { exportPerson } from '#server/personal-records.ts';
import { afterClass, attends, type Class, type InClass, makeClass, markPresent } from '#tests/support/certificates.ts';
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
const [first, second] = ['ada@example.com', 'grace@example.org'];
const give = ({ enrolmentId, attendeeId }: InClass, parts: object, when: string) =>
  inTrx((trx) =>
    changeAttendee(trx, { enrolmentId, attendeeId, attendee: attendee(parts), actor: theProgram }, momentAt(when)),
  );
const grace = { name: 'Grace Hopper', email: second };

/** Three days of seven hours, so 420 minutes each. Ada is there on the first one; then Grace has the place. */
async function givenAfterTheFirstDay() {
  const its = await attends(db, group, { name: 'Ada Byron', email: first }, 1);
  await give(its, grace, '2025-11-03T19:00');
  return its;
}
const completed = async (placeId: number) => completionOf(db, placeId, { today: '2025-11-05' });

const asked = { today: afterClass.today, issued: new Set<number>() };

test('P64: attendance of the first person stays theirs, and does not count for the person who gets the place', async () => {
  const its = await givenAfterTheFirstDay();
  const { placeId } = its;
  expect((await completed(placeId)).facts).toMatchObject({ minutesAttended: 0, minutesTaught: 1260 });
  for (const day of ['2025-11-04', '2025-11-05']) await markPresent(db, placeId, group, day);
  const result = await completed(placeId);
  expect(result).toMatchObject({
    met: false,
    facts: { minutesAttended: 840, minutesTaught: 1260, firstDay: '2025-11-04', lastDay: '2025-11-05' },
    // Two days of three are 66%, and the first one was marked for somebody else.
    missing: ['Attended 14 h of 21 h; 80% is 16 h 48 min.'],
    remark:
      'This place was given to another person on Monday 3 November 2025. 1 day was before that. Only what this person did counts.',
  });
  expect(
    (await inTrx((trx) => issueCertificate(trx, { placeId, workAccepted: true, actor: theProgram }, afterClass))).ok,
  ).toBe(false);
  const [shown] = await readCandidates(db, theProgram, { placeId }, afterClass);
  expect(shown).toMatchObject({ standing: 'refused', remark: result.remark });
});

test('P64: work that was accepted of the first person is not the second one’s', async () => {
  const its = await attends(db, group, { name: 'Ada Byron', email: first }, 0);
  const { placeId } = its;
  const mark = (at: Date) =>
    inTrx((trx) => markWork(trx, { placeId, accepted: true }, { actor: group.instructor, now: at }));
  const work = async () => (await readStudy(db, placeId)).work?.acceptedAt ?? null;
  const [before, after] = [momentAt('2025-11-03T10:00').now, momentAt('2025-11-04T10:00').now];
  await mark(before);
  expect(await work()).toEqual(before);
  await give(its, grace, '2025-11-03T19:00');
  expect(await work()).toBeNull();
  await mark(after);
  expect(await work()).toEqual(after);
});

test('P62: XP and straws of before are the first person’s, those of after the second one’s', async () => {
  const { placeId } = await givenAfterTheFirstDay();
  const [ada, other] = [await personOf(db, first), await personOf(db, second)];
  const earned = await xpOfPerson(db, ada);
  expect(earned).toBeGreaterThan(0);
  expect(await xpOfPerson(db, other)).toBe(0);
  expect((await readProgress(db, [placeId], asked)).get(placeId)?.progress).toMatchObject({ xp: 0, percent: 0 });
  for (const day of ['2025-11-04', '2025-11-05']) await markPresent(db, placeId, group, day);
  expect(await xpOfPerson(db, ada)).toBe(earned);
  // Two days are worth twice what one is, but for rounding.
  expect(Math.abs((await xpOfPerson(db, other)) - 2 * earned)).toBeLessThanOrEqual(1);
  const records = async (person: number) =>
    (await bowerRecords(db, person)).map(({ state, minutesAttended, xp }) => ({ state, minutesAttended, xp }));
  expect(await records(ada)).toEqual([{ state: 'left', minutesAttended: 420, xp: earned }]);
  expect(await records(other)).toEqual([{ state: 'running', minutesAttended: 840, xp: await xpOfPerson(db, other) }]);
  expect((await xpEntriesOf(db, ada, { limit: 10 })).map(({ record }) => record)).toMatchObject([
    { day: '2025-11-03' },
  ]);
  expect(await xpEntriesOf(db, other, { limit: 10 })).toHaveLength(2);
});

/** Adds an address to a person by the link that was sent there; the account of that address becomes theirs. */
async function takeAddress(personId: number, email: string, now: Date): Promise<void> {
  await db
    .insertInto('address_asks')
    .values({ person_id: personId, email, asked_at: now, link_hash: hashOfToken('link') })
    .execute();
  const clock = { now: () => now, aheadMs: 0 };
  expect(await inTrx((trx) => addAddress(trx, { clock }, { personId, token: 'link' }))).toEqual({ ok: true });
}

test('P50: attendance from before a place was given away comes along when two accounts become one', async () => {
  await givenAfterTheFirstDay();
  const earned = await xpOfPerson(db, await personOf(db, first));
  const home = await personOf(db, 'ada@home.example');
  const { now } = momentAt('2025-11-10T09:00');
  await takeAddress(home, first, now);
  expect(earned).toBeGreaterThan(0);
  expect(await xpOfPerson(db, home)).toBe(earned);
  expect(await bowerRecords(db, home)).toMatchObject([{ state: 'left', minutesAttended: 420 }]);
});

test('P64: on the day on which a place is given away, the class counts for the person who has the place when the class ends', async () => {
  const its = await attends(db, group, { name: 'Ada Byron', email: first }, 1);
  await give(its, grace, '2025-11-04T09:30');
  for (const day of ['2025-11-04', '2025-11-05']) await markPresent(db, its.placeId, group, day);
  expect((await completed(its.placeId)).facts.minutesAttended).toBe(840);
});

test('P64: given before the first day, all days are the second person’s; a corrected name or address gives nothing away', async () => {
  const early = await attends(db, group, { name: 'Ada Byron', email: first }, 0);
  await give(early, grace, '2025-11-02T12:00');
  for (const day of ['2025-11-03', '2025-11-04', '2025-11-05']) await markPresent(db, early.placeId, group, day);
  expect((await completed(early.placeId)).met).toBe(true);

  const corrected = await attends(db, group, { name: 'Ada Byron', email: 'byron@example.com' });
  await give(corrected, { name: 'Ada King', email: 'byron@example.com' }, '2025-11-05T18:00');
  await give(corrected, { name: 'Ada King', email: 'king@example.com' }, '2025-11-05T18:05');
  expect(await completed(corrected.placeId)).toMatchObject({ met: true, remark: null });
  const handovers = await db.selectFrom('attendee_handovers').select('attendee_id').execute();
  expect(handovers).toEqual([{ attendee_id: early.attendeeId }]);
});

test.each([
  ['name first', [{ name: 'Grace Hopper', email: first }, grace]],
  ['address first', [{ name: 'Ada Byron', email: second }, grace]],
  ['a word at a time', [{ name: 'Ada Hopper', email: first }, { name: 'Ada Hopper', email: second }, grace]],
])('P64: a place that is given away by several corrections takes nothing along: %s', async (_, steps) => {
  const its = await attends(db, group, { name: 'Ada Byron', email: first }, 1);
  for (const [at, parts] of steps.entries()) await give(its, parts, `2025-11-03T19:0${at}`);
  for (const day of ['2025-11-04', '2025-11-05']) await markPresent(db, its.placeId, group, day);
  expect(await completed(its.placeId)).toMatchObject({ met: false, facts: { minutesAttended: 840 } });
  const [ada, other] = [await personOf(db, first), await personOf(db, second)];
  expect(await xpOfPerson(db, ada)).toBeGreaterThan(0);
  expect(await xpOfPerson(db, other)).toBeGreaterThan(await xpOfPerson(db, ada));
});

test('P64: a name that was changed after the first class is shown to staff before they issue a certificate', async () => {
  const its = await attends(db, group, { name: 'Ada Byron', email: first }, 1);
  await give(its, { name: 'Ada Bryon', email: first }, '2025-11-03T18:00');
  for (const day of ['2025-11-04', '2025-11-05']) await markPresent(db, its.placeId, group, day);
  const remark = async () => (await readCandidates(db, theProgram, { placeId: its.placeId }, afterClass))[0];
  expect(await remark()).toMatchObject({ standing: 'ready', remark: null });
  await give(its, { name: 'Grace Hopper', email: first }, '2025-11-05T18:00');
  expect(await remark()).toMatchObject({
    standing: 'ready',
    remark:
      'The name was Ada Byron until Monday 3 November 2025, after the first class or exercise. Is it the same person?',
  });
});

test('P58: each of the two finds their own attendance in their data file, and not the other’s', async () => {
  const { placeId } = await givenAfterTheFirstDay();
  await markPresent(db, placeId, group, '2025-11-04');
  const daysOf = async (address: string) =>
    (await exportPerson(db, address)).progress?.flatMap((row) => ('day' in row ? row.day : []));
  expect(await daysOf(first)).toEqual(['2025-11-03']);
  expect(await daysOf(second)).toEqual(['2025-11-04']);
});

test('P64: a place that returns to the first person has their earlier attendance, and not the other’s', async () => {
  const its = await givenAfterTheFirstDay();
  const { placeId } = its;
  await markPresent(db, placeId, group, '2025-11-04');
  await give(its, { name: 'Ada Byron', email: first }, '2025-11-04T19:00');
  await markPresent(db, placeId, group, '2025-11-05');
  // The first and the third of three days are Ada's; the second is Grace's.
  expect(await completed(placeId)).toMatchObject({
    facts: { minutesAttended: 840, firstDay: '2025-11-03' },
    remark:
      'This place was given to another person and came back on Tuesday 4 November 2025. 1 day was the other person’s. Only what this person did counts.',
  });
  const [ada, other] = [await personOf(db, first), await personOf(db, second)];
  const minutes = async (person: number) => (await bowerRecords(db, person)).map((one) => one.minutesAttended);
  expect([await minutes(ada), await minutes(other)]).toEqual([[840], [420]]);
  // The page of the place and the account say the same points.
  expect((await readProgress(db, [placeId], asked)).get(placeId)?.progress.xp).toBe(await xpOfPerson(db, ada));
  expect(Math.abs((await xpOfPerson(db, ada)) - 2 * (await xpOfPerson(db, other)))).toBeLessThanOrEqual(1);
});

test('P64: a name that is taken off first and another one entered later gives the place away too', async () => {
  const its = await attends(db, group, { name: 'Ada Byron', email: first }, 1);
  await give(its, { name: null, email: null }, '2025-11-03T19:00');
  await give(its, grace, '2025-11-03T19:05');
  for (const day of ['2025-11-04', '2025-11-05']) await markPresent(db, its.placeId, group, day);
  expect(await completed(its.placeId)).toMatchObject({ met: false, facts: { minutesAttended: 840 } });
  expect(await xpOfPerson(db, await personOf(db, first))).toBeGreaterThan(0);
});

test.each(['Byron Ada', 'BYRON, Ada', 'Áda  Byron'])('P64: %s at a new address is still Ada Byron', async (name) => {
  const its = await attends(db, group, { name: 'Ada Byron', email: first });
  await give(its, { name, email: 'byron@example.com' }, '2025-11-05T18:00');
  expect(await completed(its.placeId)).toMatchObject({ met: true, facts: { minutesAttended: 1260 } });
});
