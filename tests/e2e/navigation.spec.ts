import { expect, once, onPhone, openHydrated, test, withMotion } from './fixtures.ts';

test('the footer has its links, contact details, city and copyright', onPhone, async ({ page }) => {
  await page.goto('/');
  const footer = page.getByRole('contentinfo');
  for (const address of [
    '/courses',
    '/certifications',
    '/training-calendar',
    '/free-resources',
    '/about',
    '/contact',
    '/faq',
    '/help',
    '/privacy',
    '/terms',
    '/claims',
  ]) {
    await expect(footer.locator(`a[href="${address}"]`)).toBeVisible();
  }
  await expect(footer.locator('a[href="#"]')).toHaveCount(0);
  await expect(footer.getByText('hello@bowerbirdacademy.example')).toBeVisible();
  await expect(footer.getByText('(07) 7010 0142')).toBeVisible();
  await expect(footer.getByText('Brisbane')).toBeVisible();
  await expect(footer.getByText('© 2024 Bowerbird Academy')).toBeVisible();
});

test.describe('P11: the search of the navigation', () => {
  test.beforeEach(async ({ page, isMobile }) => {
    await openHydrated(page, '/');
    if (isMobile) await page.locator('summary[aria-label=Search]').click();
  });

  test('suggests as one types, forgives mistakes, and is worked by keys', once, async ({ page }) => {
    const box = page.getByRole('combobox', { name: 'Search courses' }).filter({ visible: true });
    await expect(box).toHaveAttribute('placeholder', 'What do you want to learn?');
    await box.pressSequentially('kubernets');
    const option = page.getByRole('option', { name: /Certified Kubernetes Administrator/ });
    await expect(option).toBeVisible();
    await expect(box).toHaveAttribute('aria-expanded', 'true');
    await box.press('ArrowDown');
    await expect(option).toHaveAttribute('aria-selected', 'true');
    await box.press('Escape');
    await expect(option).toBeHidden();
    await expect(box).toHaveValue('kubernets');
    await box.press('s');
    await expect(option).toBeVisible();
    await box.press('ArrowDown');
    await box.press('Enter');
    await expect(page).toHaveURL('/course/kubernetes-administrator-cka');
  });

  test('Enter without a choice searches the courses', onPhone, async ({ page }) => {
    const box = page.getByRole('combobox', { name: 'Search courses' }).filter({ visible: true });
    await box.fill('privacy');
    await box.press('Enter');
    await expect(page).toHaveURL('/courses?search=privacy');
    await expect(page.getByRole('searchbox', { name: 'Search quests' })).toHaveValue('privacy');
  });
});

test(
  'P33: after a move the heading of the new page has the focus; a filter leaves it where it was',
  once,
  async ({ page }) => {
    await openHydrated(page, '/faq');
    const heading = page.getByRole('main').getByRole('heading', { level: 1 });
    for (const address of ['/courses', '/about', '/contact']) {
      await page.getByRole('contentinfo').locator(`a[href="${address}"]`).click();
      await expect(page).toHaveURL(address);
      await expect(heading).toBeFocused();
    }
    await page.goBack();
    await expect(heading).toBeFocused();
    await openHydrated(page, '/courses');
    const level = page.getByLabel('Level');
    await level.focus();
    await level.selectOption('advanced');
    await expect(page).toHaveURL(/level=advanced/);
    await expect(level).toBeFocused();
  },
);

test('a link opens the new page at its top at once, without sliding there', onPhone, async ({ page }) => {
  await withMotion(page);
  await openHydrated(page, '/courses');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'About Us' });
  await link.scrollIntoViewIfNeeded();
  const from = await page.evaluate(() => {
    const places: number[] = [];
    addEventListener('scroll', () => places.push(scrollY));
    Object.assign(window, { places });
    return scrollY;
  });
  expect(from).toBeGreaterThan(1000);
  await link.click();
  await expect(page).toHaveURL('/about');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  // A slide passes places between the two.
  const places: number[] = await page.evaluate(() => Reflect.get(window, 'places'));
  expect(places.filter((place) => place !== from && place !== 0)).toEqual([]);
});
