import { type Cursor, type KeyKind, keyOfText, textOfKey } from '#app/lib/keyset.ts';

const longestSearch = 100;
const mostPages = 10_000;

/** An order by an indexed key, and which end of it comes first. */
export type Order<Sort> = { name: Sort; kind: KeyKind; descending: boolean };

/** The view of a list: search, filters, order, columns, and the part of it that its page shows. */
export type ListView<Values = Readonly<Record<string, string | null>>, Sort = string> = {
  search: string;
  values: Values;
  sort: Sort;
  descending: boolean;
  /** In the order of the page. */
  columns: readonly string[];
  /** The start of the page, in a list that has orders. */
  cursor: Cursor | null;
  /** A page from 1, or the rows before an id, in a list that has none. */
  page: number;
  before: number | null;
};

/** The change of a view: filters that it does not name stay. */
type Change<View extends { values: unknown }> = Partial<Omit<View, 'values'>> & { values?: Partial<View['values']> };

/** The links to other parts of a list; null for none. */
export type PageLinks = readonly ({ to: string; text: string } | null)[];

export type ListTab = { to: string; text: string; count?: string; current: boolean };

/** A filter that is on, in words. */
export type Chip = { name: string; label: string; value: string };

/** The addresses of a list as the parts of its page take them. */
export type ListAddresses = {
  path: string;
  names: readonly string[];
  queryOf(view: ListView): URLSearchParams;
  address(view: ListView): string;
  to(view: ListView, change: { search?: string; values?: Readonly<Record<string, string | null | undefined>> }): string;
};

type Readers = Readonly<Record<string, (text: string) => string | null>>;

type Words<Filters extends Readers> = {
  readonly [Name in keyof Filters]: (
    value: NonNullable<ReturnType<Filters[Name]>>,
  ) => readonly [label: string, value: string];
};

/** Reads one of the names of some labels. */
export const oneOf =
  <Name extends string>(labels: Readonly<Record<Name, string>>) =>
  (text: string): Name | null =>
    Object.hasOwn(labels, text) ? (text as Name) : null;
/** Reads a slug. */
export const slugIn = (text: string): string | null => (/^[a-z0-9-]{1,200}$/.test(text) ? text : null);

/**
 * How the address of a list names its filters, order and page (P78). A wrong value in an address counts as absent, and
 * what is usual is not named: the first order, every column, and what a filter's reader makes of an empty text.
 */
export function listAddress<const Filters extends Readers, Sort extends string = never>({
  path,
  filters,
  orders = [],
  columns: every = [],
}: {
  /** The address without a query. */
  path: string;
  /** Reads each filter; null when it is missing or invalid. */
  filters: Filters;
  /** The orders, the usual one first. A list without them has pages with numbers, or rows before an id. */
  orders?: readonly Order<Sort>[];
  /** The names of its columns, in the order of the page. */
  columns?: readonly string[];
}) {
  type View = ListView<{ readonly [Name in keyof Filters]: ReturnType<Filters[Name]> }, Sort>;
  const names = Object.keys(filters) as (keyof Filters & string)[];
  const read = (name: keyof Filters, text: string) => filters[name]?.(text) ?? null;
  const [usual] = orders;

  /** The query of a view without search and page, as a saved view keeps it. */
  function queryOf({ values, sort, descending, columns }: View): URLSearchParams {
    const params = new URLSearchParams();
    for (const name of names) if (values[name] && values[name] !== read(name, '')) params.set(name, values[name]);
    const turned = descending !== (orders.find(({ name }) => name === sort)?.descending ?? false);
    if (sort !== usual?.name || turned) params.set('sort', `${turned ? '-' : ''}${sort}`);
    if (columns.length < every.length) params.set('columns', columns.join(','));
    return params;
  }

  /** The address of a view; `of` another file that shows the same. */
  function address(view: View, of = path): string {
    const { search, cursor, page, before } = view;
    const params = new URLSearchParams(search ? { search } : {});
    for (const [name, value] of queryOf(view)) params.set(name, value);
    if (cursor) params.set(cursor.at, textOfKey(cursor));
    if (before) params.set('before', String(before));
    if (page > 1) params.set('page', String(page));
    return of + (params.size > 0 ? `?${params}` : '');
  }

  function viewOf(params: URLSearchParams): View {
    const [, turned, asked] = /^(-?)([a-z]+)$/.exec(params.get('sort') ?? '') ?? [];
    const named = orders.find(({ name }) => name === asked);
    const order = named ?? usual;
    const wanted = params.getAll('columns').flatMap((text) => text.split(','));
    const columns = every.filter((column) => wanted.includes(column));
    return {
      search: searchIn(params),
      values: Object.fromEntries(names.map((name) => [name, read(name, params.get(name) ?? '')])) as View['values'],
      sort: order?.name as Sort,
      descending: (order?.descending ?? false) !== (named !== undefined && turned === '-'),
      columns: columns.length > 0 ? columns : every,
      cursor: order ? cursorIn(params, order.kind) : null,
      page: order ? 1 : (wholeIn(params, 'page', mostPages) ?? 1),
      before: order ? null : wholeIn(params, 'before', Number.MAX_SAFE_INTEGER),
    };
  }

  /** The address of another view; a change begins at the first page. */
  const to = (view: View, change: Change<View>): string =>
    address({ ...view, cursor: null, page: 1, before: null, ...change, values: { ...view.values, ...change.values } });

  return {
    path,
    names,
    queryOf,
    address,
    viewOf,
    to,
    /** The query of a view with its search: what finds all its rows again. */
    searched: (view: View): string => to(view, {}).slice(path.length + 1),
    /** Another query as saved views keep it. */
    kept: (query: string): string => queryOf(viewOf(new URLSearchParams(query))).toString(),
    /** The address ordered by a column, and turned round when it is ordered by it already. */
    sortedBy(view: View, sort: Sort): string {
      const order = orders.find(({ name }) => name === sort);
      return to(view, { sort, descending: view.sort === sort ? !view.descending : order?.descending });
    },
    /** The filters that are on, in words. */
    chipsOf({ values }: View, words: Words<Filters>): Chip[] {
      return names.flatMap((name) => {
        const on = values[name];
        if (!on) return [];
        const [label, value] = words[name](on as NonNullable<typeof on>);
        return [{ name, label, value }];
      });
    },
    /** A tab for each value of a filter, and one for all unless the filter always has a value. */
    tabsOf<Name extends keyof Filters & string>(view: View, name: Name, labels: Readonly<Record<string, string>>) {
      const all = read(name, '') === null ? [[null, 'All'] as const] : [];
      return [...all, ...Object.entries(labels)].map(
        ([value, text]): ListTab => ({
          text,
          to: to(view, { values: { [name]: value } as Partial<View['values']> }),
          current: view.values[name] === value,
        }),
      );
    },
    /** The links between pages with numbers. */
    numbered(view: View, more: boolean, [back, on]: readonly [string, string] = ['Back', 'Next']): PageLinks {
      return [
        view.page > 1 ? { to: to(view, { page: view.page - 1 }), text: back } : null,
        more ? { to: to(view, { page: view.page + 1 }), text: on } : null,
      ];
    },
    /** The links to the newest rows, and to the rows before the last one shown. */
    newestAndOlder(view: View, before: number | null, text = 'Older'): PageLinks {
      return [
        view.before ? { to: to(view, {}), text: 'Newest' } : null,
        before ? { to: to(view, { before }), text } : null,
      ];
    },
  };
}

/** The words of a search: valid text of at most 100 characters. */
const searchIn = (params: URLSearchParams): string =>
  (params.get('search') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, longestSearch);

function cursorIn(params: URLSearchParams, kind: KeyKind): Cursor | null {
  for (const at of ['after', 'before'] as const) {
    const row = keyOfText(params.get(at) ?? '', kind);
    if (row) return { at, ...row };
  }
  return null;
}

function wholeIn(params: URLSearchParams, name: string, most: number): number | null {
  const whole = Number(params.get(name) ?? '');
  return Number.isSafeInteger(whole) && whole >= 1 && whole <= most ? whole : null;
}
