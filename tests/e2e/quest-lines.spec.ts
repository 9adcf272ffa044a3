import { cards, expect, once, onPhone, test } from './fixtures.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    const atOneWidth = javaScriptEnabled ? onPhone : once;
    test(
      'someone follows a quest line from home to its first course, and back from there',
      atOneWidth,
      async ({ page }) => {
        await page.goto('/');
        const region = page.getByRole('region', { name: 'Quest lines' });
        await region.getByRole('link', { name: 'Quest lines' }).click();
        await expect(page).toHaveURL('/quest-lines');
        // The address may change a moment before the page, and home has cards of that name as well.
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quest lines');
        await cards(page).filter({ hasText: 'SOC Analyst' }).first().getByRole('link').click();
        await expect(page).toHaveURL('/quest-lines/soc-analyst');
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('SOC Analyst');
        await page.getByRole('link', { name: 'Start with step 1' }).click();
        await expect(page).toHaveURL('/course/soc-fundamentals');
        await page.getByText('Step 1 of 5 in the quest line').getByRole('link', { name: 'SOC Analyst' }).click();
        await expect(page).toHaveURL('/quest-lines/soc-analyst');
      },
    );
  });
}

test(
  'a quest line prints as a list with its trail on white paper, also from the dark scheme',
  once,
  async ({ page }) => {
    await page.goto('/quest-lines/soc-analyst');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const name of ['banner', 'contentinfo', 'navigation'] as const)
      await expect(page.getByRole(name)).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Promotion' })).toBeHidden();
    const steps = page.getByRole('main').locator('ol > li');
    await expect(steps).toHaveCount(6);
    for (const step of await steps.all()) await expect(step.locator('svg').first()).toBeVisible();
    const grounds = await page.evaluate(() => [
      ...new Set([...document.querySelectorAll('body, body *')].map((one) => getComputedStyle(one).backgroundColor)),
    ]);
    expect(grounds).toEqual(['rgba(0, 0, 0, 0)']);
    // What is cut out of a treasure shows the paper.
    const treasure = steps.first().locator('span svg').first();
    await expect(treasure).toHaveCSS('color', 'rgb(0, 0, 0)');
    const ink = await treasure.evaluate((svg) => getComputedStyle(svg).getPropertyValue('--icon-ink'));
    expect(ink).toMatch(/100%|1 0 0/);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2);
  },
);
