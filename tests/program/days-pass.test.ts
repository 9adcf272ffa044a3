import { expect, test } from 'vitest';
import { get, startProgram, temporaryFolder } from '#scripts/support/program.ts';

test('P13, P16: as days pass, sessions begin and the promotion ends, and its prices revert', async () => {
  const data = temporaryFolder();
  const first = await startProgram({ DATA_DIR: data.folder, TODAY: '2025-09-08' });
  expect((await get(`${first.url}/`)).text).toContain('AVAIL NOW');
  expect((await get(`${first.url}/combos`)).text).toContain('AU$6,367');
  expect((await get(`${first.url}/enrol?combo=cloud-defender`)).text).toContain('Cloud Defender Combo (AU$6,367)');
  await first.end('SIGTERM');

  const later = await startProgram({ DATA_DIR: data.folder, TODAY: '2025-09-16' });
  const combos = (await get(`${later.url}/combos`)).text;
  expect(combos).toContain('The promotion is over');
  expect(combos).toContain('AU$9,097');
  expect(combos).not.toContain('AU$6,367');
  expect((await get(`${later.url}/enrol?combo=cloud-defender`)).text).toContain('Cloud Defender Combo (AU$9,097)');
  expect((await get(`${later.url}/`)).text).not.toContain('AVAIL NOW');
  const calendar = (await get(`${later.url}/training-calendar`)).text;
  expect(calendar).toContain('7 sessions');
  expect(calendar).not.toContain('15 to 19 September 2025');
  // It has begun, and it runs today.
  expect(calendar).toContain('aria-label="Tuesday 16 September 2025, a session runs, chosen"');
  expect((await get(`${later.url}/training-calendar/security-plus-online`)).text).toContain('This session has begun.');
  await later.end('SIGTERM');
  data.remove();
});
