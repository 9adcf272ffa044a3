import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

const read = async (address: string) => (await academy.request(address)).text();

test.each([
  ['iso27001', 'ISO/IEC 27001'],
  ['sc900', 'SC-900'],
  ['az500', 'AZ-500'],
  ['cyber security', 'Cybersecurity'],
  ['security plus', 'Security+'],
  ['pen test', 'Penetration Testing'],
  ['ciss', 'CISSP'],
  ['k8s', 'Kubernetes'],
])('P8, P11: "%s" is understood as %s, in the listing and in the suggestions', async (typed, meant) => {
  const search = new URLSearchParams({ search: typed });
  const page = await read(`/courses?${search}`);
  const titles = [...page.matchAll(/aria-label="START QUEST: ([^"]*)"/g)].map(([, title = '']) => title);
  expect(titles.join('\n')).toContain(meant);
  const { suggestions } = JSON.parse(await read(`/api/suggestions?${search}`));
  expect(suggestions.map(({ label }: { label: string }) => label).join('\n')).toContain(meant);
});

const mainText = async (address: string) =>
  (/<main.*<\/main>/s.exec(await read(address))?.[0] ?? '').replace(/<!-- -->/g, '').replace(/<[^>]+>/g, ' ');

test('P8: near results are shown as near, and the words of no result only where there is none', async () => {
  const near = await mainText('/courses?search=pyhton');
  expect(near).toContain('No course matches “pyhton” exactly.');
  expect(near).toMatch(/\d+ of \d+ quests come close\./);
  expect(near).toContain('Programming Foundations with Python');
  expect(near).not.toContain('No courses found matching your criteria.');

  const nothing = await mainText('/courses?search=underwater+basket+weaving');
  expect(nothing).toContain('No courses found matching your criteria.');
  expect(nothing).not.toContain('The closest titles are');
});

test('P11: where filters leave no result, the closest titles are the results without filters', async () => {
  for (const search of ['aws+architect', 'aws+architct']) {
    const page = await mainText(`/courses?search=${search}&category=comptia`);
    expect(page).toContain('No courses found matching your criteria.');
    expect(page).toMatch(/The closest titles are\s+AWS Certified Solutions Architect/);
  }
});

test('P8: a city or "online" in a search leads to the dates that are there', async () => {
  const melbourne = await mainText('/courses?search=Melbourne');
  expect(melbourne).toContain('No course is named after “Melbourne”.');
  expect(melbourne).toMatch(/1 date is in Melbourne\.\s+See them in the training calendar/);
  expect(await mainText('/courses?search=perth')).toMatch(/No date is in Perth\. \d dates are online\./);
  expect(await read('/courses?search=online')).toContain('href="/training-calendar?mode=online"');
  const there = await mainText('/training-calendar?mode=online');
  expect(there).toContain('Online/In-Person Brisbane');
  expect(there).not.toContain('In-Person Sydney,');
});

test('P8: the name of an instructor finds the courses that they teach', async () => {
  expect(await mainText('/courses?search=mara+whitlock')).toContain('11 of 164 quests match');
});
