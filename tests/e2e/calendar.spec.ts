import { expect, hydrated, once, onPhone, openHydrated, test } from './fixtures.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const atOneWidth = javaScriptEnabled ? onPhone : once;
    test(
      'P15: choosing a day says what runs on it and hides nothing; choosing it again lets it go',
      atOneWidth,
      async ({ page }) => {
        await page.goto('/training-calendar');
        await expect(page.getByRole('link', { name: 'Monday 8 September 2025, chosen' })).toBeVisible();
        await page.getByRole('link', { name: 'Wednesday 17 September 2025, a course runs' }).click();
        const picker = page.getByRole('status').last();
        await expect(picker).toContainText('Wednesday 17 September 2025: CompTIA Security+ (SY0-701)');
        await expect(page.getByRole('article')).toHaveCount(8);
        await page.getByRole('link', { name: 'Wednesday 17 September 2025, a course runs, chosen' }).click();
        await expect(picker).toHaveText('No day is chosen.');
        await page.getByRole('link', { name: 'Show October 2025' }).click();
        await expect(page.getByRole('heading', { name: 'October 2025', level: 2 })).toBeVisible();
      },
    );

    test('P15: the list has filters of its own', atOneWidth, async ({ page }) => {
      await page.goto('/training-calendar');
      await page.getByLabel('Mode', { exact: true }).selectOption('In-Person Sydney');
      const show = page.getByRole('button', { name: 'Show', exact: true });
      if (javaScriptEnabled) await expect(show).toBeHidden();
      else await show.click();
      await expect(page.getByText('1 of 8 dates match')).toBeVisible();
      await expect(page.getByRole('article')).toContainText('8:30 AM to 6:00 PM AEDT');
      await page.getByLabel('Level', { exact: true }).selectOption('Advanced');
      if (!javaScriptEnabled) await show.click();
      await expect(page.getByText('No dates match these filters.')).toBeVisible();
      await page.getByRole('link', { name: 'Show all dates' }).click();
      await expect(page.getByRole('article')).toHaveCount(8);
    });
  });
}

test.describe('a visitor elsewhere', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });
  test('P14: sees their own time beside the course date’s', once, async ({ page }) => {
    await page.goto('/training-calendar/security-plus-online');
    await expect(page.getByText('9:00 AM to 5:00 PM AEST (8:00 AM to 4:00 PM where you are)')).toBeVisible();
  });

  test('finds it there before React, and nothing moves when React comes', once, async ({ page }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/*.js', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/training-calendar/security-plus-online');
    await expect(page.getByText('(8:00 AM to 4:00 PM where you are)')).toBeVisible();
    await page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      Object.assign(window, { shifts: [] });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) Reflect.get(window, 'shifts').push(Reflect.get(entry, 'value'));
      }).observe({ type: 'layout-shift' });
    });
    release();
    await hydrated(page);
    const shifts = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return Reflect.get(window, 'shifts');
    });
    expect(shifts).toEqual([]);
    await expect(page.getByText('9:00 AM to 5:00 PM AEST (8:00 AM to 4:00 PM where you are)')).toBeVisible();
  });
});

test('a visitor in Brisbane sees one time only', once, async ({ page }) => {
  await page.goto('/training-calendar/security-plus-online');
  await expect(page.getByText('9:00 AM to 5:00 PM AEST').first()).toBeVisible();
  await expect(page.getByText('where you are')).toHaveCount(0);
});

test('P15: a filter keeps the focus when its choice applies, and follows back and forward', once, async ({ page }) => {
  await openHydrated(page, '/training-calendar');
  const mode = page.getByLabel('Mode', { exact: true });
  await mode.focus();
  await mode.selectOption('In-Person Sydney');
  await expect(page).toHaveURL('/training-calendar?mode=sydney');
  await expect(mode).toBeFocused();
  await page.goBack();
  await expect(mode).toHaveValue('');
});
