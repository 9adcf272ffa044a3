import { expect, once, onPhone, openHydrated, test, withMotion } from './fixtures.ts';

test(
  'P16: the countdown ticks, and the banner, once closed, stays closed in that browser session',
  onPhone,
  async ({ page }) => {
    await page.clock.install();
    await page.goto('/');
    const banner = page.getByRole('complementary', { name: 'Promotion' });
    await page.clock.runFor(3000);
    await expect(banner.locator('[title^="Ends"]')).toHaveText(/^03d1[89]h\d\dm\d\ds$/);
    const before = await banner.locator('[title^="Ends"]').textContent();
    await page.clock.runFor(2000);
    await expect(banner.locator('[title^="Ends"]')).not.toHaveText(before ?? '');
    await expect(banner.getByRole('link', { name: 'AVAIL NOW' })).toHaveAttribute('href', '/combos');
    await banner.getByRole('button', { name: 'Close the promotion' }).click();
    await expect(banner).toBeHidden();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Bowerbird' })).toBeFocused();
    const tab = await page.context().newPage();
    await tab.goto('/');
    await expect(tab.getByRole('complementary', { name: 'Promotion' })).toBeHidden();
    await tab.close();
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-promo-banner', 'closed');
    await expect(banner).toBeHidden();
  },
);

test(
  'P34: the slides go round every five seconds, rest under the pointer and the focus, and pause',
  once,
  async ({ page }) => {
    await withMotion(page);
    await page.clock.install();
    await page.goto('/');
    // The clock is ours, the network is not: it runs on until React has come and the carousel has begun.
    await expect
      .poll(async () => {
        await page.clock.runFor(100);
        return page.locator('[inert]').count();
      })
      .toBe(2);
    const dot = (name: string) => page.getByRole('link', { name: `Show ${name}` });
    const [first, second, third] = [
      dot('AI Management Systems Lead Auditor'),
      dot('SOC Analyst Hands-On'),
      dot('DevSecOps Engineering'),
    ];
    await expect(first).toHaveAttribute('aria-current', 'true');
    await page.mouse.move(5, 5);
    for (const next of [second, third, first]) {
      await page.clock.runFor(5100);
      await expect(next).toHaveAttribute('aria-current', 'true');
    }
    await third.click();
    await expect(third).toHaveAttribute('aria-current', 'true');
    // The focus is on the dot now: nothing moves.
    await page.clock.runFor(20_000);
    await expect(third).toHaveAttribute('aria-current', 'true');
    const pause = page.getByRole('button', { name: 'Pause the slides' });
    await pause.click();
    await page.getByRole('heading', { name: 'Quest board' }).click();
    await page.clock.runFor(20_000);
    await expect(third).toHaveAttribute('aria-current', 'true');
  },
);

test('P34: under reduced motion the slides do not move by themselves', once, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto('/');
  await page.clock.runFor(22_000);
  await expect(page.getByRole('link', { name: 'Show AI Management Systems Lead Auditor' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await expect(page.getByRole('button', { name: 'Play the slides' })).toBeVisible();
});

test(
  'P19: Watch Demo opens a captioned demonstration that one can play, pause, step and close',
  once,
  async ({ page }) => {
    await openHydrated(page, '/');
    await page.getByRole('link', { name: 'Show SOC Analyst Hands-On' }).click();
    await page.getByRole('group', { name: '2 of 3' }).getByRole('link', { name: 'Watch Demo' }).click();
    const dialog = page.getByRole('dialog', { name: 'A quest moment: triage' });
    await expect(dialog.getByText('Step 1 of 5')).toBeVisible();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await expect(dialog.getByText('Step 2 of 5')).toBeVisible();
    await expect(dialog.getByText(/a document with macros/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expect(dialog.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  },
);

test('P19: each slide has a demonstration of its own', onPhone, async ({ page }) => {
  await openHydrated(page, '/');
  const ids: string[] = [];
  for (const [slide, name, caption] of [
    ['AI Management Systems Lead Auditor', 'A quest moment: audit interview', /An open question first/],
    ['SOC Analyst Hands-On', 'A quest moment: triage', /Word has started PowerShell/],
    ['DevSecOps Engineering', 'A quest moment: pipeline finding', /The build stops before anything is deployed/],
  ] as const) {
    await page.getByRole('link', { name: `Show ${slide}` }).click();
    await page.locator('[aria-roledescription="slide"]:not([inert])').getByRole('link', { name: 'Watch Demo' }).click();
    const dialog = page.getByRole('dialog', { name });
    await expect(dialog.getByText(caption)).toBeVisible();
    ids.push((await dialog.getAttribute('id')) ?? '');
    for (let step = 2; step <= 5; step += 1) {
      await dialog.getByRole('button', { name: 'Next' }).click();
      await expect(dialog.getByText(`Step ${step} of 5`)).toBeVisible();
    }
    for (const box of await dialog.locator('pre').all()) {
      expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
    await page.keyboard.press('Escape');
  }
  expect(new Set(ids).size).toBe(3);
});

test('the colour scheme one chooses is remembered, and stands before the first paint', once, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await openHydrated(page, '/');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByText('Dark', { exact: true }).click();
  expect(await ground()).not.toBe(light);
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
  // The switch knows the choice once the page has its handlers.
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await page.getByText('System', { exact: true }).click();
  expect(await ground()).toBe(light);
  // P16: here it is closed at the desktop's width, elsewhere on a phone.
  await page.getByRole('button', { name: 'Close the promotion' }).click();
  await expect(page.getByRole('complementary', { name: 'Promotion' })).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('P16: the banner can be closed, and stays closed', once, async ({ page }) => {
    await page.goto('/?category=soc');
    const banner = page.getByRole('complementary', { name: 'Promotion' });
    await banner.getByRole('button', { name: 'Close the promotion' }).click();
    await expect(page).toHaveURL('/?category=soc');
    await expect(banner).toHaveCount(0);
    await page.goto('/');
    await expect(banner).toHaveCount(0);
  });

  test('every slide can be read, the demonstration has a page, and no dead button is shown', once, async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Pause the slides' })).toBeHidden();
    await expect(page.getByRole('group', { name: '3 of 3' }).getByRole('link', { name: 'Know More' })).toHaveAttribute(
      'href',
      '/course/devsecops-engineering',
    );
    await page.getByRole('link', { name: 'Watch Demo' }).first().click();
    await expect(page).toHaveURL('/demo#audit-interview');
    await expect(page.getByText('what was required, what was seen')).toBeVisible();
    await expect(page.getByText('the key never leaves the laptop')).toBeVisible();
    await expect(page.getByText('seven minutes from alert to response')).toBeVisible();
  });
});

test('a press made before the scripts have come counts once they are there', once, async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/react-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/about', { waitUntil: 'domcontentloaded' });
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).not.toHaveAttribute('data-scheme');
  release();
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
});
