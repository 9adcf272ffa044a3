import { expect, test } from 'vitest';
import { openAcademyApp } from '#tests/support/academy-app.ts';

test('P13, P16: as days pass, course dates begin and the promotion ends, and its prices revert', async () => {
  const academy = await openAcademyApp();
  const textOf = async (address: string) => (await academy.request(address)).text();
  expect(await textOf('/')).toContain('AVAIL NOW');
  expect(await textOf('/combos')).toContain('AU$6,367');
  expect(await textOf('/enrol?combo=cloud-defender')).toContain('AU$6,367');

  academy.setNow(new Date('2025-09-16T09:00:00+10:00'));
  const combos = await textOf('/combos');
  expect(combos).toContain('The promotion is over');
  expect(combos).toContain('AU$9,097');
  expect(combos).not.toContain('AU$6,367');
  expect(combos).not.toContain('at a lower price');
  expect(await textOf('/faq')).toMatch(/At other times a combo costs the sum of\s+its\s+courses\./);
  expect(await textOf('/enrol?combo=cloud-defender')).not.toContain('AU$6,367');
  expect(await textOf('/')).not.toContain('AVAIL NOW');
  const calendar = await textOf('/training-calendar');
  expect(calendar).toContain('7 dates');
  expect(calendar).not.toContain('15 to 19 September 2025');
  // It has begun, and it runs today.
  expect(calendar).toContain('aria-label="Tuesday 16 September 2025, a course runs, chosen"');
  expect(await textOf('/training-calendar/security-plus-online')).toContain('This date has started.');
  await academy.close();
});
