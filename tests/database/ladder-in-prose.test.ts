import { expect, test } from 'vitest';
import { exportContent } from '#app/features/content/export.server.ts';
import { ladder } from '#app/features/money/refund.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

test('P100: refunds in /terms and the FAQ have the numbers of the program', async () => {
  const database = await createTestDatabase('academyTemplate');
  const { pages, faq } = (await exportContent(database.db)) ?? expect.unreachable();
  await database.drop();
  const { fullDays, halfDays, fullHours } = ladder;
  const terms = pages.find(({ slug }) => slug === 'terms')?.body ?? '';
  expect(terms).toContain(`| Within ${fullHours} hours of enrolling, before the first day | All of the price |`);
  expect(terms).toContain(`| ${fullDays} days or more before the first day | All of the price |`);
  expect(terms).toContain(`| ${fullDays - 1} to ${halfDays} days before the first day | Half of the price |`);

  const questions = JSON.stringify(faq).replaceAll(/\\n|\s+/g, ' ');
  expect(questions).toContain(
    `All of the price until ${fullDays} days before the first day, half until ${halfDays} days before, then nothing.`,
  );
  expect(questions).toContain(`Also all of it within ${fullHours} hours of enrolling, before the first day.`);
});
