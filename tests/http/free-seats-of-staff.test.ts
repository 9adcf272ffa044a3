import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { anOwner, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const today = momentAt('2025-09-08T09:00');
/** The choice of a date in a form for staff: whether it can be taken, and its words. */
async function choices(path: string) {
  const html = await (await ada.get(path)).text();
  return [...html.matchAll(/<input[^>]*name="courseDate"[^>]*>/g)].map(([input]) => ({
    id: Number(/value="(\d+)"/.exec(input)?.[1]),
    takes: !/disabled/.test(input),
    words:
      html
        .slice(html.indexOf(input))
        .replace(/<!-- -->|<span class="whitespace-nowrap">([^<]*)<\/span>/g, '$1')
        .match(/<span class="tabular[^>]*>([^<]*)</)?.[1] ?? '',
  }));
}

test('P48: a seat reserved for the waiting list is free to nobody else, and each page for staff says so', async () => {
  const { db } = academy.database;
  await db.updateTable('course_dates').set({ state: 'cancelled' }).execute();
  const [own, full] = [await makeCourseDate(db), await makeCourseDate(db, { startsOn: '2025-10-06', capacity: 1 })];
  const beyond = await makeCourseDate(db, { startsOn: '2026-09-14' });
  const placed = await placeIn(db, own);
  const [place] = (await readEnrolment(db, placed.enrolmentId)).places;
  if (!place) return expect.unreachable();
  const slugs = await db.selectFrom('course_dates').select('slug').where('id', '=', full.id).execute();
  const date = `/staff/course-dates/${slugs[0]?.slug}`;
  const moving = `/staff/enrolments/${placed.reference}/places/${place.id}/transfer`;
  const dateOf = async () => (await choices(moving)).find(({ id }) => id === full.id);
  expect(await dateOf()).toMatchObject({ takes: true, words: expect.stringContaining('1 left') });

  await db
    .insertInto('waiting_entries')
    .values({
      ...{ reference: 'BB-WWWWWW', course_id: full.courseId, course_date_id: full.id, seats: 1, name: 'Mo' },
      ...{ email: 'mo@example.com', mailbox: 'mo@example.com', joined_at: today.now, confirmed_at: today.now },
    })
    .execute();
  expect(await dateOf()).toMatchObject({
    takes: false,
    words: expect.stringContaining('full, 1 reserved for the waiting list'),
  });
  const asked = { enrolmentId: placed.enrolmentId, placeId: place.id, toCourseDateId: full.id, actor: anOwner };
  const moved = await db.transaction().execute((trx) => transferPlace(trx, asked as never, today));
  expect(moved).toMatchObject({ ok: false, reason: 'course-date-full' });
  const page = (await (await ada.get(date)).text()).replace(/<!-- -->/g, '');
  expect(page).toContain('1 reserved for the waiting list, 0 left of 1');
  expect((await (await ada.get('/staff')).text()).replace(/<!-- -->/g, '')).toContain('Full, 1 waiting');
  expect((await (await ada.get('/staff/enrolments/new?item=course:cissp')).text()).replace(/<!-- -->/g, '')).toContain(
    'full, 1 reserved for the waiting list',
  );
  // It begins in more than twelve months, so no move goes there.
  expect((await choices(moving)).map(({ id }) => id)).not.toContain(beyond.id);
});
