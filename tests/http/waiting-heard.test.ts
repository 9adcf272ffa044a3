import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { type Moment, momentOf } from '#app/http/academy.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
beforeEach(async () => {
  const { db } = academy.database;
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('state', '<>', 'cancelled').execute();
  await db.deleteFrom('waiting_entries').execute();
});
afterAll(() => academy.close());

const moment = (): Moment => momentOf(academy.services.academy);
const keep = () => keepWaitingLists(academy.database.db, moment());
const page = async (path: string) => mainText(await ada.get(path));

/** Somebody waits, with an address that they confirmed. */
async function wait(name: string, { courseId, id }: { courseId: number; id: number | null }, seats = 1) {
  const wish = { courseId, courseDateId: id, seats, name, email: `${name.toLowerCase()}@example.com` };
  await academy.database.db.transaction().execute(async (trx) => {
    const joined = await joinWaitingList(trx, wish, moment());
    if (!joined.ok) throw new Error(joined.reason);
    await confirmEntry(trx, joined.entryId, moment());
  });
}
const slugOf = async (id: number) =>
  (await academy.database.db.selectFrom('course_dates').select('slug').where('id', '=', id).executeTakeFirstOrThrow())
    .slug;
const told = async () =>
  (await academy.database.db.selectFrom('mails').select('recipient').where('kind', '=', 'waiting-over').execute())
    .map(({ recipient }) => recipient)
    .sort();

test('P40, P48: the page that cancels a date counts the people on the waiting list whom the job then tells', async () => {
  const courseDate = await makeCourseDate(academy.database.db, { course: 'cisa', capacity: 2, startsOn: '2025-10-20' });
  const cancel = `/staff/course-dates/${await slugOf(courseDate.id)}/cancel`;
  const alone = await page(cancel);
  expect(alone).toContain('We email nobody.');
  expect(alone).toContain('Nobody has enrolled, so this affects nobody.');
  expect(alone).not.toContain('Each buyer chooses');

  await wait('Keats', { ...courseDate, id: null });
  await keep();
  await wait('Byron', courseDate, 2);
  const shown = await page(cancel);
  expect(shown).toContain('2 people on the waiting list hear that it is cancelled.');
  expect(shown).not.toContain('nobody.');
  expect(await page(cancel.replace('cancel', 'move'))).toContain(
    '2 people on the waiting list hear of another day, city or way to attend.',
  );
  const html = await (await ada.get(cancel)).text();
  expect(html).toContain('Cancel the course date, write to 2');
  expect((await ada.post(cancel, { ...carriedBy(html, 'cancel'), reason: '' })).status).toBe(303);
  await keep();
  expect(await told()).toEqual(['byron@example.com', 'keats@example.com']);
});

test('P48: a move that opens enrolment again says who is offered the free seats', async () => {
  const courseDate = await makeCourseDate(academy.database.db, { course: 'cism', capacity: 2, startsOn: '2025-10-20' });
  const closed = { enrolment_ends_on: '2025-09-01' };
  await academy.database.db.updateTable('course_dates').set(closed).where('id', '=', courseDate.id).execute();
  await wait('Keats', { ...courseDate, id: null });
  await keep();
  const move = `/staff/course-dates/${await slugOf(courseDate.id)}/move`;
  const same = await page(`${move}?startDate=2025-10-20`);
  expect(same).not.toContain('on the waiting list');
  const opens = await page(`${move}?startDate=2025-10-20&enrolmentEnds=2025-10-10`);
  expect(opens).toContain('1 person on the waiting list is offered seats at once.');
  expect(opens).not.toContain('With what is entered now, we email nobody.');
});

test('P48, P77: staff who make dates read how many people wait for them', async () => {
  const { db } = academy.database;
  const { id } = await db.selectFrom('courses').select('id').where('slug', '=', 'cissp').executeTakeFirstOrThrow();
  const series = new URLSearchParams({
    ...{ course: 'cissp', startDate: '2027-03-09', endDate: '2027-03-11', startTime: '09:00', endTime: '17:00' },
    ...{ breakMinutes: '60', delivery: 'online', venue: '', enrolmentEnds: '2027-03-05', decidedBy: '2027-02-23' },
    ...{ capacity: '8', minimum: '3', room: '', street: '', count: '2', everyWeeks: '1' },
    instructor: (await db.selectFrom('instructors').select('slug').executeTakeFirstOrThrow()).slug,
  });
  const read = () => page(`/staff/course-dates/series?${series}`);
  expect(await read()).toContain('They are on sale at once. We email nobody.');
  await wait('Keats', { courseId: id, id: null });
  const shown = await read();
  expect(shown).toMatch(/1 person waits for .*CISSP.*\. We offer them a seat at once, by email\./);
  expect(shown).not.toContain('We email nobody');
});
