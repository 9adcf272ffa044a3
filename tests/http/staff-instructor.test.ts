import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNote } from '#app/features/people/notes.server.ts';
import { readHistory } from '#app/features/people/staff-act.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attends, issued, makeClass } from '#tests/support/certificates.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { everyForm } from '#tests/support/every-form.ts';
import { rowsOf } from '#tests/support/rows-of.ts';
import { type SignedIn, signInStaff, staffActor } from '#tests/support/staff.ts';

let academy: AcademyApp;
let owner: SignedIn;
let wrong: SignedIn;
/** What is of somebody else's class: its slug, place and certificate, and ids of the whole academy. */
let others: { slug: string; placeId: number; number: string; hour: number; answers: number[]; slugs: string[] };
const secrets = ['Zelda Hidden', 'zelda@hidden.example', 'Nobody may read this note', 'Hidden Holdings'];

beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  owner = await signInStaff(academy, 'owner@example.com', 'Ada Owner', { role: 'owner' });
  let network = 0;
  // One of everything that staff can look at.
  await everyForm(academy, owner, () => `10.9.0.${++network}`);
  academy.setNow(momentAt('2025-11-05T18:00').now);
  const group = await makeClass(db);
  const place = await attends(db, group, { name: 'Zelda Hidden', email: 'zelda@hidden.example' });
  await db
    .updateTable('enrolments')
    .set({ buyer_name: 'Hidden Holdings' })
    .where('id', '=', place.enrolmentId)
    .execute();
  const { number } = await issued(db, place.placeId);
  const note = { about: { kind: 'course-date', id: group.courseDate.id }, text: 'Nobody may read this note' } as const;
  const actor = staffActor({ id: owner.id, name: 'Ada Owner' });
  await db.transaction().execute((trx) => writeNote(trx, { ...note, actor }, { now: academy.now() }));
  const { id: hour } = await db.selectFrom('live_hours').select('id').executeTakeFirstOrThrow();
  const answers = await db
    .insertInto('exercise_answers')
    .values({ place_id: place.placeId, module: 1, body: 'Zelda Hidden', handed_in_at: academy.now() })
    .returning('id')
    .execute();
  const slugs = await db.selectFrom('course_dates').select('slug').execute();
  others = {
    ...{ slug: group.courseDate.slug, placeId: place.placeId, number, hour },
    answers: answers.map(({ id }) => id),
    slugs: slugs.map(({ slug }) => slug),
  };
  const row = await db.selectFrom('instructors').selectAll().executeTakeFirstOrThrow();
  await db
    .insertInto('instructors')
    .values({ ...row, slug: 'without-classes', name: 'Wanda Without' })
    .execute();
  const granted = { role: 'instructor', teachesAs: 'without-classes' } as const;
  wrong = await signInStaff(academy, 'wanda@example.com', 'Wanda Without', granted);
});
afterAll(() => academy.close());

test('P68: an instructor opens no address of another instructor, and no page names their records', async () => {
  const { slug, placeId, number, hour, answers } = others;
  const ids = ['', '/attendees', '/sheet', '/sheet?needs=yes', '/name-cards', '/certificates'];
  const paths = [
    ...ids.map((end) => `/staff/course-dates/${slug}${end}`),
    `/staff/attendees.csv?date=${slug}`,
    ...['', '/details', '?day=2025-11-03', '/details?day=2025-11-03'].map((end) => `/staff/classes/${slug}${end}`),
    `/staff/live-hours/${hour}`,
    ...answers.map((id) => `/staff/answers/${id}`),
    `/staff/places/${placeId}/certificate`,
    `/staff/certificates/${number}/certificate.pdf`,
  ];
  expect(answers.length).toBeGreaterThan(0);
  const before = await rowsOf(academy.database.db);
  const opened: string[] = [];
  for (const path of paths) {
    const [theirs, owners] = [(await wrong.get(path)).status, (await owner.get(path)).status];
    // The owner sees it, or the test would say nothing.
    if (theirs !== 404 || owners !== 200) opened.push(`${path} ${theirs} ${owners}`);
  }
  expect(opened).toEqual([]);
  // The owner's copy of the attendees stands in the trace.
  const changed = ['audit_entries'];
  const now = await rowsOf(academy.database.db);
  expect(Object.keys(now).filter((table) => JSON.stringify(now[table]) !== JSON.stringify(before[table]))).toEqual(
    changed,
  );
});

test('P68: no list, calendar, search or first page shows a course date of another instructor to one', async () => {
  const { db } = academy.database;
  const courses = await db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .innerJoin('instructors', 'instructors.slug', 'course_dates.instructor_slug')
    .select(['courses.slug', 'title', 'name', 'course_dates.instructor_slug as teacher'])
    .distinct()
    .limit(5)
    .execute();
  const found = courses.flatMap(({ slug, title, name, teacher }) => [
    `/staff/course-dates?${new URLSearchParams({ course: slug })}`,
    `/staff/course-dates?${new URLSearchParams({ instructor: teacher, when: 'all' })}`,
    `/staff/course-dates?${new URLSearchParams({ search: name, when: 'all' })}`,
    `/staff/find?${new URLSearchParams({ q: title })}`,
    `/staff/find.json?${new URLSearchParams({ q: name })}`,
    `/staff/find.json?${new URLSearchParams({ q: `move ${title}` })}`,
    `/staff/course-dates/calendar?${new URLSearchParams({ view: 'month', by: 'instructor', on: '2025-11-03', of: name })}`,
  ]);
  const paths = [
    ...found,
    ...['/staff', '/staff/today', '/staff/course-dates', '/staff/classes', '/staff/answers'],
    ...['instructor', 'room'].map((by) => `/staff/course-dates/calendar?view=month&by=${by}&on=2025-11-03`),
    ...secrets.map((text) => `/staff/find.json?${new URLSearchParams({ q: text })}`),
    `/staff/find.json?${new URLSearchParams({ q: others.number })}`,
    `/staff/find.json?${new URLSearchParams({ q: others.slug })}`,
  ];
  const shown: string[] = [];
  for (const path of paths) {
    const answer = await wrong.get(path);
    const text = (await answer.text()).replaceAll(encodeURIComponent(others.number), '');
    const asked = new URLSearchParams(path.split('?')[1]);
    if (answer.status !== 200 && answer.status !== 302) shown.push(`${path} ${answer.status}`);
    for (const slug of others.slugs) if (text.includes(`/staff/course-dates/${slug}`)) shown.push(`${path} ${slug}`);
    for (const secret of secrets) {
      if (text.includes(secret) && asked.get('q') !== secret) shown.push(`${path} ${secret}`);
    }
  }
  expect(shown).toEqual([]);
});

test('P68: the history of another instructor’s course date or live hour is empty, and their own is not', async () => {
  const { db } = academy.database;
  const { slug, hour } = others;
  await db
    .insertInto('audit_entries')
    .values([
      {
        at: academy.now(),
        person_id: owner.id,
        action: 'resize-course-date',
        subject: `course-date:${slug}`,
        details: '{}',
      },
      { at: academy.now(), person_id: owner.id, action: 'link-live-hour', subject: `live-hour:${hour}`, details: '{}' },
    ])
    .execute();
  const { instructor_slug } = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const can = new Set(['course-dates:read', 'attendees:read'] as const);
  const as = (teachesAs: string) => ({
    ...staffActor({ id: wrong.id, name: 'W' }, 'instructor'),
    can,
    teachesAs: [teachesAs],
  });
  const count = async (by: ReturnType<typeof as>, subject: `course-date:${string}` | `live-hour:${string}`) =>
    (await readHistory(db, by, subject)).entries.length;
  expect(await count(as('without-classes'), `course-date:${slug}`)).toBe(0);
  expect(await count(as('without-classes'), `live-hour:${hour}`)).toBe(0);
  expect(await count(as(instructor_slug), `course-date:${slug}`)).toBeGreaterThan(0);
});
