import { expect, test } from 'vitest';
import { openAcademyApp } from '#tests/support/academy-app.ts';

test('a card of a list holds what it says and no styles: a page repeats it 24 times', async () => {
  const academy = await openAcademyApp();
  try {
    const html = await (await academy.request('/courses')).text();
    const cards = html.match(/<article.*?<\/article>/gs) ?? [];
    expect(cards).toHaveLength(24);
    // Title, description and label of the bar are 400 characters in the longest card.
    for (const card of cards) expect(card.length, card).toBeLessThanOrEqual(2200);
  } finally {
    await academy.close();
  }
});
