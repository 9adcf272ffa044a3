import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#app/features/people/permissions.ts';
import { instructorNav, menuPages, staffNav } from '#app/routes/staff/nav.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { tagged } from '#tests/support/torture.ts';

let academy: AcademyApp;
const staff = new Map<Role, SignedIn>();
beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, {});
  await placeIn(db, courseDate);
  // A course that people wait for and that has no date, for the first page.
  const course = await db.selectFrom('courses').select('id').where('slug', '=', 'cism').executeTakeFirstOrThrow();
  const at = new Date('2025-09-01T09:00:00+10:00');
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('course_id', '=', course.id).execute();
  await db
    .insertInto('waiting_entries')
    .values({
      ...{ course_id: course.id, email: 'helen@example.org', mailbox: 'helen@example.org', name: 'Helen Vass' },
      ...{ reference: 'BB-HEVASS', seats: 2, joined_at: at, confirmed_at: at },
    })
    .execute();
  const instructor = await db.selectFrom('instructors').select('slug').orderBy('slug').executeTakeFirstOrThrow();
  const teachesAs = instructor.slug;
  await db.updateTable('course_dates').set({ instructor_slug: teachesAs }).where('id', '=', courseDate.id).execute();
  for (const role of ['admissions', 'editor', 'reader'] as const) {
    staff.set(role, await signInStaff(academy, `${role}@example.com`, `Ada ${role}`, { role }));
  }
  const granted = { role: 'instructor', teachesAs } as const;
  staff.set('instructor', await signInStaff(academy, 'instructor@example.com', 'Ada Lovelace', granted));
});
afterAll(() => academy.close());

/** The addresses that a page leads to, without those that its frame has for everybody. */
function linksOf(html: string): string[] {
  const main = html.slice(html.indexOf('<main'));
  const found = [...main.matchAll(/<a [^>]*?href="(\/staff[^"#]*)/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));
  return [...new Set(found)].filter((to) => !to.startsWith('/staff/sign-'));
}

async function expectNoneRefused(role: Role): Promise<void> {
  const person = staff.get(role);
  if (!person) throw new Error('nobody has this role');
  const pages = [...staffNav, ...instructorNav].flatMap(({ under }) => under).concat(menuPages);
  const refused: string[] = [];
  const looked = new Set<string>();
  for (const { to: page } of pages) {
    const answer = await person.get(page);
    if (answer.status !== 200) continue;
    for (const to of linksOf(await answer.text())) {
      const [path = ''] = to.split('?');
      if (looked.has(path)) continue;
      looked.add(path);
      const { status } = await person.get(to);
      if (status >= 400) refused.push(`${status} ${to} on ${page}`);
    }
  }
  expect(looked.size).toBeGreaterThan(5);
  expect(refused).toEqual([]);
}

test.each(['editor', 'instructor'] as const)(
  'P68: no page of the bar leads a person with the role %s to an address that is refused them',
  expectNoneRefused,
);

test.each(['admissions', 'reader'] as const)(
  'P68: no page of the bar leads a person with the role %s to an address that is refused them',
  tagged,
  expectNoneRefused,
);
