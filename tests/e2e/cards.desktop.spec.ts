import { cards, expect, openHydrated, test } from './fixtures.ts';

test('the button of a card covers neither its price nor its original price', async ({ page }) => {
  await openHydrated(page, '/courses');
  for (const width of [768, 820, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const covered = await cards(page).evaluateAll((all) =>
      all.flatMap((card) => {
        const button = card.querySelector('a')?.getBoundingClientRect();
        const prices = [...card.querySelectorAll('.course-card-price, .course-card-price > s')];
        return prices.filter((price) => button && price.getBoundingClientRect().right > button.left);
      }),
    );
    expect([width, covered.length]).toEqual([width, 0]);
  }
});
