import type { Page } from '@playwright/test';
import { expect, hydrated, once, test } from './fixtures.ts';

/** What browsers and the tools of people do to a page before its scripts run. */
const changes = {
  'Safari links the digits of the ABN': () => link('footer', /\d\d \d{3} \d{3} \d{3}/, 'tel:1'),
  'a telephone app links a number in the text': () => link('main', /\d+/, 'tel:1'),
  'a calendar app links days': () => link('main', /\w+day|\d+ \w+/, 'x-apple-data-detectors://0'),
  'a mail app links addresses': () => link('footer', /\S+@\S+|\w+ \w+/, 'mailto:a@b.example'),
  'Google translates the page': () => {
    document.documentElement.classList.add('translated-ltr');
    for (const text of texts('body')) wrap(text, 'font').append(' (übersetzt)');
  },
  'a password manager puts its icon beside each field': () => {
    for (const field of document.querySelectorAll('main :is(input, textarea)')) {
      field.setAttribute('data-manager', '1');
      field.after(Object.assign(document.createElement('div'), { textContent: '🔑' }));
    }
  },
  'a password manager puts its menu before the page': () => document.body.prepend(document.createElement('x-menu')),
  'a spelling tool lays its marks over the form': () =>
    document.querySelector('main form')?.prepend(document.createElement('x-marks')),
  'a dark mode changes every style': () => {
    for (const element of document.querySelectorAll<HTMLElement>('body *')) element.style.color = 'red';
  },
  'a blocker takes a part of the page away': () => document.querySelector('footer nav, footer p')?.remove(),
};

/** What the changes are made of, as text: it runs in the page. */
const tools = `
  const texts = (within) => {
    const walker = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT, (node) =>
      node.data.trim() === '' || node.parentElement.closest('script,style,textarea,select') ? 2 : 1);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  };
  const wrap = (text, name) => {
    const element = document.createElement(name);
    text.replaceWith(element);
    element.append(text);
    return element;
  };
  const link = (within, what, href) => {
    for (const text of texts(within)) {
      const found = what.exec(text.data);
      if (!found) continue;
      const word = text.splitText(found.index);
      word.splitText(found[0].length);
      wrap(word, 'a').href = href;
    }
  };`;
declare function texts(within: string): Text[];
declare function wrap(text: Text, name: string): HTMLElement;
declare function link(within: string, what: RegExp, href: string): void;

const pages: [change: keyof typeof changes, address: string, field: string][] = [
  ['Safari links the digits of the ABN', '/contact', 'message'],
  ['a telephone app links a number in the text', '/book/career-counseling', 'name'],
  ['a calendar app links days', '/waiting-list?course=cissp', 'name'],
  ['a mail app links addresses', '/enrolments', 'email'],
  ['Google translates the page', '/login', 'email'],
  ['a password manager puts its icon beside each field', '/staff/sign-in', 'email'],
  ['a password manager puts its menu before the page', '/certificates', 'number'],
  ['a spelling tool lays its marks over the form', '/chat', 'message'],
  ['a dark mode changes every style', '/courses', 'search'],
  ['a blocker takes a part of the page away', '/enrol', 'search'],
];

async function heldBack(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

for (const [change, address, field] of pages) {
  test(`P33: ${change}, and ${address} keeps what is typed and where`, once, async ({ page, expectConsole }) => {
    expectConsole(/Minified React error #4\d\d/);
    const release = await heldBack(page);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForLoadState('domcontentloaded');
    await page.evaluate(`${tools}(${changes[change]})()`);
    const its = page.locator(`main [name="${field}"]`).first();
    await its.click();
    await page.keyboard.type('Helo');
    // Where the cursor is in an address nobody can read or set.
    const cursor = (await its.getAttribute('type')) === 'email' ? 'Backspace' : 'ArrowLeft';
    await page.keyboard.press(cursor);
    release();
    await hydrated(page);
    await page.keyboard.type(cursor === 'Backspace' ? 'lo' : 'l');
    await expect(its).toBeFocused();
    await expect(its).toHaveValue('Hello');
  });
}
