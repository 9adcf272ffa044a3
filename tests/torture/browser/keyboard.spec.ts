import { publicPages } from '#scripts/support/public-pages.ts';
import { expect, test } from '#tests/e2e/fixtures.ts';
import { faultsOfFocus } from '#tests/e2e/keyboard.ts';

test('the keyboard reaches everything on every page, in view and with a visible focus, and is never caught', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/404/);
  expect(await faultsOfFocus(page, [...publicPages, '/enrol', '/none'])).toEqual([]);
});
