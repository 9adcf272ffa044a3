import type { Page } from '@playwright/test';
import { expect, openHydrated } from './fixtures.ts';

/** What of these pages Tab does not reach, in view and with a visible focus, or where it is caught. */
export async function faultsOfFocus(page: Page, pages: string[]): Promise<string[]> {
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
  return faults;
}

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
