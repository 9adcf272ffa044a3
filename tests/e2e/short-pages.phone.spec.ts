import { cards, expect, expectNoSidewaysScroll, openHydrated, test } from './fixtures.ts';

for (const [address, most, courses] of [
  ['/', 7400, 6],
  ['/courses', 8000, 24],
] as const) {
  test(`${address} is at most ${most} px long on a phone, and shortens nothing a card must show`, async ({ page }) => {
    // Before, heights out of sight are estimates.
    await openHydrated(page, address);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(most);
    await expect(cards(page)).toHaveCount(courses);
    const card = cards(page).first();
    await expect(card.getByRole('heading', { name: 'CompTIA Security+ (SY0-701)' })).toBeVisible();
    for (const text of [
      'CompTIA',
      'Beginner',
      /Prepare for Security\+ SY0-701/,
      /4\.8/,
      '40 hours',
      '18,420 players',
      /Next \d+ \w+ · Online/,
      '1,600 XP',
      '0% Not started',
      'AU$2,299',
      'AU$2,899',
      'HOT',
      'Popular Choice',
    ]) {
      await expect(card.getByText(text).first()).toBeVisible();
    }
    await expect(card.getByRole('progressbar')).toBeVisible();
    await expect(card.locator('img')).toBeVisible();
    await card.getByRole('link', { name: 'START QUEST' }).click();
    await expect(page).toHaveURL('/course/comptia-security-plus');
  });
}

test('rating, hours and players stand on one line of a card', async ({ page }) => {
  await page.goto('/courses');
  const tops = await cards(page)
    .getByRole('list')
    .filter({ hasText: 'players' })
    .evaluateAll((lists) =>
      lists.map((list) => new Set([...list.children].slice(0, 3).map((item) => item.getBoundingClientRect().top)).size),
    );
  expect(tops).toHaveLength(24);
  expect(new Set(tops)).toEqual(new Set([1]));
});

test('a card shows the whole title of its course, by which courses of one name are told apart', async ({ page }) => {
  await openHydrated(page, '/courses');
  const titles = cards(page).getByRole('heading');
  await expect(titles.filter({ hasText: 'AWS Certified Solutions Architect - Associate (SAA-C03)' })).toHaveCount(1);
  const cut = await titles.evaluateAll((all) =>
    all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent),
  );
  expect(cut).toEqual([]);
});

test('the buttons of a page head are one below the other, whatever the font', async ({ page }) => {
  await page.goto('/certifications/cissp');
  const head = page.locator('article > :first-child');
  const tops = await head.getByRole('link').evaluateAll((links: HTMLElement[]) => {
    // As narrow as no font is.
    for (const { style } of links) style.letterSpacing = '-0.1em';
    return links.map((link) => Math.round(link.getBoundingClientRect().top));
  });
  expect(tops).toHaveLength(2);
  expect(new Set(tops).size).toBe(2);
});

test('both columns of the tables of a text fit on a phone', async ({ page }) => {
  for (const address of ['/privacy', '/terms', '/help']) {
    await page.goto(address);
    const hidden = await page
      .getByRole('group', { name: 'Table' })
      .evaluateAll((tables) => tables.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(hidden.length, address).toBeGreaterThan(0);
    expect(hidden, address).toEqual(hidden.map(() => 0));
  }
});

test('no line of the foot ends with a comma', async ({ page }) => {
  await page.goto('/faq');
  const [name, number] = await page
    .getByRole('contentinfo')
    .locator('p:has-text("ABN") > span')
    .evaluateAll((parts) => parts.map((part) => part.textContent ?? ''));
  expect([name, number]).toEqual(['© 2024 Bowerbird Academy Pty Ltd', 'ABN 89 000 000 019']);
});

test('the promotion takes two lines', async ({ page }) => {
  await openHydrated(page, '/');
  const banner = page.getByRole('complementary', { name: 'Promotion' });
  await expect(banner.locator('[title^="Ends"]')).toBeVisible();
  expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(76);
});

test.describe('at 320 px', () => {
  test.use({ viewport: { width: 320, height: 700 } });
  for (const address of [
    '/',
    '/courses?category=cybersecurity',
    '/course/isc2-certified-in-cybersecurity',
    '/certifications',
  ]) {
    test(`no word "Cybersecurity" is broken on ${address}`, async ({ page }) => {
      await page.goto(address);
      const lines = await page.evaluate(() => {
        const found: number[] = [];
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          if (!node.parentElement?.checkVisibility() || node.parentElement.closest('option, script, style')) continue;
          for (const { index } of (node.nodeValue ?? '').matchAll(/cybersecurity/gi)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + 'cybersecurity'.length);
            found.push(new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size);
          }
        }
        return found;
      });
      expect(lines.length).toBeGreaterThan(0);
      expect(new Set(lines)).toEqual(new Set([1]));
      await expectNoSidewaysScroll(page);
    });
  }
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });
    test('a course’s price and Enroll Now are in reach once the hero has left, and cover no end', async ({ page }) => {
      await page.goto('/course/soc-analyst-hands-on');
      const bar = page.locator('.price-bar').getByRole('link', { name: 'Enroll Now' });
      await expect(bar).not.toBeInViewport();
      await page.getByRole('heading', { name: 'Curriculum' }).evaluate((heading) => heading.scrollIntoView());
      await expect(bar).toBeInViewport({ ratio: 1 });
      await expect(bar).toHaveAttribute('href', '/enrol?course=soc-analyst-hands-on');
      await page.getByRole('contentinfo').evaluate((footer) => footer.scrollIntoView({ block: 'end' }));
      await expect(bar).not.toBeInViewport();
    });
  });
}

test('the price bar of a course page covers nothing that has the focus', async ({ page }) => {
  await page.goto('/course/soc-analyst-hands-on');
  const main = page.getByRole('main');
  const sample = main.getByRole('link', { name: 'View Certificate Sample' });
  await page.getByRole('heading', { name: 'Curriculum' }).evaluate((heading) => heading.scrollIntoView());
  await sample.focus();
  await expect(sample).toBeFocused();
  const onTop = () =>
    sample.evaluate((link) => {
      const { left, bottom } = link.getBoundingClientRect();
      return document.elementFromPoint(left + 20, bottom - 2) === link;
    });
  await expect.poll(onTop).toBe(true);
});
