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
