import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp({
    // Words of which the day is over once the clock stands in 2027.
    edit({ courses }) {
      const course = courses.find(({ slug }) => slug === 'cissp');
      if (course) course.facts = [{ text: course.title, until: '2026-12-31' }];
    },
  });
});
afterAll(() => academy.close());

const setDay = (day: string) => academy.setNow(new Date(`${day}T09:00:00+10:00`));
/** The first page of staff, who sign in anew: days pass, and a sign-in ends. */
async function staffPage(role: 'owner' | 'reader'): Promise<string> {
  const staff = await signInStaff(academy, `${role}@example.com`, 'Ada Byron', { role });
  return (await staff.get('/staff')).text();
}

test('P15: a calendar without dates says so and what to do; staff are told 90 days before', async () => {
  // The last course date of the sample content begins on 12 November 2025.
  setDay('2025-09-08');
  expect(await (await academy.request('/training-calendar')).text()).not.toContain('No dates are set');
  const warned = await staffPage('owner');
  expect(warned).toContain('Days until the last date');
  expect(warned).toContain('After the course date on 12 November 2025 the calendar is empty.');
  setDay('2025-08-14');
  expect(await staffPage('owner')).toContain('Days until the last date');
  setDay('2025-08-13');
  expect(await staffPage('owner')).not.toContain('Days until the last date');

  setDay('2027-06-01');
  const empty = await (await academy.request('/training-calendar')).text();
  expect(empty).toContain('No dates are set at the moment.');
  expect(empty).toContain('we tell you when there is a date');
  expect(empty).not.toContain('No dates match these filters');
  expect(await staffPage('owner')).toContain('No dates to come');
  // Filters that match nothing are something else.
  setDay('2025-09-08');
  const filtered = await (await academy.request('/training-calendar?mode=online&month=2030-01')).text();
  expect(filtered).not.toContain('No dates are set');
});

test('P38: a course whose only date was cancelled or closed is on no dates, on every page and in the brochure', async () => {
  setDay('2025-09-08');
  // AI red teaming cannot be taken guided here, and has one date.
  const [course, courseDate] = ['ai-red-teaming', 'ai-red-teaming-brisbane'];
  const { db } = academy.database;
  const ways = async () => {
    const page = async (path: string) => (await academy.request(path)).text();
    const list = await page('/courses?search=red+teaming+for+language+model');
    const card = /How to take it: <\/span>([^<]+)/.exec(list)?.[1];
    const brochure = await academy.request(`/course/${course}/brochure.pdf`);
    const { pages } = await readPdf(Buffer.from(await brochure.arrayBuffer()));
    const words = pages.flatMap(({ text }) => text.map((one) => one.text)).join(' ');
    return { card, html: await page(`/course/${course}`), dates: words.includes('November 2025') };
  };
  const before = await ways();
  expect(before.card).toMatch(/^Next \d+ Nov · .*Brisbane$/);
  expect(before.html).toContain('No date that suits you?');
  expect(before.dates).toBe(true);

  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('slug', '=', courseDate).execute();
  await until(async () => (await ways()).card === 'No date yet');
  const cancelled = await ways();
  expect(cancelled.html).toContain('No date of this course has a free seat at the moment.');
  expect(cancelled.dates).toBe(false);
});

test('staff see which texts are out of date, and owners what is left to settle before opening', async () => {
  setDay('2026-12-31');
  expect(await staffPage('owner')).not.toContain('held until 31 December 2026');
  setDay('2027-01-01');
  const page = await staffPage('owner');
  expect(page).toContain('held until 31 December 2026');
  expect(page).toMatch(/Before opening: (<!-- -->)?\d+(<!-- -->)? to settle/);
  for (const text of [
    'ABN 89 000 000 019',
    'IAPP as an authorised partner',
    '485,234 students trained',
    'BASE_URL is not an https address',
  ]) {
    expect(page.includes(text), text).toBe(true);
  }
  // Each leads to its field.
  const field = /href="([^"]*)#v\.abn"/.exec(page)?.[1] ?? '';
  const staff = await signInStaff(academy, 'owner@example.com', 'Ada Byron', { role: 'owner' });
  expect(await (await staff.get(field)).text()).toContain('id="v.abn"');
  expect(await staffPage('reader')).not.toContain('Before opening');
  // Until when words hold is not for visitors.
  expect(await (await academy.request('/course/cissp')).text()).not.toContain('2026-12-31');
});
