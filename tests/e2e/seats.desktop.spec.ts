import { expect, openHydrated, test } from './fixtures.ts';

test('P27: a page that stays open shows seats as they are now, and offers the list of a course date that became full', async ({
  page,
}) => {
  const full = { seatsAvailable: 0, standing: 'full', decision: 'Confirmed' };
  const answer = { available: 81, courseDates: { 'security-plus-online': full } };
  await page.route('**/api/seats', (route) => route.fulfill({ json: answer }));
  await page.clock.install();
  await openHydrated(page, '/training-calendar');
  const courseDate = page.getByRole('article').first();
  await expect(courseDate).toContainText('12 available');
  await expect(page.getByText('Available Seats')).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(courseDate.getByText('Full', { exact: true })).toBeVisible();
  await expect(courseDate.getByRole('link', { name: /^Join the waiting list/ })).toHaveAttribute(
    'href',
    '/waiting-list?courseDate=security-plus-online',
  );
  await expect(page.getByRole('definition').filter({ hasText: '81' })).toBeVisible();
});
