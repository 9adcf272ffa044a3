import { expect, openHydrated, test } from './fixtures.ts';

test('P27: a page that stays open shows seats as they are now, and offers the list of a session that became full', async ({
  page,
}) => {
  const full = { seatsAvailable: 0, standing: 'full', decision: 'Confirmed' };
  const answer = { available: 81, sessions: { 'security-plus-online': full } };
  await page.route('**/api/seats', (route) => route.fulfill({ json: answer }));
  await page.clock.install();
  await openHydrated(page, '/training-calendar');
  const session = page.getByRole('article').first();
  await expect(session).toContainText('12 available');
  await expect(page.getByText('Available Seats')).toBeVisible();
  await page.clock.fastForward(10_000);
  await expect(session.getByText('Full', { exact: true })).toBeVisible();
  await expect(session.getByRole('link', { name: /^Join the waiting list/ })).toHaveAttribute(
    'href',
    '/waiting-list?session=security-plus-online',
  );
  await expect(page.getByRole('definition').filter({ hasText: '81' })).toBeVisible();
});
