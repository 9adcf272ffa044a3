import { afterAll, beforeAll, expect, test } from 'vitest';
import { menuPages, staffNav } from '#app/routes/staff/nav.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let owner: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  owner = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const words = (html: string) => html.replace(/<[^>]*>/g, '').trim();

// The first page and the calendar are headed by the day and the month that they show; no cards are taken here.
const pages = [...staffNav.flatMap(({ under }) => under), ...menuPages].filter(
  ({ to, byCard }) => !byCard && !['/staff', '/staff/course-dates/calendar'].includes(to),
);

test.each(pages)('P87: $to has one heading, which says the same as its link: $text', async ({ to, text }) => {
  const html = await (await owner.get(to)).text();
  const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, inside = '']) => words(inside));
  expect(headings).toEqual([text]);
  expect(html).toContain(`<title>${text} | Bowerbird staff</title>`);
});

test('P87: the part that a refusal calls “What happened” is on the pages that refuse', async () => {
  const html = await (await owner.get('/staff/prices/promotion')).text();
  expect(html).toContain('>What happened</h2>');
});

test('a page for staff that is missing has one title', async () => {
  const html = await (await owner.get('/staff/enrolments/BB-NOBODY')).text();
  expect(html.match(/<title>[^<]*/g)).toEqual(['<title>Not shown | Bowerbird staff']);
});
