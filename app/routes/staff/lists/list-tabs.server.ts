import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { type ListName, savedViews } from '#app/features/people/views.server.ts';
import { formatCount } from '#app/lib/money.ts';
import type { ListTab } from '#app/ui/staff/list-address.ts';

/** A view that the program brings: its name, and the query of its address. */
export type BuiltIn = readonly [text: string, query: string];

type Wanted = {
  list: ListName;
  /** The list's address without a query. */
  path: string;
  /** The query of the page, as a saved view keeps it. */
  query: string;
  builtIn: readonly BuiltIn[];
  /** How many rows one of the program's own views has, counted up to `mostOnTab`. */
  count?: (query: string) => Promise<number>;
  /** The view that the list shows by default. */
  all?: string;
};

/** The tabs over a list: all, the program's own views, then the person's; and whether one is shown. */
export async function listTabs(
  db: Db,
  actor: StaffActor,
  { list, path, query, builtIn, count, all: first = 'All' }: Wanted,
) {
  const saved = actor.can.has('views:save') ? await savedViews(db, actor, list) : [];
  const all: BuiltIn[] = [[first, ''], ...builtIn, ...saved.map(({ name, query: its }): BuiltIn => [name, its])];
  const shown = sorted(query);
  // If several views show the same, the last one gives the name.
  const named = all.filter(([, its], at) => all.findLastIndex(([, other]) => sorted(other) === sorted(its)) === at);
  const found = named.findIndex(([, its]) => sorted(its) === shown);
  const tabs: ListTab[] = [];
  for (const [at, [text, its]] of named.entries()) {
    const counted = count && builtIn.some(([, own]) => own === its) ? countText(await count(its)) : undefined;
    tabs.push({ text, to: its === '' ? path : `${path}?${its}`, current: at === found, count: counted });
  }
  return { tabs, isNamed: found >= 0 };
}

/** Up to how many rows a tab counts. */
export const mostOnTab = 1000;

const countText = (count: number): string => (count >= mostOnTab ? `${formatCount(mostOnTab)}+` : String(count));

/** The same query whatever the order of its parts. */
const sorted = (query: string): string => {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
};
