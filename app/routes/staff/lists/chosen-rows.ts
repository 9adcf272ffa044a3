import { mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';

/** The chosen rows of a list: by their keys, or all that a query of the list finds (P101). */
export type ChosenRows = { list: string } & ({ all: true } | { all: false; rows: readonly string[] });

/** The key of a course date is its slug, with course, city and first day. */
const rowKey = /^[\w-]{1,120}$/;

/** Reads the chosen rows of an address: all that match, all of the page, or the ticked rows. */
export function chosenRowsIn(params: URLSearchParams): ChosenRows {
  const list = params.get('list') ?? '';
  const of = params.getAll('of');
  if (of.includes('all')) return { list, all: true };
  const named = of.includes('page') ? (params.get('shown') ?? '').split(',') : params.getAll('row');
  const rows = [...new Set(named.filter((key) => rowKey.test(key)))].slice(0, mostAtOnce);
  return { list, all: false, rows };
}

/** The chosen rows as the query of a link or a form. */
export function chosenRowsQuery(chosen: ChosenRows): string {
  const params = new URLSearchParams();
  if (chosen.all) params.append('of', 'all');
  else for (const key of chosen.rows) params.append('row', key);
  if (chosen.list) params.set('list', chosen.list);
  return params.toString();
}
