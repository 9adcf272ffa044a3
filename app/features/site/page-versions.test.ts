import { expect, test } from 'vitest';
import { versionsOf } from './page-versions.ts';

const page = { slug: 'terms', title: 'Terms', description: 'd', body: 'new' };

test('P28: the versions of a page, the current one first', () => {
  const dated = { ...page, inForceFrom: '2026-11-22', earlier: [{ inForceFrom: '2026-11-21', body: 'old' }] };
  expect(versionsOf(page)).toEqual([]);
  expect(versionsOf(dated).map(({ body, current }) => [body, current])).toEqual([
    ['new', true],
    ['old', false],
  ]);
});
