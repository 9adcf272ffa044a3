import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { projectRoot } from '#app/env.server.ts';
import { csvFiles } from '#app/routes/staff/lists/list-files.server.ts';
import routes from '#app/routes.ts';

/** A route for people who are signed in, with what its loader and its action ask for. */
export type GuardedRoute = { address: string; file: string; loader: Asks; action: Asks };
/** The permission, or 'player'; 'nothing' where none is asked for first, 'none' where there is no such function. */
type Asks = string;

/** The route that answers every file of rows. Each file counts as a route of its own, with the permission that it needs. */
const ofFiles = 'staff/:list.csv';

/** Every route whose address begins with one of these words, without those that let people in and out. */
export function guardedRoutes(areas: readonly string[] = ['staff']): GuardedRoute[] {
  return everyRoute()
    .filter(({ address }) => areas.includes(address.split('/')[0] ?? ''))
    .filter(({ address }) => !/^staff\/sign-(in|out)(\/|$)/.test(address))
    .flatMap(({ address, file }) => {
      const source = readFileSync(path.join(projectRoot, 'app', file), 'utf8');
      const route = { address: `/${address}`, file, loader: asks(source, 'loader'), action: asks(source, 'action') };
      if (address !== ofFiles) return [route];
      return Object.entries(csvFiles).map(([name, { needs }]) => ({
        ...route,
        address: `/staff/${name}.csv`,
        loader: asksForFile(source) ? needs : 'nothing',
      }));
    });
}

/** Whether the first statement of the route of files asks for what the file needs. */
const asksForFile = (source: string) =>
  /^export async function loader\([^\n]*\{\n {2}const actor = staffFor\(context, needsOf\(params\.list\)\);$/m.test(
    source,
  );

/** What the first statement of a route's loader or action asks for. */
export function asks(source: string, name: 'loader' | 'action'): Asks {
  const [, first] =
    new RegExp(`^export (?:async )?function ${name}\\([^\\n]*\\{\\n([^\\n]*)`, 'm').exec(source) ??
    (source.includes(`export const ${name}`) ? [null, ''] : []);
  if (first === undefined) return 'none';
  if (/^ {2}(?:const .* = )?(?:p|freshP)layerFor\(context\b/.test(first)) return 'player';
  return /^ {2}(?:const .* = )?staffFor\(context, '([a-z-]+:[a-z-]+)'\)/.exec(first)?.[1] ?? 'nothing';
}

/** The address and the file of every route, without the frames. */
export const everyRoute = (): { address: string; file: string }[] => leavesOf(routes);

function leavesOf(entries: readonly RouteConfigEntry[]): { address: string; file: string }[] {
  return entries.flatMap(({ path: address = '', file, children }) =>
    children ? leavesOf(children) : { address, file },
  );
}
