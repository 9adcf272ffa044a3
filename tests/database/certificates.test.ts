import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDb, type Db, type Trx } from '#app/db/client.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import {
  canBeUndone,
  revokeCertificate,
  undoCertificate,
  withdrawCertificate,
} from '#app/features/study/certificates/end-certificate.server.ts';
import { heldInWords, metAndRule, ruleInWords } from '#app/features/study/certificates/facts.ts';
import { issueToGroup, readCandidates } from '#app/features/study/certificates/group.server.ts';
import { correctName, decideName } from '#app/features/study/certificates/holder.server.ts';
import { issueCertificate } from '#app/features/study/certificates/issue.server.ts';
import { markWork } from '#app/features/study/certificates/mark-work.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { findCertificate, ownOfPlace } from '#app/features/study/certificates/queries.server.ts';
import { certificatesToReview, keepCertificate } from '#app/features/study/certificates/staff-list.server.ts';
import { markDay } from '#app/features/study/marking.server.ts';
import { isFinished } from '#app/features/study/xp.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { afterClass, attends, type Class, issued, makeClass } from '#tests/support/certificates.ts';
import { attendee, momentAt } from '#tests/support/enrolments.ts';
import { anOwner, makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let group: Class;
const opened: Db[] = [];
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  group = await makeClass(db);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.destroy()));
  await database.drop();
});

const inTrx = <T>(work: (trx: Trx) => Promise<T>, on = db) => on.transaction().execute(work);
const email = () => `${crypto.randomUUID()}@example.com`;
const momentIn = (minutes: number) => ({ ...afterClass, now: minutesLater(minutes) });
const minutesLater = (minutes: number) => new Date(afterClass.now.getTime() + minutes * 60_000);
const mailsOf = (to: string) =>
  db
    .selectFrom('mails')
    .select(['state', 'body_text'])
    .where('recipient', '=', to)
    .where('kind', '=', 'certificate-issued')
    .execute();
async function found(number: string) {
  const certificate = await findCertificate(db, number);
  if (!certificate) return expect.unreachable(`${number} is unknown`);
  return certificate;
}

test('P64: no email announces a certificate that its holder withdrew before it went out', async () => {
  const to = email();
  const { placeId } = await attends(db, group, { name: 'Zoë', email: to });
  const { number } = await issued(db, placeId);
  expect(await mailsOf(to)).toMatchObject([{ state: 'queued' }]);
  await inTrx((trx) => withdrawCertificate(trx, number, minutesLater(5)));
  expect(await mailsOf(to)).toMatchObject([{ state: 'dropped' }]);
});

test('P64: a certificate keeps its course, days, hours and rule when these change', async () => {
  const { placeId } = await attends(db, group, { name: 'Zoë  Nuñez 😀', email: email() });
  const { number } = await issued(db, placeId);
  const before = await found(number);
  expect(before.facts.course.title).toContain('CISSP');
  expect(heldInWords(before.facts)).toBe('3 to 5 November 2025, 21 hours');
  expect(ruleInWords(before.facts)).toBe('Present for at least 80% of the hours, and the assessed work accepted');
  expect(metAndRule(before.facts)).toBe('Present for 21 of 21 hours; the rule asks for 80%. Assessed work accepted.');
  expect(before.holderName).toBe('Zoë Nuñez 😀');
  expect(before.facts.recognition).toContain('not a registered training organisation');

  await database.owner.updateTable('courses').set({ title: 'Renamed', hours: 1, level: 'Beginner' }).execute();
  await database.owner.updateTable('instructors').set({ name: 'Nobody' }).execute();
  await database.owner
    .updateTable('course_dates')
    .set({ starts_on: '2025-11-04', break_minutes: 120 })
    .where('id', '=', group.courseDate.id)
    .execute();
  await db.updateTable('attendees').set({ name: 'Somebody else' }).execute();
  expect(await found(number)).toEqual(before);
});

test('P64: the preview says who is ready and who is refused and why; debt is no reason', async () => {
  await attends(db, group, { name: 'Ada Byron', email: email() });
  // Two of three days are 14 of 21 hours; 80% are 16 h 48 min.
  await attends(db, group, { name: 'Bob Short' }, 2);
  await attends(db, group, { name: null });
  const people = await readCandidates(db, group.instructor, { courseDateId: group.courseDate.id }, afterClass);
  expect(people.map(({ name, standing }) => [name, standing])).toEqual([
    ['Ada Byron', 'ready'],
    ['Bob Short', 'refused'],
    [null, 'refused'],
  ]);
  expect(people[1]).toMatchObject({
    why: ['Attended 14 h of 21 h; 80% is 16 h 48 min.', '1 day is not marked.'],
  });
  expect(people[2]).toMatchObject({ why: ['The attendee is not named.'] });
  // Nothing was paid.
  expect(await db.selectFrom('payments').select('id').execute()).toEqual([]);
  const placeIds = people.map(({ placeId }) => placeId);
  const result = await issueToGroup(
    db,
    { placeIds, workAccepted: true, actor: group.instructor, onFailure: expect.unreachable },
    afterClass,
  );
  expect([result.issued, result.already, result.refused.size]).toEqual([1, 0, 2]);
  const again = await issueToGroup(
    db,
    { placeIds, workAccepted: true, actor: group.instructor, onFailure: expect.unreachable },
    afterClass,
  );
  expect([again.issued, again.already, again.refused.size]).toEqual([0, 1, 2]);
});

test('P61: the work that a course asks for is fixed when a place is sold, and somebody says that it was accepted', async () => {
  const issue = (placeId: number, workAccepted: boolean) =>
    inTrx((trx) => issueCertificate(trx, { placeId, workAccepted, actor: group.instructor }, afterClass));
  const course = () => db.updateTable('courses').where('id', '=', group.courseDate.courseId);
  const sold = await attends(db, group);
  const before = await attends(db, group);
  await db
    .updateTable('places')
    .set({ completion: sql`completion - 'work'` })
    .where('id', '=', before.placeId)
    .execute();
  await course().set({ details: sql`details || '{"credential": "Draw a map."}'` }).execute();
  const later = await attends(db, group);
  await course().set({ details: sql`details || '{"completion": {"attendanceAlone": true}}'` }).execute();
  const alone = await attends(db, group);
  const people = await readCandidates(db, group.instructor, { courseDateId: group.courseDate.id }, afterClass);
  const works = new Map(people.map((one) => [one.placeId, one.standing === 'ready' ? (one.work?.text ?? null) : '']));
  expect(works.get(sold.placeId)).toMatch(/^Eight domain problem sets/);
  expect([before, later, alone].map(({ placeId }) => works.get(placeId))).toEqual([null, 'Draw a map.', null]);
  expect(await issue(sold.placeId, false)).toEqual({
    ok: false,
    why: ['Confirm that the work was accepted that the course asks for.'],
  });
  expect((await issue(alone.placeId, false)).ok).toBe(true);
  expect((await issue(later.placeId, true)).ok).toBe(true);
  const counted = await issue(before.placeId, false);
  expect(counted.ok && ruleInWords((await found(counted.number)).facts)).toBe('Present for at least 80% of the hours');
});

test('P64: no certificate before the last day, and none for a place that was cancelled', async () => {
  const { placeId } = await attends(db, group);
  const early = await inTrx((trx) =>
    issueCertificate(trx, { placeId, workAccepted: true, actor: theProgram }, momentAt('2025-11-04T18:00')),
  );
  expect(early).toEqual({ ok: false, why: ['The last day is Wednesday 5 November 2025.'] });
  await db
    .updateTable('places')
    .set({ state: 'cancelled', cancelled_at: afterClass.now, cancelled_why: 'buyer' })
    .execute();
  const gone = await inTrx((trx) =>
    issueCertificate(trx, { placeId, workAccepted: true, actor: theProgram }, afterClass),
  );
  expect(gone).toMatchObject({ ok: false, why: ['The place was cancelled.'] });
});

test('P64: pressed by several at once in two processes, there is one certificate, one mail and one entry of XP', async () => {
  const to = email();
  const { placeId } = await attends(db, group, { email: to });
  const other = createDb(database.connection, () => undefined);
  opened.push(other);
  const press = (on: Db) =>
    inTrx((trx) => issueCertificate(trx, { placeId, workAccepted: true, actor: group.instructor }, afterClass), on);
  const results = await Promise.all([press(db), press(other), press(db), press(other)]);
  const numbers = new Set(results.map((result) => (result.ok ? result.number : 'refused')));
  expect(numbers.size).toBe(1);
  expect(results.filter((result) => result.ok && !result.already)).toHaveLength(1);
  expect(await mailsOf(to)).toHaveLength(1);
  const entries = await db.selectFrom('xp_entries').select('points').where('source_kind', '=', 'certificate').execute();
  expect(entries).toHaveLength(1);
});

test('P64: a failure for one person undoes nothing for the others', async () => {
  const first = await attends(db, group, { name: 'Ada Byron' });
  const broken = await attends(db, group, { name: 'Bob Bug' });
  const last = await attends(db, group, { name: 'Cara Last' });
  await db
    .updateTable('places')
    .set({ completion: JSON.stringify({ bad: true }) })
    .where('id', '=', broken.placeId)
    .execute();
  const failures: unknown[] = [];
  const result = await issueToGroup(
    db,
    {
      workAccepted: true,
      placeIds: [first.placeId, broken.placeId, last.placeId],
      actor: group.instructor,
      onFailure: (error) => failures.push(error),
    },
    afterClass,
  );
  expect([result.issued, [...result.refused.keys()], failures.length]).toEqual([2, [broken.placeId], 1]);
});

test('P64: undone within 15 minutes there is no trace: no mail, no XP, and the number is unknown', async () => {
  const to = email();
  const { placeId } = await attends(db, group, { email: to });
  const { number } = await issued(db, placeId);
  const undo = (minutes: number) =>
    inTrx((trx) => undoCertificate(trx, { number, actor: group.instructor }, minutesLater(minutes)));
  expect(canBeUndone(await found(number), minutesLater(14.9))).toBe(true);
  expect(await undo(15)).toEqual({ ok: false, reason: 'too-late' });
  expect(await isFinished(db, placeId)).toBe(true);
  expect(await undo(14.9)).toMatchObject({ ok: true });
  expect(await findCertificate(db, number)).toBeNull();
  expect((await mailsOf(to)).map(({ state }) => state)).toEqual(['dropped']);
  expect(await isFinished(db, placeId)).toBe(false);
  expect(await undo(14.9)).toEqual({ ok: false, reason: 'unknown' });
  const again = await issued(db, placeId);
  expect(again.number).not.toBe(number);
  expect((await mailsOf(to)).map(({ state }) => state).sort()).toEqual(['dropped', 'queued']);
});

test('P64: the mail is due after the time in which it can be undone, and holds no public link', async () => {
  const to = email();
  const { placeId } = await attends(db, group, { email: to });
  const { number } = await issued(db, placeId);
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from tries_from - queued_at)::integer as seconds from mails where recipient = ${to}
    and kind = 'certificate-issued'`.execute(db);
  expect(rows[0]?.seconds).toBeGreaterThanOrEqual(15 * 60 + 59);
  const [mail] = await mailsOf(to);
  expect(mail?.body_text).not.toContain(number);
  expect(mail?.body_text).toMatch(/\{place:\d+:\d+\}/);
});

test('P44: revoked it says since when and why, once and for good', async () => {
  const to = email();
  const { placeId } = await attends(db, group, { email: to });
  const { number } = await issued(db, placeId);
  const revoke = () =>
    inTrx((trx) => revokeCertificate(trx, { number, why: 'wrong-person', actor: anOwnerOf() }, momentIn(60 * 24)));
  await db.updateTable('mails').set({ state: 'sent' }).where('recipient', '=', to).execute();
  expect(await revoke()).toMatchObject({ ok: true });
  expect(await found(number)).toMatchObject({ state: 'revoked', reason: 'it was issued to the wrong person' });
  const told = db.selectFrom('mails').select('body_text').where('recipient', '=', to);
  const mail = await told.where('kind', '=', 'certificate-revoked').executeTakeFirst();
  expect(mail?.body_text).toContain('because it was issued to the wrong person');
  expect(mail?.body_text).toContain(`/certificates/${number}`);
  expect(await revoke()).toEqual({ ok: false, reason: 'ended' });
  expect(await isFinished(db, placeId)).toBe(false);
  await expect(sql`delete from certificates`.execute(db)).rejects.toThrow('only added to');
  await expect(
    sql`update certificates set state = 'issued', ended_at = null, reason = null`.execute(db),
  ).rejects.toThrow('a certificate says what it was issued on');
  await expect(sql`update certificates set facts = '{}'`.execute(db)).rejects.toThrow('issued on');
  await expect(sql`update certificates set holder_name = 'Eve'`.execute(db)).rejects.toThrow('issued on');
});

const anOwnerOf = () => ({ ...anOwner, person: { ...group.instructor.person } });

test('P61: accepted work is recorded when it is handed in, once, and can be taken back until there is a certificate', async () => {
  const { placeId } = await attends(db, group);
  const mark = (accepted: boolean, actor = group.instructor) =>
    inTrx((trx) => markWork(trx, { placeId, accepted }, { actor, now: afterClass.now }));
  const issue = () =>
    inTrx((trx) => issueCertificate(trx, { placeId, workAccepted: false, actor: group.instructor }, afterClass));
  const others = { ...group.instructor, teachesAs: ['somebody-else'] };
  expect(await mark(true, others)).toEqual({ ok: false, reason: 'unknown' });
  const reader = staffActor(group.instructor.person, 'reader');
  await expect(mark(true, reader)).rejects.toThrow(NotPermitted);
  expect(await Promise.all([mark(true), mark(true)])).toEqual([{ ok: true }, { ok: true }]);
  expect(await mark(false)).toEqual({ ok: true });
  expect((await issue()).ok).toBe(false);
  expect(await mark(true)).toEqual({ ok: true });
  const marks = await db.selectFrom('work_marks').select('accepted').orderBy('id').execute();
  expect(marks.map(({ accepted }) => accepted)).toEqual([true, false, true]);
  await expect(db.updateTable('work_marks').set({ accepted: false }).execute()).rejects.toThrow('is only added to');

  const done = await issue();
  expect(done.ok && (await found(done.number)).facts.workAccepted).toBe(true);
  expect(await mark(false)).toEqual({ ok: false, reason: 'issued' });
  // A course that asks for none has none to accept.
  const without = await attends(db, group);
  await sql`update places set completion = completion - 'work' where id = ${without.placeId}`.execute(db);
  const none = { placeId: without.placeId, accepted: true };
  expect(await inTrx((trx) => markWork(trx, none, { actor: group.instructor, now: afterClass.now }))).toEqual({
    ok: false,
    reason: 'unknown',
  });
});

test('P67, P68: an instructor issues in their own course dates only, and revokes nothing', async () => {
  const { placeId } = await attends(db, group);
  const other = await makeStaff(db, { email: 'otto@staff.example', name: 'Otto' }, afterClass.now, {
    role: 'instructor',
    teachesAs: group.teachesAs,
  });
  const stranger = { ...other.actor, teachesAs: ['somebody-else'] };
  expect(await readCandidates(db, stranger, { courseDateId: group.courseDate.id }, afterClass)).toEqual([]);
  const result = await issueToGroup(
    db,
    { placeIds: [placeId], workAccepted: true, actor: stranger, onFailure: expect.unreachable },
    afterClass,
  );
  expect([result.issued, result.refused.get(placeId)]).toEqual([0, ['You may not issue this certificate.']]);
  // The course date's instructor counts, not that of the course.
  const { instructor_slug } = await db
    .selectFrom('courses')
    .select('instructor_slug')
    .where('instructor_slug', '<>', group.teachesAs)
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.updateTable('courses').set({ instructor_slug }).where('id', '=', group.courseDate.courseId).execute();
  const inReach = (teachesAs: string) =>
    readCandidates(
      db,
      { ...group.instructor, teachesAs: [teachesAs] },
      { courseDateId: group.courseDate.id },
      afterClass,
    );
  expect(await inReach(group.teachesAs)).toHaveLength(1);
  expect(await inReach(instructor_slug)).toEqual([]);
  const { number } = await issued(db, placeId);
  const undone = await inTrx((trx) => undoCertificate(trx, { number, actor: stranger }, afterClass.now));
  expect(undone).toEqual({ ok: false, reason: 'unknown' });
  await expect(
    inTrx((trx) => revokeCertificate(trx, { number, why: 'mistake', actor: group.instructor }, afterClass)),
  ).rejects.toThrow(NotPermitted);
  const reader = staffActor({ id: other.id, name: 'Otto' }, 'reader');
  await expect(
    inTrx((trx) => issueCertificate(trx, { placeId, workAccepted: true, actor: reader }, afterClass)),
  ).rejects.toThrow(NotPermitted);
});

test('P65: a corrected name is issued again under a new number; the old one says so', async () => {
  const { placeId } = await attends(db, group, { name: 'Ada Brenan', email: email() });
  const { number } = await issued(db, placeId);
  const correct = (of: string, name: string) => inTrx((trx) => correctName(trx, of, name, momentIn(90)));
  const again = await correct(number, 'Ada Brennan');
  if (!again.ok || again.done !== 'issued-again') return expect.unreachable(JSON.stringify(again));
  expect(await found(number)).toMatchObject({ state: 'superseded', supersededBy: again.number });
  const now = await found(again.number);
  expect(now).toMatchObject({ state: 'issued', holderName: 'Ada Brennan', supersedes: number });
  expect(now.facts).toEqual((await found(number)).facts);
  expect(await isFinished(db, placeId)).toBe(true);
  expect((await ownOfPlace(db, placeId))?.number).toBe(again.number);
  expect(await correct(number, 'Ada Brennon')).toEqual({ ok: false, reason: 'ended' });
  // A third person one letter at a time: counted from the first name.
  expect(await correct(again.number, 'Ida Brennan')).toMatchObject({ ok: true, done: 'issued-again' });
  const third = (await ownOfPlace(db, placeId))?.number ?? '';
  expect(await correct(third, 'Ida Brannan')).toMatchObject({ ok: true, done: 'asked' });
  // Revoked, the ledger takes back what the first of them was credited.
  await inTrx((trx) => revokeCertificate(trx, { number: third, why: 'mistake', actor: anOwnerOf() }, momentIn(99)));
  expect(await isFinished(db, placeId)).toBe(false);
});

test('P65: three corrections of a name are made at once, the fourth waits for staff', async () => {
  const { placeId } = await attends(db, group, { name: 'Ada Brenan', email: email() });
  let { number } = await issued(db, placeId);
  for (const name of ['Ada Brennan', 'Ada Brenan', 'Ada Brennan']) {
    const again = await inTrx((trx) => correctName(trx, number, name, momentIn(90)));
    if (!again.ok || again.done !== 'issued-again') return expect.unreachable(JSON.stringify(again));
    number = again.number;
  }
  const fourth = await inTrx((trx) => correctName(trx, number, 'Ada Brenan', momentIn(90)));
  expect(fourth).toEqual({ ok: true, done: 'asked' });
});

test('P65: letters are counted from the last name that staff took, and the mail that waits gets the new number', async () => {
  const { placeId } = await attends(db, group, { name: 'Ada Byron', email: 'byron@example.com' });
  const { number } = await issued(db, placeId);
  const correct = (of: string, name: string, later: number) =>
    inTrx((trx) => correctName(trx, of, name, momentIn(later)));
  const queued = async () =>
    (await db.selectFrom('mails').select(['body_text', 'state']).where('kind', '=', 'certificate-issued').execute())
      .filter(({ state }) => state === 'queued')
      .map(({ body_text }) => body_text);
  const first = await correct(number, 'Ada Byrom', 5);
  if (!first.ok || first.done !== 'issued-again') return expect.unreachable(JSON.stringify(first));
  expect(await queued()).toEqual([expect.stringContaining(inFours(first.number))]);

  expect(await correct(first.number, 'Ada Lovelace', 90)).toEqual({ ok: true, done: 'asked' });
  const taking = { number: first.number, take: true, actor: anOwnerOf() };
  const taken = await inTrx((trx) => decideName(trx, taking, momentIn(95)));
  if (!taken.ok) return expect.unreachable(taken.reason);
  const again = await correct(taken.number, 'Ada Lovelacé', 100);
  if (!again.ok || again.done !== 'issued-again') return expect.unreachable(JSON.stringify(again));
  expect(await correct(again.number, 'Ada Lovelase', 105)).toMatchObject({ ok: true, done: 'issued-again' });
  // What was delivered is not mailed again.
  await db
    .updateTable('mails')
    .set({ state: 'sent', settled_at: afterClass.now })
    .where('state', '=', 'queued')
    .execute();
  const last = (await ownOfPlace(db, placeId))?.number ?? '';
  expect(await correct(last, 'Ada Lovelace', 110)).toMatchObject({ ok: true, done: 'issued-again' });
  expect(await queued()).toEqual([]);
});

test('P65: another name waits for staff, who take it or not', async () => {
  const { placeId } = await attends(db, group, { name: 'Ada Byron', email: 'byron@example.com' });
  const { number } = await issued(db, placeId);
  const ask = () => inTrx((trx) => correctName(trx, number, 'Ada Lovelace', momentIn(90)));
  expect(await ask()).toEqual({ ok: true, done: 'asked' });
  expect(await ask()).toEqual({ ok: false, reason: 'asked-before' });
  const { id } = await found(number);
  expect((await certificatesToReview(db, { ...afterClass, now: minutesLater(95) })).get(id)).toEqual({
    name: 'Ada Lovelace',
    missing: [],
  });
  const decide = (take: boolean) =>
    inTrx((trx) =>
      decideName(
        trx,
        { number, take, why: take ? '' : 'Please send a document.', actor: anOwnerOf() },
        { ...afterClass, now: minutesLater(99) },
      ),
    );
  expect(await decide(false)).toEqual({ ok: true, number });
  expect(await decide(true)).toEqual({ ok: false, reason: 'nothing-asked' });
  await ask();
  const taken = await decide(true);
  if (!taken.ok) return expect.unreachable();
  expect(await found(taken.number)).toMatchObject({ holderName: 'Ada Lovelace', supersedes: number });
  const told = await db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('kind', '=', 'certificate-name-decided')
    .where('recipient', '=', 'byron@example.com')
    .orderBy('queued_at')
    .execute();
  expect(told.map(({ subject }) => subject.split(':')[0])).toEqual([
    'Your certificate, name kept',
    'Your certificate, new name',
  ]);
  expect(told[0]?.body_text).toContain('Please send a document.');
  expect(told[1]?.body_text).toContain(inFours(taken.number));
  expect(told.some(({ body_text }) => body_text.includes('Lovelace'))).toBe(false);
});

test('P64: attendance taken back afterwards lists the certificate for staff, and revokes nothing', async () => {
  const { placeId } = await attends(db, group);
  const { id, number } = await issued(db, placeId);
  const later = { ...afterClass, now: minutesLater(60 * 48), today: '2025-11-07' };
  expect((await certificatesToReview(db, later)).size).toBe(0);
  const owner = { ...staffActor(group.instructor.person), teachesAs: [] };
  await inTrx((trx) =>
    markDay(
      trx,
      {
        placeId,
        courseDateId: group.courseDate.id,
        day: '2025-11-04',
        key: crypto.randomUUID(),
        mark: 'absent',
        minutesLate: 0,
        minutesLeftEarly: 0,
        tap: null,
        reason: 'It was somebody else',
      },
      { actor: owner, now: later.now },
    ),
  );
  expect((await certificatesToReview(db, later)).get(id)?.missing).toEqual([
    'Attended 14 h of 21 h; 80% is 16 h 48 min.',
  ]);
  expect(await found(number)).toMatchObject({ state: 'issued' });
  await inTrx((trx) => keepCertificate(trx, { number, actor: owner }, new Date(later.now.getTime() + 1)));
  expect((await certificatesToReview(db, later)).size).toBe(0);
});

test('P64: a place whose money is given back afterwards lists its certificate for staff, and revokes nothing', async () => {
  const { placeId, enrolmentId } = await attends(db, group);
  const { id, number } = await issued(db, placeId);
  const later = { ...afterClass, now: minutesLater(60 * 48), today: '2025-11-07' };
  const owner = { ...staffActor(group.instructor.person), teachesAs: [] };
  const inFull = { reason: 'The course was not what was promised' };
  const cancellation = {
    enrolmentId,
    placeIds: [placeId],
    why: 'staff',
    actor: owner,
    inFull,
    shownCents: null,
  } as const;
  expect(await inTrx((trx) => cancelPlaces(trx, cancellation, later))).toMatchObject({ ok: true });
  expect((await certificatesToReview(db, later)).get(id)?.missing).toEqual(['The place was cancelled.']);
  expect(await found(number)).toMatchObject({ state: 'issued' });
  await inTrx((trx) => keepCertificate(trx, { number, actor: owner }, new Date(later.now.getTime() + 1)));
  expect((await certificatesToReview(db, later)).size).toBe(0);
});

test('P65: after its holder withdraws it the place stays finished, and no other is issued automatically', async () => {
  const { placeId } = await attends(db, group);
  const { number } = await issued(db, placeId);
  expect(await inTrx((trx) => withdrawCertificate(trx, number, minutesLater(30)))).toMatchObject({ ok: true });
  expect(await found(number)).toMatchObject({ state: 'withdrawn' });
  expect(await isFinished(db, placeId)).toBe(true);
});

test('P64: withdrawing a certificate before staff correct the attendance does not avoid its revocation', async () => {
  const { placeId } = await attends(db, group);
  const { id, number } = await issued(db, placeId);
  await inTrx((trx) => withdrawCertificate(trx, number, minutesLater(30)));
  const later = { ...afterClass, now: minutesLater(60 * 48), today: '2025-11-07' };
  const owner = { ...staffActor(group.instructor.person), teachesAs: [] };
  const absent = {
    mark: 'absent',
    minutesLate: 0,
    minutesLeftEarly: 0,
    tap: null,
    reason: 'Somebody else sat there',
  } as const;
  for (const day of ['2025-11-03', '2025-11-04', '2025-11-05']) {
    const mark = { ...absent, placeId, courseDateId: group.courseDate.id, day, key: crypto.randomUUID() };
    expect(await inTrx((trx) => markDay(trx, mark, { actor: owner, now: later.now }))).toMatchObject({ ok: true });
  }
  expect((await certificatesToReview(db, later)).get(id)?.missing).toEqual([
    'Attended 0 h of 21 h; 80% is 16 h 48 min.',
  ]);
  const revoke = { number, why: 'attendance', actor: anOwnerOf() } as const;
  expect(await inTrx((trx) => revokeCertificate(trx, revoke, later))).toMatchObject({ ok: true });
  expect(await found(number)).toMatchObject({ state: 'revoked', endedAt: later.now });
  expect(await isFinished(db, placeId)).toBe(false);
  const { sum } = await db
    .selectFrom('xp_entries')
    .select(({ fn }) => fn.sum<string>('points').as('sum'))
    .where('place_id', '=', placeId)
    .executeTakeFirstOrThrow();
  expect(Number(sum)).toBe(0);
  expect((await certificatesToReview(db, later)).size).toBe(0);
});

test('P64: the second certificate of a place, revoked, takes with it the first, which its holder withdrew', async () => {
  const { placeId } = await attends(db, group);
  const first = await issued(db, placeId);
  await inTrx((trx) => withdrawCertificate(trx, first.number, minutesLater(30)));
  const second = await issued(db, placeId, { ...afterClass, now: minutesLater(60) });
  const revoke = (number: string, minutes: number) =>
    inTrx((trx) => revokeCertificate(trx, { number, why: 'mistake', actor: anOwnerOf() }, momentIn(minutes)));
  expect(await revoke(second.number, 90)).toMatchObject({ ok: true });
  expect(await isFinished(db, placeId)).toBe(false);
  // While one holds, revoking an older one leaves the place finished.
  const third = await issued(db, placeId, { ...afterClass, now: minutesLater(120) });
  expect(await revoke(first.number, 150)).toMatchObject({ ok: true });
  expect([await isFinished(db, placeId), (await found(third.number)).state]).toEqual([true, 'issued']);
});

test('P50: a certificate stays with its holder, who has another address by now', async () => {
  const its = await attends(db, group, { name: 'Ada Byron', email: email() });
  const { placeId, enrolmentId, attendeeId } = its;
  const { number } = await issued(db, placeId);
  // The same person with another address.
  const moved = { enrolmentId, attendeeId, attendee: attendee({ name: 'Ada Byron', email: email() }) };
  await inTrx((trx) => changeAttendee(trx, { ...moved, actor: theProgram }, afterClass));
  expect((await ownOfPlace(db, placeId))?.number).toBe(number);
});

test('P58: erased, the number goes on answering and says no name', async () => {
  const to = email();
  const { placeId } = await attends(db, group, { name: 'Ada Byron', email: to });
  const { number } = await issued(db, placeId);
  await inTrx((trx) => correctName(trx, number, 'Ada King', momentIn(5)));
  const exported = await exportPerson(db, to);
  expect(exported.certificates).toMatchObject([{ number, holder_name: 'Ada Byron', namesAskedFor: ['Ada King'] }]);
  const at = momentAt('2025-12-24T09:00').now;
  const { counts } = await erasePerson(db, to, { dataDir: '/nonexistent', at });
  expect(counts.certificates).toBe(1);
  expect(await found(number)).toMatchObject({ state: 'issued', holderName: null, shows: 'valid' });
  expect((await exportPerson(db, to)).certificates).toEqual([]);
  const { rows } = await sql<{ held: string }>`select certificates::text || certificate_names::text as held
    from certificates join certificate_names on certificate_id = certificates.id`.execute(db);
  expect(rows.map(({ held }) => /Byron|King|@/.test(held))).toEqual([false]);
});
