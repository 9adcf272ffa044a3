import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelSeats, lockCourseDates, sellSeats } from '#app/features/course-dates/seats.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import { keepWaitingLists } from '#app/features/enrolments/waiting/jobs.server.ts';
import { makeWaitingToken } from '#app/features/enrolments/waiting/mails.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { signInPlayer } from '#tests/support/players.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

const opening = momentAt('2025-09-08T09:00');
const words = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('P40, P48: the page of an offer leads to the form that moves a place to the offered date', async () => {
  const { db } = academy.database;
  const write = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
  const [from, to] = [await makeCourseDate(db, {}), await makeCourseDate(db, { startsOn: '2025-12-01', capacity: 1 })];
  const { enrolmentId } = await placeIn(db, from);
  const { email } = await readEnrolment(db, enrolmentId);
  const sold = [3_000_001];
  const inIt = (act: (trx: Trx, courseDate: Parameters<typeof sellSeats>[1]) => Promise<unknown>) =>
    write(async (trx) =>
      act(trx, (await lockCourseDates(trx, [to.id], opening.now)).get(to.id) ?? expect.unreachable()),
    );
  await inIt((trx, courseDate) => sellSeats(trx, courseDate, sold, opening.now));
  const wish = { courseId: to.courseId, courseDateId: to.id, seats: 1, name: 'Mary Shelley', email };
  const joined = await write((trx) => joinWaitingList(trx, wish, opening));
  if (!joined.ok) return expect.unreachable(joined.reason);
  await write((trx) => confirmEntry(trx, joined.entryId, opening));
  await inIt((trx, courseDate) => cancelSeats(trx, courseDate, sold, opening.now));
  await keepWaitingLists(db, opening);

  const path = `/waiting/${await write((trx) => makeWaitingToken(trx, joined.entryId))}`;
  const shown = words(await (await academy.request(path)).text());
  expect(shown).toContain('You have a place in this course: ');
  expect(shown).toMatch(/Move my place to this date.*Buy another place/);
  const sent = await academy.submit(path, { intent: 'move' });
  const location = sent.headers.get('Location') ?? '';
  expect([sent.status, location]).toEqual([303, expect.stringMatching(/^\/enrolment\/[^/]+\/transfer\/\d+\?to=/)]);
  const form = words(await (await academy.request(location)).text());
  expect(form).toContain('1 seat is kept for you');
  expect(form).toContain('Move to this date');

  // The account shows an offer once its mail has left. From there it leads to the move as well, for as long as the login lasts.
  const { person_id } = await db
    .selectFrom('enrolments')
    .select('person_id')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  academy.setNow(opening.now);
  const expires_at = new Date(opening.now.getTime() + 72 * 3_600_000);
  await db.updateTable('seat_holds').set({ expires_at }).where('ended_at', 'is', null).execute();
  const browser = await signInPlayer(academy, person_id ?? 0);
  const ofAccount = /\/waiting\/[0-9a-f]{48}/.exec(await (await browser.get('/account')).text())?.[0] ?? '';
  const moved = (await browser.post(ofAccount, { intent: 'move' })).headers.get('Location') ?? '';
  expect((await academy.request(moved)).status).toBe(200);
  await db.deleteFrom('sign_ins').execute();
  expect((await academy.request(moved)).status).toBe(404);
  expect((await academy.request(location)).status).toBe(200);
});
