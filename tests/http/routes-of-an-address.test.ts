import type { RouteConfigEntry } from '@react-router/dev/routes';
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';
import { expect, test } from 'vitest';
import config from '#app/routes.ts';
import { patternOf } from '#server/route-patterns.ts';
import { routesFor } from '#server/router.ts';

type Routes = ServerBuild['routes'];

const root = { id: 'root', path: '', module: {} as never };
const all: Routes = { root, ...listed(await config, 'root') };

function listed(entries: readonly RouteConfigEntry[], parentId: string): Routes {
  const own = entries.map((entry): Routes => {
    const id = entry.id ?? entry.file;
    const { path, index } = entry;
    return { [id]: { id, parentId, path, index, module: {} as never }, ...listed(entry.children ?? [], id) };
  });
  return Object.assign({}, ...own);
}

function tree(routes: Routes, parentId?: string): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const { id, path, index } = route;
    return [index ? { id, path, index } : { id, path, children: tree(routes, id) }];
  });
}

const answering = (routes: RouteObject[], address: string) =>
  matchRoutes(routes, address)?.map(({ route }) => route.id);

test('every address is answered by the same routes, found among few', () => {
  const whole = tree(all);
  const addresses = new Set(
    Object.keys(all).map((id) => (patternOf(all, id) || '/').replaceAll(/:\w+\??|\*/g, 'some-thing')),
  );
  expect(addresses.size).toBeGreaterThan(200);
  for (const address of addresses) {
    const few = tree(routesFor(all, address.split('/')[1] ?? ''));
    for (const one of [address, `${address}/nowhere`]) {
      expect([one, answering(few, one)]).toEqual([one, answering(whole, one)]);
    }
  }
});

test('a first page is looked for among the pages around it only', () => {
  const leaves = (segment: string) =>
    Object.keys(routesFor(all, segment)).filter((id) => all[id]?.path && all[id]?.path !== '*');
  expect(leaves('')).toEqual([]);
  expect(leaves('course')).toContain('routes/storefront/course.tsx');
  expect(leaves('course').length).toBeLessThan(10);
});
