import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { publicPages } from '#scripts/support/public-pages.ts';
import {
  byScheme,
  expect,
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoSidewaysScroll,
  openHydrated,
  test,
} from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';
import { insertSignIn } from '#tests/support/staff.ts';

const pages = [
  ...publicPages.filter((page) => !['/courses', '/course/cissp'].includes(page)),
  '/courses?search=nothing+like+it',
  '/waiting-list',
  '/waiting-list?course=cissp',
  '/course/ai-management-systems-lead-auditor',
  '/course/none',
  '/none',
  '/certifications/az-500',
  '/certifications/security-plus',
];

const staffPagesOnce = [
  ...['inbox', 'conversations', 'waiting', 'faults', 'views', 'trace', 'find?q=ada', 'answers', 'none'],
  ...['bulk-actions', 'bookings', 'enquiries', 'certificates', 'classes', 'mail', 'health'],
  ...['offers', 'offers/new', 'organisations', 'organisations/new'],
  ...['course-dates/series', 'course-dates/copy', 'course-dates/calendar', 'course-dates/calendar?view=week&by=room'],
  ...['enrolments', 'enrolments/new?item=course:cissp', 'people', 'people/staff'],
  ...['payments', 'payments/suggested', 'payments?show=all', 'owed', 'money/accountant', 'money/bas'],
  ...['prices', 'prices/cissp', 'prices/promotion', 'content', 'content/course', 'reports', 'reports/fill'],
].map((page) => `/staff/${page}`);

for (const address of pages) {
  test(`axe finds nothing in either scheme at any width, nothing scrolls sideways: ${address}`, async ({
    page,
    expectConsole,
  }) => {
    expectConsole(/404/);
    await page.emulateMedia({ colorScheme: 'light' });
    await openHydrated(page, address);
    await expectAccessibleEverywhere(page);
  });
}

test('axe finds nothing on the pages for staff', async ({ page, context, baseURL, expectConsole }) => {
  expectConsole(/404/);
  // The refused form of a new course date, at the end.
  expectConsole(/400/);
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const now = new Date();
  const { value } = await insertSignIn(db, { email: 'grace@example.com', name: 'Grace Hopper' }, now);
  const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '', consent: true };
  const enquiry = { ...person, kind: 'contact' as const, message: 'Three analysts,\nin March.', details: {} };
  const { reference } = await recordEnquiry(db, enquiry, { idempotencyKey: crypto.randomUUID(), at: now });
  await db.destroy();
  await server.release();

  await page.emulateMedia({ colorScheme: 'light' });
  const open = async (address: string) => {
    expect((await page.goto(address))?.url()).toContain(address);
    await expectAccessibleEverywhere(page);
  };
  await open('/staff/sign-in');
  await open('/staff/sign-in/confirm?token=none');
  await context.addCookies([{ name: 'sign-in', value, url: baseURL ?? '' }]);
  await open('/staff');
  // Its two menus, each at the width at which it is there.
  await page.getByLabel('GH, Grace Hopper: menu').click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeHidden();
  await page.setViewportSize({ width: 320, height: 700 });
  await page.getByLabel('Today: all pages').click();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open('/staff/course-dates');
  await open('/staff/enquiries');
  await open(`/staff/enquiries/${reference}`);
  // A field that grows with what is typed is not a line high before that.
  const answer = await page.getByLabel('Your answer').boundingBox();
  expect(answer?.height).toBeGreaterThan(100);
  await open('/staff/bookings');
  await open('/staff/mail');
  await open('/staff/health');
  await open('/staff/certificates');
  await open('/staff/classes');
  await open('/staff/live-hours/new');
  await open('/staff/none');
  // The other pages are made of the same parts: each once, for its own words and order, in one scheme.
  for (const address of staffPagesOnce) {
    await page.goto(address);
    await expectAccessible(page);
    await page.setViewportSize({ width: 768, height: 900 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await page.goto('/staff/course-dates/new');
  await page.getByRole('button', { name: 'Make the course date' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, byScheme);
});

test('axe finds nothing in the open states', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const inBothSchemes = async () => {
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, byScheme);
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await openHydrated(page, '/courses');
  const box = page.getByRole('combobox', { name: 'Search courses' }).filter({ visible: true });
  await box.fill('cloud');
  await expect(page.getByRole('listbox')).toBeVisible();
  await box.press('ArrowDown');
  await inBothSchemes();
  await page.goto('/');
  await page.getByRole('link', { name: 'Watch Demo' }).first().click();
  await inBothSchemes();
  await openHydrated(page, '/faq');
  await page.getByRole('main').locator('summary').first().click();
  await inBothSchemes();
  await page.setViewportSize({ width: 320, height: 700 });
  await page.locator('summary[aria-label=Menu]').click();
  await inBothSchemes();
  await expectNoSidewaysScroll(page);
});
