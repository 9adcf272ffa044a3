import { expect, test } from 'vitest';
import { pageVersionFaults } from './legal-texts.ts';

const body = 'text';
const page = { title: 'Terms', description: 'd', body };

test('terms say from when they apply, and their earlier versions go back in time', () => {
  const messages = (pages: Parameters<typeof pageVersionFaults>[0]['pages']) =>
    pageVersionFaults({ courses: [], ...(pages && { pages }) }).map(({ path, message }) => [path.join('.'), message]);
  expect(messages([{ ...page, slug: 'terms' }])).toEqual([['0.inForceFrom', expect.stringContaining('is missing')]]);
  expect(messages([{ ...page, slug: 'help' }])).toEqual([]);
  const earlier = [
    { inForceFrom: '2026-11-21', body },
    { inForceFrom: '2026-11-21', body },
  ];
  expect(messages([{ ...page, slug: 'terms', inForceFrom: '2026-11-22', earlier }])).toEqual([
    ['0.earlier.1.inForceFrom', 'does not lie before the version above it'],
  ]);
});
