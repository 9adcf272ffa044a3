import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { exercisesToMark } from '#app/features/reports/today/needs-of-dates.server.ts';
import { listWaitingAnswers, markAnswer, tellWaitingAnswers } from '#app/features/study/answers.server.ts';
import { bowerRecords, completionOf, xpEntriesOf, xpOfPerson } from '#app/features/study/completion.server.ts';
import { type Answer, handIn, saveAnswerDraft } from '#app/features/study/exercises.server.ts';
import { openModule } from '#app/features/study/modules.server.ts';
import { placeFinished } from '#app/features/study/xp.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { pay, writeModules } from '#tests/support/study.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  await writeModules(database.db, 'cissp');
});

const opening = momentAt('2025-09-08T09:00');
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

/** Guided study of CISSP from Monday 13 October 2025: eight modules, 80 hours; its instructor may mark. */
async function studying(email = `${crypto.randomUUID()}@example.org`) {
  const { db } = database;
  const course = await db
    .selectFrom('courses')
    .select(['id', 'instructor_slug'])
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();
  const order = await orderOf(db, [{ courseId: course.id, way: 'guided', from: '2025-10-13' }], {
    attendees: [attendee({ email })],
  });
  const placed = await inTrx((trx) => placeEnrolment(trx, order, opening));
  if (!placed.ok) return expect.unreachable(placed.reason);
  const { enrolmentId } = placed;
  await pay(db, enrolmentId);
  const [place] = (await readEnrolment(db, enrolmentId)).places;
  if (!place) throw new Error('nothing was placed');
  const its = { attendeeId: place.attendee.id, placeId: place.id };
  const open = (module: number) =>
    inTrx((trx) => openModule(trx, { enrolmentId, ...its, module, early: false }, momentAt('2025-10-13T09:00')));
  const put = (module: number, body: string, when = '2025-10-14T09:00', parts: Partial<Answer> = {}) =>
    inTrx((trx) => handIn(trx, { ...its, module, body, link: '', ...parts }, momentAt(when)));
  return { ...its, enrolmentId, email, open, put, teachesAs: course.instructor_slug };
}

async function instructor(teachesAs: string): Promise<StaffActor> {
  const granted = { role: 'instructor', teachesAs } as const;
  const person = { email: 'hamish@example.com', name: 'Hamish Doyle' };
  const staff = await makeStaff(database.db, person, opening.now, granted);
  return { ...staff.actor, teachesAs: [teachesAs] };
}
const lastAnswer = async (placeId: number, module: number) => {
  const { db } = database;
  const query = db
    .selectFrom('exercise_answers')
    .select('id')
    .where('place_id', '=', placeId)
    .where('module', '=', module);
  return (await query.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id;
};
const mark = (actor: StaffActor, answerId: number, accepted: boolean, comment = '', when = '2025-10-15T09:00') =>
  inTrx((trx) => markAnswer(trx, { answerId, accepted, comment }, { actor, moment: momentAt(when) }));
const pointsOf = async (placeId: number) =>
  (
    await database.db.selectFrom('xp_entries').select('points').where('place_id', '=', placeId).orderBy('id').execute()
  ).map(({ points }) => points);
const mailsTo = async (email: string, kind: string) =>
  (
    await database.db
      .selectFrom('mails')
      .select('subject')
      .where('recipient', '=', email)
      .where('kind', '=', kind)
      .execute()
  ).length;

test('P60: an exercise is handed in once it is opened, is not yet, is handed in again, accepted, and credited', async () => {
  const its = await studying();
  const { placeId, put, open, email } = its;
  const hamish = await instructor(its.teachesAs);
  expect(await put(1, 'Early.')).toEqual({ ok: false, reason: 'not-opened' });
  await open(1);
  expect(await put(1, '')).toEqual({ ok: false, reason: 'empty' });
  expect(await put(1, 'Text', undefined, { link: 'https://example.com/a' })).toEqual({ ok: false, reason: 'both' });
  expect(await put(9, 'Text')).toEqual({ ok: false, reason: 'no-module' });
  expect(await put(1, 'Text', undefined, { attendeeId: its.attendeeId + 1 })).toEqual({
    ok: false,
    reason: 'no-module',
  });
  expect(await put(1, 'One explanation.')).toEqual({ ok: true });
  // The button pressed twice.
  expect(await put(1, 'One explanation.')).toEqual({ ok: true });
  const first = await lastAnswer(placeId, 1);
  expect(await listWaitingAnswers(database.db, hamish)).toMatchObject([{ id: first, module: 1 }]);
  expect(await mark(hamish, first, false)).toEqual({ ok: false, reason: 'no-comment' });
  expect(await mark(hamish, first, false, 'Two more.')).toEqual({ ok: true });
  expect(await listWaitingAnswers(database.db, hamish)).toEqual([]);
  expect(await pointsOf(placeId)).toEqual([]);
  expect(await put(1, 'Three explanations.', '2025-10-16T09:00')).toEqual({ ok: true });
  expect(await mark(hamish, first, true)).toEqual({ ok: false, reason: 'newer' });
  const second = await lastAnswer(placeId, 1);
  expect(await mark(hamish, second, true)).toEqual({ ok: true });
  expect(await mark(hamish, second, true)).toEqual({ ok: false, reason: 'same' });
  expect(await put(1, 'More.')).toEqual({ ok: false, reason: 'accepted' });
  // 80 hours at 70 are 5,600 points; an eighth is 700.
  expect(await pointsOf(placeId)).toEqual([700]);
  expect(await mailsTo(email, 'exercise-marked')).toBe(2);
  // Accepted by mistake.
  expect(await mark(hamish, second, false, 'Wrong file.')).toEqual({ ok: true });
  expect(await pointsOf(placeId)).toEqual([700, -700]);
  expect(await put(1, 'Right file.', '2025-10-17T09:00')).toEqual({ ok: true });
});

test('P61: all exercises complete guided study, also when several people mark them at the same moment', async () => {
  const its = await studying();
  const { placeId, put, open } = its;
  const hamish = await instructor(its.teachesAs);
  const modules = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const module of modules) {
    await open(module);
    await put(module, `Answer ${module}.`);
  }
  const ids = await Promise.all(modules.map((module) => lastAnswer(placeId, module)));
  await Promise.all(ids.slice(0, 7).map((id) => mark(hamish, id, true)));
  // Seven eighths of 5,600, whichever was first.
  expect((await pointsOf(placeId)).reduce((sum, points) => sum + points, 0)).toBe(4900);
  const rule = await inTrx((trx) => completionOf(trx, placeId, { today: '2025-10-15' }));
  expect(rule).toMatchObject({ met: false, missing: ['The exercise of module 8 is not accepted.'] });
  expect(rule.facts).toMatchObject({ minutesTaught: 4800, minutesAttended: 4200, exercises: 8, exercisesAccepted: 7 });
  // Both press at once: the second is told.
  const last = () => mark(hamish, ids[7] ?? 0, true, '', '2025-10-17T09:00');
  const both = await Promise.all([last(), last()]);
  expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
  expect(await inTrx((trx) => completionOf(trx, placeId, { today: '2025-10-17' }))).toMatchObject({
    met: true,
    rule: { by: 'exercises' },
    facts: { firstDay: '2025-10-13', lastDay: '2025-10-17' },
  });
  // 99 per cent until the certificate.
  expect((await pointsOf(placeId)).reduce((sum, points) => sum + points, 0)).toBe(5544);
  await inTrx((trx) => placeFinished(trx, placeId, { certificateId: 1, at: momentAt('2025-10-20T09:00').now }));
  // A mark that is taken back afterwards leaves the certificate, whose entry fills the course up again.
  await mark(hamish, ids[0] ?? 0, false, 'Copied.');
  const points = await pointsOf(placeId);
  // The certificate's 56 are taken back, and it gets the 700 that its course is worth beyond seven eighths.
  expect(points.slice(-2)).toEqual([-56, 700]);
  expect(points.reduce((sum, value) => sum + value, 0)).toBe(5600);
});

test('P67: an instructor of another course neither sees an exercise nor marks it, and a cancelled place is done with', async () => {
  const its = await studying();
  await its.open(1);
  await its.put(1, 'Text.');
  const answer = await lastAnswer(its.placeId, 1);
  const hamish = await instructor(its.teachesAs);
  const other = { ...hamish, teachesAs: ['somebody-else'] };
  expect(await listWaitingAnswers(database.db, other)).toEqual([]);
  expect(await mark(other, answer, true)).toEqual({ ok: false, reason: 'unknown' });
  // Opening one module of eight is what it costs, and handing in costs nothing more (P40): 7 of 8 of AU$5,499.
  const cancelled = await inTrx((trx) =>
    cancelPlaces(
      trx,
      { enrolmentId: its.enrolmentId, placeIds: [its.placeId], why: 'buyer', shownCents: 481_163 },
      momentAt('2025-10-20T09:00'),
    ),
  );
  expect(cancelled).toMatchObject({ ok: true });
  expect(await listWaitingAnswers(database.db, hamish)).toEqual([]);
  expect(await mark(hamish, answer, true)).toEqual({ ok: false, reason: 'unknown' });
  expect(await its.put(1, 'Again.', '2025-10-21T09:00')).toEqual({ ok: false, reason: 'no-module' });
});

test('the exercises of a course are a line each for who teaches it, and one line for everybody else', async () => {
  for (const email of ['one@example.org', 'two@example.org']) {
    const student = await studying(email);
    await student.open(1);
    await student.put(1, 'My answer');
  }
  const { actor: owner } = await makeStaff(database.db, { email: 'olga@example.com', name: 'Olga' }, opening.now);
  const teacher = await instructor((await studying()).teachesAs);
  const on = { today: '2025-10-15', holidays: new Set<string>() };
  const shown = async (actor: StaffActor) =>
    (await exercisesToMark(database.db, actor, on)).needs.map(({ who }) => who);
  expect([await shown(owner), (await shown(teacher)).length]).toEqual([['2 exercises'], 2]);
});

test('P60: nothing is handed in once access is over, and a draft is kept until then', async () => {
  const its = await studying();
  await its.open(1);
  const draft = { attendeeId: its.attendeeId, placeId: its.placeId, module: 1, body: 'Half of it', link: '' };
  expect(await inTrx((trx) => saveAnswerDraft(trx, draft, momentAt('2025-10-14T09:00')))).toEqual({ ok: true });
  expect(await inTrx((trx) => saveAnswerDraft(trx, { ...draft, body: 'More' }, momentAt('2025-10-15T09:00')))).toEqual({
    ok: true,
  });
  expect(await database.db.selectFrom('exercise_drafts').select('body').execute()).toEqual([{ body: 'More' }]);
  expect(await its.put(1, 'Late.', '2026-10-13T00:00')).toEqual({ ok: false, reason: 'access-over' });
  expect(await its.put(1, 'In time.', '2026-10-12T23:59')).toEqual({ ok: true });
  expect(await database.db.selectFrom('exercise_drafts').select('body').execute()).toEqual([]);
});

test('P60: an instructor is told once a day from seven, in one mail, and only while something waits', async () => {
  const its = await studying();
  await instructor(its.teachesAs);
  for (const module of [1, 2]) {
    await its.open(module);
    await its.put(module, 'Text.');
  }
  expect(await tellWaitingAnswers(database.db, momentAt('2025-10-15T06:59'))).toBe(0);
  expect(await tellWaitingAnswers(database.db, momentAt('2025-10-15T07:00'))).toBe(1);
  expect(await tellWaitingAnswers(database.db, momentAt('2025-10-15T08:00'))).toBe(0);
  expect(await tellWaitingAnswers(database.db, momentAt('2025-10-16T07:00'))).toBe(1);
  expect(await mailsTo('hamish@example.com', 'answers-waiting')).toBe(2);
  const { subject, body_text } = await database.db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('kind', '=', 'answers-waiting')
    .executeTakeFirstOrThrow();
  expect(subject).toBe('2 exercises to mark');
  expect(body_text).not.toContain('Text.');
});

test('a mail about exercises to mark that cannot be queued is a fault without anybody’s address', async () => {
  const its = await studying();
  const hamish = await instructor(its.teachesAs);
  await its.open(1);
  await its.put(1, 'Text.');
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`.execute(
    database.owner,
  );
  await sql`create trigger refuse before insert on mails for each row execute function refuse()`.execute(
    database.owner,
  );
  try {
    expect(await tellWaitingAnswers(database.db, momentAt('2025-10-15T07:00'))).toBe(0);
    // Without an instructor among the staff it would go to the academy.
    await database.db.deleteFrom('staff_roles').where('role', '=', 'instructor').execute();
    expect(await tellWaitingAnswers(database.db, momentAt('2025-10-15T08:00'))).toBe(0);
  } finally {
    await sql`drop trigger refuse on mails`.execute(database.owner);
    await sql`drop function refuse()`.execute(database.owner);
  }
  const faults = await database.db.selectFrom('job_faults').select('item').orderBy('item').execute();
  expect(faults.map(({ item }) => item)).toEqual(['academy', `person:${hamish.person.id}`]);
});

test('P62, P63: the XP and study time of a person can be read with their records', async () => {
  const its = await studying('ada@example.org');
  const hamish = await instructor(its.teachesAs);
  await its.open(1);
  await its.put(1, 'Text.');
  await mark(hamish, await lastAnswer(its.placeId, 1), true);
  const { person_id: personId } = await database.db
    .selectFrom('attendees')
    .select('person_id')
    .where('id', '=', its.attendeeId)
    .executeTakeFirstOrThrow();
  if (personId === null) throw new Error('nobody');
  expect(await xpOfPerson(database.db, personId)).toBe(700);
  expect(await xpEntriesOf(database.db, personId, { limit: 5 })).toMatchObject([
    { points: 700, reverses: false, record: { kind: 'exercise', module: 1, accepted: true, by: 'Hamish Doyle' } },
  ]);
  expect(await bowerRecords(database.db, personId)).toMatchObject([
    { courseSlug: 'cissp', state: 'running', minutesAttended: 600, minutesTaught: 4800, percent: 12, xp: 700 },
  ]);
});

test('P58: an export has a person’s study; erasing removes the texts and keeps marks and points', async () => {
  const its = await studying('ada@example.org');
  const hamish = await instructor(its.teachesAs);
  await its.open(1);
  await its.put(1, 'My own words.');
  await mark(hamish, await lastAnswer(its.placeId, 1), true, 'Well done, Ada.');
  const exported = JSON.stringify((await exportPerson(database.db, 'ada@example.org')).progress);
  for (const text of ['My own words.', 'Well done, Ada.', '"points":700']) expect(exported).toContain(text);
  const data = temporaryFolder();
  // While the place is still to be taken up, everything stays.
  await erasePerson(database.db, 'ada@example.org', { dataDir: data.folder, at: momentAt('2025-11-01T09:00').now });
  expect(await database.db.selectFrom('exercise_answers').select('body').execute()).toEqual([
    { body: 'My own words.' },
  ]);
  await erasePerson(database.db, 'ada@example.org', { dataDir: data.folder, at: momentAt('2026-10-13T09:00').now });
  data.remove();
  expect(await database.db.selectFrom('exercise_answers').select(['body', 'link', 'erased']).execute()).toEqual([
    { body: null, link: null, erased: true },
  ]);
  expect(await database.db.selectFrom('exercise_marks').select(['accepted', 'comment']).execute()).toEqual([
    { accepted: true, comment: null },
  ]);
  expect(await pointsOf(its.placeId)).toEqual([700]);
});
