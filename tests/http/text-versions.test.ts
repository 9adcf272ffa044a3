import { expect, test } from 'vitest';
import { openAcademyApp } from '#tests/support/academy-app.ts';

test('P28: earlier terms stay readable at their day and say that they are not the current ones', async () => {
  const academy = await openAcademyApp();
  const read = async (address: string) => (await academy.request(address)).text();
  const now = academy.services.snapshot.current().terms?.inForceFrom;
  expect(now).toBe('2026-11-28');

  const current = await read('/terms');
  expect(current).toContain('25 November 2026');
  expect(current).toContain('href="/terms/2026-11-25"');
  expect(current).toContain('At that moment the seats are yours and the contract is made.');
  const ofSeveral = 'one failed exam is enough';
  expect(current).toContain(ofSeveral);
  expect(await read('/terms/2026-11-26')).not.toContain(ofSeveral);
  expect(await read('/privacy')).toContain('href="/privacy/2026-11-26"');

  const earlier = await read('/terms/2026-11-21');
  expect(earlier).toContain('This version is not the current one.');
  expect(earlier).toContain('Sending an enrolment request asks for a place');
  expect(earlier).toContain('<meta name="robots" content="noindex"/>');
  expect(await read('/privacy/2026-11-21')).toContain('Who we are');
  expect(await read('/help')).not.toContain('Earlier versions');

  const dated = await academy.request(`/terms/${now}`);
  expect([dated.status, dated.headers.get('Location')]).toEqual([302, '/terms']);
  expect((await academy.request('/terms/2020-01-01')).status).toBe(404);
  await academy.close();
});
