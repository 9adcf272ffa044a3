import { expect, test } from './fixtures.ts';

test('the navigation leads where the specification says and marks where one is', async ({ page }) => {
  await page.goto('/courses');
  const nav = page.getByRole('navigation', { name: 'Main' });
  const links = await nav.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links).toEqual(['/courses', '/training-calendar', '/certifications', '/about']);
  await expect(nav.getByRole('link')).toHaveText(['Courses', 'Training Calendar', 'Certifications', 'About Us']);
  await expect(nav.locator('[aria-current=page]')).toHaveText('Courses');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Enroll Now' })).toHaveAttribute('href', '/enrol');
  await page.getByRole('banner').getByRole('link', { name: 'Bowerbird' }).click();
  await expect(page).toHaveURL('/');
});

test('P35: a tooltip opens after 700 ms', async ({ page }) => {
  await page.clock.install();
  await page.goto('/course/cissp');
  await page.clock.runFor(2000);
  await page.getByText('5,600').hover();
  const tooltip = page.getByText('80 hours at 70 XP an hour', { exact: false }).last();
  await page.clock.runFor(600);
  await expect(tooltip).not.toBeInViewport();
  await page.clock.runFor(300);
  await expect(tooltip).toBeInViewport();
});
