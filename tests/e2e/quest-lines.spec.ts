import { readAcademy } from '#tests/support/academy.ts';
import { cards, expect, once, test } from './fixtures.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('someone follows a quest line from home to its first course, and back from there', async ({ page }) => {
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
    });
  });
}

test(
  'P1: the hours and the price of a quest line are the sums of its courses, on every page that shows them',
  once,
  async ({ page }) => {
    const { questLines, courses } = await readAcademy();
    const sum = (slugs: string[], figure: 'hours' | 'price') =>
      slugs.reduce((total, slug) => total + (courses.find((course) => course.slug === slug)?.[figure] ?? 0), 0);
    await page.goto('/quest-lines');
    await expect(cards(page)).toHaveCount(questLines.length);
    for (const [at, { title, steps }] of questLines.entries()) {
      const slugs = steps.map(({ course }) => course);
      const card = cards(page).nth(at);
      await expect(card.getByRole('heading')).toHaveText(title);
      await expect(card.getByRole('listitem')).toHaveCount(slugs.length);
      await expect(card).toContainText(`AU$${sum(slugs, 'price').toLocaleString('en-AU')}`);
      await expect(card.locator('dd').nth(1)).toHaveText(String(sum(slugs, 'hours')));
    }
    const line = questLines.find(({ slug }) => slug === 'lead-auditor');
    const slugs = line?.steps.map(({ course }) => course) ?? [];
    await page.goto('/quest-lines/lead-auditor');
    const whole = page.getByRole('complementary', { name: 'The whole way' });
    await expect(whole).toContainText(`AU$${sum(slugs, 'price').toLocaleString('en-AU')}`);
    await expect(whole).toContainText(`Hours${sum(slugs, 'hours')}`);
    await expect(page.getByRole('heading', { level: 3 })).toHaveCount(slugs.length);
  },
);

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

test('a quest line says which combo saves money on it while the promotion runs', once, async ({ page }) => {
  await page.goto('/quest-lines/cloud-security-engineer');
  await expect(page.getByRole('link', { name: 'Cloud Defender Combo' })).toHaveAttribute('href', '/combos');
  await expect(page.getByText('joins 3 of these courses and saves AU$2,730')).toBeVisible();
});

test('certifications name the quest lines that lead to them, and those lead back', once, async ({ page }) => {
  await page.goto('/certifications/cissp');
  await page.getByRole('link', { name: /^Security Leader/ }).click();
  await expect(page).toHaveURL('/quest-lines/security-leader');
  await page.getByRole('link', { name: 'Certified Information Systems Security Professional', exact: true }).click();
  await expect(page).toHaveURL('/certifications/cissp');
});

test('a course says what it needs, what it leads to, and how its exam stands', once, async ({ page }) => {
  await page.goto('/course/comptia-security-plus');
  await expect(page.getByText('No other course; see the prerequisites above.')).toBeVisible();
  const exams = page.getByRole('list', { name: 'Outside exams' });
  await expect(exams).toContainText('CompTIA, SY0-701');
  await expect(exams).toContainText('On offer when last checked, in November 2026.');
  await page.getByRole('link', { name: 'SOC Analyst Hands-On' }).click();
  await expect(page.getByRole('heading', { level: 3, name: 'Needs' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'CompTIA Security+ (SY0-701)' })).toBeVisible();
});

test('a quest line that does not exist is Not Found', once, async ({ page, expectConsole }) => {
  expectConsole(/404/);
  const response = await page.goto('/quest-lines/none');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
});

test('a certification whose exam is gone says so beside its pass rate', once, async ({ page }) => {
  // The tests' clock stands before the day of its retirement: what the content calls retired is retired.
  for (const address of ['/certifications', '/certifications/az-500']) {
    await page.goto(address);
    await expect(page.getByText('Exam AZ-500: Retired on 31 August 2026; SC-500 takes its place.')).toBeVisible();
  }
  const warning = page.getByRole('paragraph').filter({ hasText: 'Exam AZ-500: Retired' });
  await warning.getByRole('link', { name: 'Microsoft Cloud and AI Security Engineer (SC-500)' }).click();
  await expect(page).toHaveURL('/course/microsoft-cloud-ai-security-sc-500');
});

test('a course page says whether the exam guarantee applies', once, async ({ page }) => {
  const guarantee = async (slug: string) => {
    await page.goto(`/course/${slug}`);
    return page.getByText(/exam guarantee/i).textContent();
  };
  expect(await guarantee('cissp')).toBe(
    'Exam guarantee: pass the exam or retake the course free, on the conditions in the terms.',
  );
  expect(await guarantee('azure-security-engineer-az-500')).toContain('does not apply, since the exam cannot be sat');
  expect(await guarantee('job-guarantee-soc-analyst')).toContain('does not apply here; the job guarantee does');
});
