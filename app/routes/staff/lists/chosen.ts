import type { Standing } from '#app/lib/keyset.ts';
import type { Matching } from '#app/ui/staff/choose.tsx';

/** The chosen rows of a list: by their keys, or all that a query of the list finds (P79). */
export type Chosen = { list: string } & ({ all: true } | { all: false; rows: readonly string[] });

/** More than a page has rows. */
const mostRows = 500;

/** The key of a course date is its slug, with course, city and first day. */
const rowKey = /^[\w-]{1,120}$/;

/** Reads the chosen rows of an address: all that match, all of the page, or the ticked rows. */
export function chosenIn(params: URLSearchParams): Chosen {
  const list = params.get('list') ?? '';
  const of = params.getAll('of');
  if (of.includes('all')) return { list, all: true };
  const named = of.includes('page') ? (params.get('shown') ?? '').split(',') : params.getAll('row');
  const rows = [...new Set(named.filter((key) => rowKey.test(key)))].slice(0, mostRows);
  return { list, all: false, rows };
}

/** The chosen rows as the query of a link or a form; `more` is put before them. */
export function chosenQuery(chosen: Chosen, more: Readonly<Record<string, string>> = {}): string {
  const params = new URLSearchParams(more);
  if (chosen.all) params.append('of', 'all');
  else for (const key of chosen.rows) params.append('row', key);
  if (chosen.list) params.set('list', chosen.list);
  return params.toString();
}

/** How many match, for the bar above the rows. */
export const matchingOf = ({ total: count, more }: Standing): Matching => ({ count, more });
