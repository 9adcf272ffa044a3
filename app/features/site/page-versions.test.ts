import { expect, test } from 'vitest';
import { currentTermsVersion, versionsOf } from './page-versions.ts';

const page = { slug: 'terms', title: 'Terms', description: 'd', body: 'new' };

test('the version of the terms that one accepts is the day of the current text', () => {
  const dated = { ...page, inForceFrom: '2026-11-22', earlier: [{ inForceFrom: '2026-11-21', body: 'old' }] };
  expect(currentTermsVersion({ texts: { pages: [{ ...page, slug: 'help' }, dated] } })).toBe('2026-11-22');
  expect(currentTermsVersion({ texts: { pages: [page] } }), 'imported before pages had a day').toBe('2026-11-21');
  expect(versionsOf(dated).map(({ body, current }) => [body, current])).toEqual([
    ['new', true],
    ['old', false],
  ]);
});
