import type { Locator } from '@playwright/test';
import { expect, openHydrated, test } from './fixtures.ts';

test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

const ground = (of: Locator, pseudo?: string) =>
  of.evaluate((element, part) => getComputedStyle(element, part).backgroundColor, pseudo);
const lineOf = (of: Locator) => of.evaluate((element) => getComputedStyle(element).borderTopWidth);

test('with forced colours buttons have a line, and chosen and marked days are told from others', async ({ page }) => {
  await openHydrated(page, '/training-calendar?date=2025-09-16');
  expect(await lineOf(page.getByRole('link', { name: /^Enroll Now: / }).first())).toBe('1px');
  const chosen = page.getByRole('link', { name: /^Tuesday 16 September 2025/ });
  const marked = page.getByRole('link', { name: /^Wednesday 17 September 2025/ });
  const paper = await ground(page.locator('body'));
  expect(await ground(chosen)).not.toBe(paper);
  expect(await ground(marked, '::after')).not.toBe(paper);
});

test('with forced colours the number of people that is chosen is told from others', async ({ page }) => {
  await openHydrated(page, '/enrol?course=cissp');
  const numbers = page.getByRole('group', { name: 'How many people?' }).locator('label');
  expect(await ground(numbers.first())).not.toBe(await ground(page.locator('body')));
  expect(await lineOf(page.getByRole('complementary').getByRole('button', { name: 'Continue' }))).toBe('1px');
});
