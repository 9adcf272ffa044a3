import { afterEach, beforeEach, expect, test } from 'vitest';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { readModuleStandings } from '#app/features/study/module-page.server.ts';
import { handOutModule, listAskedModules, openHandedOut, openModule } from '#app/features/study/modules.server.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { anOwner, makeStaff } from '#tests/support/staff.ts';
import { pay } from '#tests/support/study.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let teacher: StaffActor;
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  const { instructor_slug: teachesAs } = await cissp();
  const granted = { role: 'instructor', teachesAs } as const;
  const staff = await makeStaff(database.db, { email: 'ada@staff.example', name: 'Ada Byron' }, monday.now, granted);
  teacher = { ...staff.actor, teachesAs: [teachesAs] };
});
afterEach(() => database.drop());

const monday = momentAt('2025-10-13T09:00');
const tuesday = momentAt('2025-10-14T09:00');
const cissp = () =>
  database.db
    .selectFrom('courses')
    .select(['id', 'instructor_slug'])
    .where('slug', '=', 'cissp')
    .executeTakeFirstOrThrow();

/** A guided place on CISSP from 13 October: AU$5,499 and eight modules, none of them written. */
async function studying({ paid = true } = {}) {
  const { db } = database;
  const choice = { courseId: (await cissp()).id, way: 'guided', from: '2025-10-13' } as const;
  const email = `${crypto.randomUUID()}@example.org`;
  const order = await orderOf(db, [choice], { attendees: [attendee({ email })] });
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, momentAt('2025-09-08T09:00')));
  if (!placed.ok) return expect.unreachable(placed.reason);
  const { enrolmentId } = placed;
  if (paid) await pay(db, enrolmentId);
  const place = async () => (await readEnrolment(db, enrolmentId)).places[0] ?? expect.unreachable();
  const { id: placeId, attendee: of } = await place();
  const opening = { enrolmentId, placeId, attendeeId: of.id, module: 1 };
  return {
    email,
    enrolmentId,
    open: (moment = monday) => {
      const early = moment.today < monday.today;
      return db.transaction().execute((trx) => openModule(trx, { ...opening, early }, moment));
    },
    opened: async () => (await place()).modules.filter(({ openedAt }) => openedAt !== null).length,
    standings: async () => readModuleStandings(db, await place(), { enrolmentId, today: monday.today }),
    cancel: (moment = tuesday) => {
      const cancellation = { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null } as const;
      return db.transaction().execute((trx) => cancelPlaces(trx, cancellation, moment));
    },
  };
}
async function handOut(actor: StaffActor, moment = tuesday, exercise = 'Name three risks.') {
  const [asked] = await listAskedModules(database.db, teacher);
  if (!asked) return expect.unreachable('nothing was asked for');
  const text = { asked, reading: 'What a risk is.', exercise };
  const done = await database.db.transaction().execute((trx) => handOutModule(trx, text, { actor, moment }));
  await openHandedOut(database.db, moment);
  return done;
}
const mailsTo = async (email: string, kind: string) =>
  (
    await database.db
      .selectFrom('mails')
      .select('body_text')
      .where('recipient', '=', email)
      .where('kind', '=', kind)
      .execute()
  ).map(({ body_text }) => body_text.replaceAll(/\s+/g, ' '));

test('P105: an empty module is asked for, takes nothing off the refund, and its instructor has a day', async () => {
  const study = await studying();
  expect(await study.open()).toEqual({ ok: true, asked: true });
  expect(await study.opened()).toBe(0);
  expect((await study.standings()).asked).toEqual(new Map([[1, '2025-10-14']]));
  expect(await listAskedModules(database.db, teacher)).toMatchObject([{ course: 'cissp', number: 1, learners: 1 }]);
  const [mail] = await mailsTo('ada@staff.example', 'module-asked');
  expect(mail).toContain('by the end of Tuesday 14 October 2025');
  expect(await study.cancel()).toMatchObject({ credits: [{ cents: 549_900 }] });
});

test('P105: a module handed out opens for its learners, counts from then, and is there for the next', async () => {
  const [first, next] = [await studying(), await studying()];
  await first.open();
  expect(await handOut(teacher)).toEqual({ ok: true });
  expect(await first.opened()).toBe(1);
  expect(await mailsTo(first.email, 'module-handed-out')).toEqual([expect.stringContaining('It is open now.')]);
  expect(await listAskedModules(database.db, teacher)).toEqual([]);
  expect(await first.cancel()).toMatchObject({ credits: [{ cents: 481_163 }] });
  expect(await next.open(tuesday)).toEqual({ ok: true, asked: false });
});

test('P105: a second learner who waits for the same module brings no second email to the instructor', async () => {
  for (const study of [await studying(), await studying()]) await study.open();
  expect(await mailsTo('ada@staff.example', 'module-asked')).toHaveLength(1);
  expect(await listAskedModules(database.db, teacher)).toMatchObject([{ learners: 2 }]);
});

test('P105: only the instructor of the course hands a module out, and not without an exercise', async () => {
  await (await studying()).open();
  const other = { ...teacher, teachesAs: ['hamish-doyle'] };
  for (const actor of [other, anOwner]) await expect(handOut(actor)).rejects.toThrow('exercises:mark');
  expect(await handOut(teacher, tuesday, '')).toMatchObject({ ok: false });
});

test('P105: no module opens while the invoice of the place is overdue', async () => {
  const study = await studying({ paid: false });
  expect(await study.open()).toEqual({ ok: false, reason: 'overdue' });
  expect((await study.standings()).overdue).toBe(true);
  await pay(database.db, study.enrolmentId);
  expect(await study.open()).toEqual({ ok: true, asked: true });
});

test('P105: on the day an invoice is due modules still open, and on the next they do not', async () => {
  const study = await studying({ paid: false });
  expect(await study.open(momentAt('2025-09-22T23:00'))).toEqual({ ok: true, asked: true });
  expect(await study.open(momentAt('2025-09-23T00:01'))).toEqual({ ok: false, reason: 'overdue' });
});

test('P105: a module that was asked for in time and comes once the invoice is overdue opens when that is paid', async () => {
  const study = await studying({ paid: false });
  // The last day to pay.
  await study.open(momentAt('2025-09-22T09:00'));
  await handOut(teacher, momentAt('2025-09-23T09:00'));
  expect(await mailsTo(study.email, 'module-handed-out')).toEqual([
    expect.stringContaining('You can open it once the overdue invoice for your place is paid.'),
  ]);
  expect([await study.opened(), await listAskedModules(database.db, teacher)]).toEqual([0, []]);
  await pay(database.db, study.enrolmentId);
  expect(await study.open()).toEqual({ ok: true, asked: false });
});
