import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { publicPages } from '#scripts/support/public-pages.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

// The other tests of pages run React as visitors get it. In development it also checks its use: keys, attributes,
// nesting. What it finds goes to the console, which fails a test; the paths are one for each kind of page.
let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

test.each([
  ...publicPages,
  '/courses?search=cloud',
  '/courses?search=nothing-at-all',
  '/course/none',
  '/certifications/az-500',
  '/staff/sign-in',
  '/none',
])('React has nothing to object to on %s', async (address) => {
  expect(process.env.NODE_ENV).toBe('test');
  expect(await (await academy.request(address)).text()).toContain('</html>');
  expect(vi.mocked(console.error)).not.toHaveBeenCalled();
});
