import { expect, once, test } from './fixtures.ts';

test(
  'an unknown path: the 404 screen, and the attempted path on the console',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 404/);
    expectConsole(/^404: no page at \/nowhere\/at-all$/);
    const logged = page.waitForEvent('console', (message) => message.text().includes('/nowhere/at-all'));
    const response = await page.goto('/nowhere/at-all');
    expect(response?.status()).toBe(404);
    await logged;
    await expect(page.getByText('404', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveURL('/');
  },
);

test('P4: an id no course has: 404 and "Course Not Found", back to /', once, async ({ page, expectConsole }) => {
  expectConsole(/status of 404/);
  const response = await page.goto('/course/no-such-course');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Course Not Found');
  await page.getByRole('link', { name: 'Back to Courses' }).click();
  await expect(page).toHaveURL('/');
});

test(
  'P36: an unhandled error shows its status and text and a way home, no stack',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 405/);
    expectConsole(/405/);
    await page.goto('/courses');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.evaluate(() => {
      const form = document.createElement('form');
      form.method = 'post';
      document.body.append(form);
      form.submit();
    });
    expect((await answered).status()).toBe(405);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
    await expect(page.getByRole('main')).toContainText('405');
    await expect(page.getByRole('main')).not.toContainText(/\bat \S+:\d+/);
    await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible();
  },
);
