import { expect, openHydrated, test, withMotion } from './fixtures.ts';
import { faultsOfFocus } from './keyboard.ts';

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

test('P35: a note opens after 700 ms under the pointer, at once for the next, and on focus', async ({ page }) => {
  await page.clock.install();
  await page.goto('/course/cissp');
  // React starts when the browser is idle, which this clock has to let it be.
  const started = () => Object.keys(document.body).some((key) => key.startsWith('__reactFiber'));
  await expect
    .poll(async () => {
      await page.clock.runFor(500);
      return page.evaluate(started);
    })
    .toBe(true);
  const xp = page.getByText('80 hours at 70 XP an hour');
  const players = page.getByText(
    'Learners who have taken this course: the academy’s own figure of 2025, see Figures and sources.',
  );
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await page.getByRole('button', { name: '5,600' }).hover();
  await page.clock.runFor(600);
  await expect(xp).toBeHidden();
  await page.clock.runFor(150);
  await expect(xp).toBeInViewport();
  await page.getByRole('button', { name: '14,230' }).hover();
  await page.clock.runFor(200);
  await expect(players).toBeInViewport();
  await expect(xp).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(players).toBeHidden();
  await page.getByRole('button', { name: '14,230' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '5,600' })).toBeFocused();
  await expect(xp).toBeInViewport();
});

// Every page is walked in tests/torture/browser.
test('the keyboard reaches everything on a page, in view and with a visible focus, and is never caught', async ({
  page,
}) => {
  expect(await faultsOfFocus(page, ['/', '/course/cissp', '/enrol'])).toEqual([]);
});

test('a click with a held key is left to the browser, which opens a new tab', async ({ page }) => {
  await openHydrated(page, '/about');
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Courses', exact: true });
  // Hears the click after React, and keeps the browser from opening a tab: on a busy machine that may not end.
  await page.evaluate(() => {
    addEventListener('click', (click) => {
      document.body.dataset.taken = String(click.defaultPrevented);
      click.preventDefault();
    });
  });
  await link.click({ modifiers: ['ControlOrMeta'] });
  await expect(page.locator('body')).toHaveAttribute('data-taken', 'false');
  await expect(page).toHaveURL(/\/about$/);
  await link.click();
  await expect(page.locator('body')).toHaveAttribute('data-taken', 'true');
  await expect(page).toHaveURL(/\/courses$/);
});

test('a link that is pressed while pages cross-fade leads where it should', async ({ page }) => {
  await withMotion(page);
  await openHydrated(page, '/about');
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Courses', exact: true }).click();
  // The cross-fade is held in its middle.
  await page.waitForFunction(() => {
    const fading = document
      .getAnimations()
      .filter(
        ({ effect }) => effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition'),
      );
    for (const animation of fading) animation.pause();
    return fading.length > 0;
  });
  const box = await nav.getByRole('link', { name: 'Certifications', exact: true }).boundingBox();
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  await expect(page).toHaveURL(/\/certifications$/);
});
