import type { Page } from '@playwright/test';
import { publicPages } from '#scripts/support/public-pages.ts';
import { expect, openHydrated, test, withMotion } from './fixtures.ts';

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

test('the keyboard reaches everything on every page, in view and with a visible focus, and is never caught', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/404/);
  test.setTimeout(240_000);
  const pages = [...publicPages, '/enrol', '/none'];
  const faults: string[] = [];
  for (const address of pages) {
    await openHydrated(page, address);
    // Header and footer are the same on each of these: after home, what lies between them.
    const framed = address !== '/' && !/^\/(enrol|login)/.test(address);
    if (framed) await page.locator('#main').focus();
    // The slides that are not shown leave the tab order as the carousel starts.
    if (address === '/') await expect(page.locator('[inert]')).toHaveCount(2);
    await watchFocus(page, framed);
    const reachable = await page.evaluate(
      (within) => {
        const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
        const all = [...document.querySelectorAll<HTMLElement>(selector)].filter(
          (element) =>
            (within === null || element.closest(within)) &&
            element.tabIndex >= 0 &&
            element.checkVisibility() &&
            !element.matches(':disabled') &&
            !element.closest('[inert]'),
        );
        // Of radio buttons of one name only one takes the focus.
        const radios = all.filter((element) => element instanceof HTMLInputElement && element.type === 'radio');
        return all.length - Math.max(0, radios.length - 1);
      },
      framed ? '#main' : null,
    );
    for (let pressed = 0; pressed < reachable + 3; pressed++) await page.keyboard.press('Tab');
    const states = await page.evaluate(() => Reflect.get(window, 'lookAtFocus')());
    const left = states.indexOf('left');
    const reached = left < 0 ? states.length : left;
    for (const state of states.slice(0, reached)) if (state !== 'fine') faults.push(`${address}: ${state}`);
    if (Math.abs(reached - reachable) > 1) faults.push(`${address}: ${reached} of ${reachable} were reached`);
  }
  expect(faults).toEqual([]);
});

/**
 * Looks at what has the focus before each next Tab: by then the page has scrolled to it. `lookAtFocus` looks at the last
 * and returns what was found of each: 'fine', 'left' once the focus has left the page, or its main part, or a fault.
 */
function watchFocus(page: Page, inMain: boolean): Promise<void> {
  return page.evaluate((withinMain) => {
    const found: string[] = [];
    let pressed = 0;
    const state = () => {
      const element = document.activeElement;
      // Past the last it goes to the browser, or round to the first, which skips to the content.
      if (withinMain && element && !element.closest('#main')) return 'left';
      if (!element || element === document.body || (pressed > 1 && element.matches('a[href="#main"]'))) return 'left';
      const { width, height, bottom, top } = element.getBoundingClientRect();
      const look = getComputedStyle(element);
      const ring = look.outlineStyle !== 'none' || element.closest('label')?.matches(':has(:focus-visible)');
      const seen = (width > 0 && height > 0 && bottom > 0 && top < innerHeight) || element.matches('.sr-only');
      return seen && ring ? 'fine' : `${element.outerHTML.slice(0, 120)} is not seen to have the focus`;
    };
    const lookAtFocus = () => {
      found.push(state());
      return found;
    };
    const hear = ({ key }: KeyboardEvent) => {
      if (key !== 'Tab') return;
      if (pressed > 0) lookAtFocus();
      pressed += 1;
    };
    addEventListener('keydown', hear, { capture: true });
    Object.assign(window, { lookAtFocus });
  }, inMain);
}

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
