import { courseCount } from '#tests/support/academy.ts';
import { cards, expect, hydrated, once, onPhone, openHydrated, test, withMotion } from './fixtures.ts';

// A course is found and read, with one price everywhere (P1, P2): the product's main job.
for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('someone opens the site, finds a course among real ones, and reads all about it', async ({ page }) => {
      await withMotion(page);
      await page.goto('/');
      await expect(page.getByText(`${courseCount} total quests`)).toBeVisible();
      await page.getByRole('searchbox', { name: 'Search quests' }).fill('cissp domains');
      await page.getByRole('searchbox', { name: 'Search quests' }).press('Enter');
      await expect(page.getByText(`1 of ${courseCount} quests matches`)).toBeVisible();
      await expect(page).toHaveURL(/\?search=cissp\+domains/);

      const card = cards(page).first();
      await expect(card).toContainText('AU$5,499');
      await card.getByRole('link', { name: /^START QUEST/ }).click();

      await expect(page).toHaveURL('/course/cissp');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Certified Information Systems Security Professional (CISSP)',
      );
      const main = page.getByRole('main');
      // In the hero, in the price card, and on a phone in the bar at the bottom; the price also beside the one date.
      const places = (page.viewportSize()?.width ?? 0) < 1024 ? 3 : 2;
      await expect(main.getByText('AU$5,499').filter({ visible: true })).toHaveCount(places + 1);
      await expect(main.getByText('AU$6,599')).toHaveCount(2);
      // Neighbouring courses say their hours in the same line.
      const own = main.getByText('incl. GST').filter({ visible: true, hasNotText: 'hours' });
      await expect(own).toHaveCount(places + 1);
      await expect(main.getByText('80 hours', { exact: true })).toBeVisible();
      await expect(main.getByText('14,230')).toBeVisible();
      for (const title of ['Overview', 'Curriculum', 'Instructor', 'Prerequisites', 'Certification']) {
        await expect(main.getByRole('heading', { level: 2, name: title })).toBeVisible();
      }
      const curriculum = main.locator('section', { has: page.getByRole('heading', { name: 'Curriculum' }) });
      await expect(curriculum.getByRole('heading', { level: 3 })).toHaveCount(8);
      await expect(main.getByText('Aroha Tamihana', { exact: true })).toBeVisible();
      await expect(main.getByText('Cybersecurity Expert')).toBeVisible();
      await expect(main.getByRole('link', { name: 'Enroll Now' })).toHaveCount(places);

      await page.getByRole('link', { name: 'Back to Courses' }).click();
      if (javaScriptEnabled) await expect(page).toHaveURL(/\/\?search=cissp\+domains/);
      else await expect(page).toHaveURL('/');
    });

    const atOneWidth = javaScriptEnabled ? once : onPhone;
    test('P8: filters combine in the address and Clear Filters resets them', atOneWidth, async ({ page }) => {
      await page.goto('/courses');
      await page.getByLabel('Category', { exact: true }).selectOption('SOC');
      if (!javaScriptEnabled) await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
      await expect(page).toHaveURL('/courses?category=soc');
      await page.getByLabel('Level').selectOption('Intermediate');
      if (!javaScriptEnabled) await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
      await expect(page).toHaveURL('/courses?category=soc&level=intermediate');
      await expect(cards(page)).not.toHaveCount(0);
      await expect(cards(page).filter({ hasNotText: 'Intermediate' })).toHaveCount(0);

      await page.getByRole('link', { name: 'Clear Filters' }).click();
      await expect(page).toHaveURL('/courses');
      await expect(page.getByLabel('Category', { exact: true })).toHaveValue('');
      await expect(page.getByLabel('Level')).toHaveValue('');
    });

    test('P10: LOAD MORE QUESTS goes on to the next page, and is gone when all are shown', once, async ({ page }) => {
      await page.goto('/courses');
      await expect(cards(page)).toHaveCount(24);
      await page.getByRole('link', { name: 'LOAD MORE QUESTS' }).click();
      await expect(page).toHaveURL('/courses?page=2');
      await expect(cards(page)).toHaveCount(48);
      const last = Math.ceil(courseCount / 24);
      await page.goto(`/courses?page=${last - 1}`);
      await expect(cards(page)).toHaveCount(24 * (last - 1));
      await page.getByRole('link', { name: 'LOAD MORE QUESTS' }).click();
      await expect(cards(page)).toHaveCount(courseCount);
      await expect(page.getByRole('link', { name: 'LOAD MORE QUESTS' })).toHaveCount(0);
    });

    test('P11: a search that no course matches shows what comes close, and says so', once, async ({ page }) => {
      await page.goto('/courses');
      await page.getByRole('searchbox', { name: 'Search quests' }).fill('kubernetis');
      await page.getByRole('searchbox', { name: 'Search quests' }).press('Enter');
      await expect(page).toHaveURL('/courses?search=kubernetis');
      await expect(page.getByText('No course matches “kubernetis” exactly.')).toBeVisible();
      await expect(cards(page).first()).toContainText('Certified Kubernetes Administrator (CKA)');
    });

    test(
      'a search that finds nothing within the filters says so, and P11 offers the closest titles',
      once,
      async ({ page }) => {
        await page.goto('/courses?search=kubernetis&category=comptia');
        await expect(page.getByText('No courses found matching your criteria.')).toBeVisible();
        const closest = page.getByRole('link', { name: 'Certified Kubernetes Security Specialist (CKS)' });
        await expect(closest).toHaveAttribute('href', '/course/kubernetes-security-cks');
        await page.getByRole('main').getByRole('link', { name: 'Clear Filters' }).last().click();
        await expect(cards(page)).toHaveCount(24);
      },
    );
  });
}

test('P8: a filter chosen just when the address of the one before came counts', once, async ({ page }) => {
  // The level is chosen in the moment in which the address has changed and React has not drawn its list.
  await page.addInitScript(() => {
    const chooseMeanwhile = () => {
      const [search, level] = ['input[type=search][name=search]', 'select[name=level]'].map((field) =>
        document.querySelector<HTMLInputElement | HTMLSelectElement>(`main ${field}`),
      );
      if (location.search !== '?search=kubernetis' || !search || !level) return;
      search.value = '';
      level.value = 'expert';
      queueMicrotask(() => level.dispatchEvent(new Event('change', { bubbles: true })));
    };
    // A search that was typed replaces the address, and Enter moves it on: on a busy machine the pause comes first.
    for (const way of ['pushState', 'replaceState'] as const) {
      const original = history[way].bind(history);
      history[way] = (...given) => {
        original(...given);
        chooseMeanwhile();
      };
    }
  });
  const catalogue = page.waitForResponse((response) => response.url().endsWith('/api/catalogue') && response.ok());
  await openHydrated(page, '/courses');
  await catalogue;
  // The browser holds the catalogue: it filters without the server.
  await page.route(/\/courses\.data/, (route) => route.abort());
  await expect(async () => {
    await page.getByLabel('Level').selectOption('Beginner');
    await expect(cards(page).filter({ hasNotText: 'Beginner' })).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await page.unroute(/\/courses\.data/);
  await page.getByRole('link', { name: 'Clear Filters' }).click();
  await expect(page).toHaveURL('/courses');
  // Only the server knows what comes close to words that no course has.
  const searchbox = page.getByRole('main').getByRole('searchbox', { name: 'Search quests' });
  await searchbox.fill('kubernetis');
  await searchbox.press('Enter');
  await expect(page).toHaveURL('/courses?level=expert');
  await expect(page.getByRole('status').filter({ hasText: 'of' })).toContainText(/^9 of 164/);
  await expect(cards(page).filter({ hasNotText: 'Expert' })).toHaveCount(0);
});

test('P5: a card shows everything a card must show, all of it computed', once, async ({ page }) => {
  await page.goto('/courses?search=cissp+domains');
  const card = cards(page).first();
  for (const text of ['HOT', 'Popular Choice', 'Advanced', 'ISC2', 'AU$6,599', '80 hours']) {
    await expect(card.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(card).toContainText('AU$5,499');
  await expect(card).toContainText('Rating 4.9');
  await expect(card.getByText('14,230 players')).toBeVisible();
  await expect(card.getByText('5,600 XP')).toBeVisible();
  await expect(card.getByText('0% Not started')).toBeVisible();
  await expect(card.getByRole('progressbar')).toHaveJSProperty('value', 0);
  await expect(card.getByText('NEW', { exact: true })).toHaveCount(0);
  await expect(card.locator('img')).toBeVisible();
});

test('a click anywhere on a card opens its course', once, async ({ page }) => {
  await openHydrated(page, '/courses');
  await cards(page)
    .first()
    .click({ position: { x: 40, y: 60 } });
  await expect(page).toHaveURL('/course/comptia-security-plus');
});

test('P8: searching as one types, back and forward keep the fields true', onPhone, async ({ page }) => {
  await openHydrated(page, '/courses');
  const box = page.getByRole('searchbox', { name: 'Search quests' });
  await box.pressSequentially('splunk');
  await expect(page).toHaveURL('/courses?search=splunk');
  await expect(box).toBeFocused();
  await page.getByLabel('Level').focus();
  await page.getByLabel('Level').selectOption('Expert');
  await expect(page).toHaveURL('/courses?search=splunk&level=expert');
  await expect(page.getByLabel('Level')).toBeFocused();
  await page.goBack();
  await expect(page.getByLabel('Level')).toHaveValue('');
  await expect(box).toHaveValue('splunk');
});

test('P10: with JavaScript the focus goes to the first new card', once, async ({ page }) => {
  await openHydrated(page, '/courses');
  await page.getByRole('link', { name: 'LOAD MORE QUESTS' }).click();
  await expect(cards(page)).toHaveCount(48);
  await expect(cards(page).nth(24).getByRole('link')).toBeFocused();
});

test(
  'P10: LOAD MORE QUESTS fetches only the new cards; back, forward and reload show the whole list',
  once,
  async ({ page, expectConsole }) => {
    // Going back at once interrupts the cross-fade to the course, which is no error.
    await withMotion(page);
    // A browser that does not hold the catalogue yet.
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await page.route('**/api/catalogue', (route) => route.abort('internetdisconnected'));
    await openHydrated(page, '/courses?category=grc');
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/(courses|api\/courses)/.test(pathname)) asked.push(pathname + search);
    });
    await expect(cards(page)).toHaveCount(24);
    await page.getByRole('link', { name: 'LOAD MORE QUESTS' }).click();
    await expect(page).toHaveURL('/courses?category=grc&page=2');
    const found = await page.getByRole('status').filter({ hasText: 'of' }).textContent();
    const all = Number.parseInt(found ?? '', 10);
    expect(all).toBeGreaterThan(24);
    await expect(cards(page)).toHaveCount(all);
    expect(asked).toEqual(['/api/courses?category=grc&page=2']);

    await page.goBack();
    await expect(page).toHaveURL('/courses?category=grc');
    await expect(cards(page)).toHaveCount(24);
    await page.goForward();
    await expect(cards(page)).toHaveCount(all);
    await page.reload();
    await expect(cards(page)).toHaveCount(all);
    await cards(page).last().getByRole('link').first().click();
    await expect(page).toHaveURL(/\/course\//);
    await page.goBack();
    await expect(cards(page)).toHaveCount(all);
  },
);

test('Back to Courses returns to the list one came from, with its filters and place', onPhone, async ({ page }) => {
  await withMotion(page);
  await openHydrated(page, '/courses?category=grc&page=2');
  const card = cards(page).nth(20).getByRole('link');
  await card.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(500);
  await card.click();
  await expect(page).toHaveURL(/\/course\//);
  await page.getByRole('link', { name: 'Back to Courses' }).click();
  await expect(page).toHaveURL('/courses?category=grc&page=2');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
});

test.describe('in a browser that does not show its history', () => {
  test.beforeEach(({ page }) => page.addInitScript(() => Reflect.deleteProperty(window, 'navigation')));

  test('Back to Courses returns to the list and its place, by way of another course', once, async ({ page }) => {
    await openHydrated(page, '/courses?category=grc&page=2');
    const card = cards(page).nth(20).getByRole('link');
    await card.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    await card.click();
    await expect(page).toHaveURL(/\/course\//);
    const first = page.url();
    await page.getByRole('main').locator('a[href^="/course/"]:not([href$=".pdf"])').first().click();
    await expect(page).not.toHaveURL(first);
    await page.getByRole('link', { name: 'Back to Courses' }).click();
    await expect(page).toHaveURL('/courses?category=grc&page=2');
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  });

  test('Back to Courses keeps the filters of a list that was left before scripts ran', once, async ({ page }) => {
    await page.route('**/assets/*.js', (route, request) =>
      request.frame().url().includes('/courses')
        ? route.fulfill({ contentType: 'text/javascript', body: '' })
        : route.continue(),
    );
    await page.goto('/courses?category=soc');
    await cards(page).first().getByRole('link').click();
    await expect(page).toHaveURL(/\/course\//);
    await hydrated(page);
    await page.getByRole('link', { name: 'Back to Courses' }).click();
    await expect(page).toHaveURL('/courses?category=soc');
  });
});

test('Back to Courses leads home when one came from no list', once, async ({ page }) => {
  await openHydrated(page, '/course/cissp');
  await page.getByRole('link', { name: 'Back to Courses' }).click();
  await expect(page).toHaveURL('/');
});

test('once the page is idle, filters and LOAD MORE QUESTS ask nothing of the network', once, async ({ page }) => {
  await page.goto('/courses');
  await page.waitForResponse((response) => response.url().endsWith('/api/catalogue') && response.ok());
  await page.waitForLoadState('networkidle');
  await page.route(/\/(courses\.data|api\/courses)/, (route) => route.abort());
  await page.getByRole('combobox', { name: 'Level' }).selectOption('expert');
  await expect(page.getByRole('status').filter({ hasText: 'of' })).toContainText(/^9 of 164/);
  await page.getByRole('combobox', { name: 'Level' }).selectOption('');
  await expect(cards(page)).toHaveCount(24);
  await page.getByRole('link', { name: 'LOAD MORE QUESTS' }).click();
  await expect(cards(page)).toHaveCount(48);
  await expect(page).toHaveURL('/courses?page=2');
});
