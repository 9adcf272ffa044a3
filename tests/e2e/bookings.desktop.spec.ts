import { ageForm, expect, expectAccessible, openHydrated, test } from './fixtures.ts';

test.use({ timezoneId: 'America/New_York' });

test('P20, P14: times stand in the zone of the browser beside Brisbane’s; a time is booked by keyboard', async ({
  page,
}) => {
  await openHydrated(page, '/book/virtual-tour');
  await page.getByLabel('Name').fill('Ada Byron');
  // Another day is another page; what was typed stays.
  await page.getByRole('link', { name: /Thursday 18 September 2025/ }).click();
  const times = page.getByRole('group', { name: /Thursday 18 September 2025, Brisbane time/ });
  await expect(times.getByRole('radio').first()).toHaveAccessibleName('9:00 AM Wed 7:00 PM in New York');
  await expect(page.getByLabel('Name')).toHaveValue('Ada Byron');
  await expectAccessible(page);

  await times.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  const second = times.getByRole('radio').nth(1);
  await expect(second).toBeChecked();
  // Which time is the second depends on what runs before on the same data have booked.
  const start = await times.locator('label').nth(1).locator('b').textContent();
  await page.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`);
  await ageForm(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your time is booked');
  await expect(page.getByRole('main')).toContainText(`Thursday 18 September 2025, ${start} to `);
  await expect(page.getByRole('main')).toContainText(/\d PM in New York|\d AM in New York/);
  await expectAccessible(page);
});
