import { type Cursor, type KeyKind, keyOfText, textOfKey } from '#app/lib/keyset.ts';

const longestSearch = 100;

/** The view of a list: search, filters, order, columns, and first row. */
export type ListView<Sort extends string, Name extends string, Column extends string> = {
  search: string;
  values: Readonly<Record<Name, string | null>>;
  sort: Sort;
  descending: boolean;
  /** In the order of the page. */
  columns: readonly Column[];
  cursor: Cursor | null;
};

type Shape<Sort extends string, Name extends string, Column extends string> = {
  /** The address without a query. */
  path: string;
  /** The closed list of indexed columns by which it can be ordered, and which end of each comes first. */
  sorts: Readonly<Record<Sort, { kind: KeyKind; descending: boolean }>>;
  /** The default order. */
  usual: NoInfer<Sort>;
  /** Reads each filter; null when it is missing or invalid. */
  filters: Readonly<Record<Name, (text: string) => string | null>>;
  /** The columns with their heads, in the order of the page. */
  columns: Readonly<Record<Column, string>>;
};

/** Reads one of a closed list. */
export const oneOf =
  (names: readonly string[]) =>
  (text: string): string | null =>
    names.includes(text) ? text : null;
/** Reads a slug. */
export const slugIn = (text: string): string | null => (/^[a-z0-9-]{1,200}$/.test(text) ? text : null);

/**
 * How the address of a list with keys names its filters and page (P78). A wrong value in an address counts as absent.
 */
export function keysetAddress<Sort extends string, Name extends string, Column extends string>({
  path,
  sorts,
  usual,
  filters,
  columns,
}: Shape<Sort, Name, Column>) {
  type View = ListView<Sort, Name, Column>;
  const names = Object.keys(filters) as Name[];
  const everyColumn = Object.keys(columns) as Column[];
  const sortNames = Object.keys(sorts) as Sort[];

  /** The query of a view without search and row, as a saved view keeps it. */
  function queryOf({ values, sort, descending, columns: shown }: Omit<View, 'search' | 'cursor'>): URLSearchParams {
    const params = new URLSearchParams();
    for (const name of names) if (values[name]) params.set(name, values[name]);
    const turned = descending !== sorts[sort].descending;
    if (sort !== usual || turned) params.set('sort', `${turned ? '-' : ''}${sort}`);
    if (shown.length < everyColumn.length) params.set('columns', shown.join(','));
    return params;
  }

  /** The address of a view; `of` another file that shows the same, such as its CSV. */
  function address(view: View, of = path): string {
    const params = new URLSearchParams(view.search ? { search: view.search } : {});
    for (const [name, value] of queryOf(view)) params.set(name, value);
    if (view.cursor) params.set(view.cursor.at, textOfKey(view.cursor));
    return of + (params.size > 0 ? `?${params}` : '');
  }

  return {
    path,
    columns,
    everyColumn,
    sorts,
    names,
    queryOf,
    address,
    viewOf(params: URLSearchParams): View {
      const [, turned, asked] = /^(-?)([a-z]+)$/.exec(params.get('sort') ?? '') ?? [];
      const named = sortNames.find((name) => name === asked);
      const sort = named ?? usual;
      const { kind, descending } = sorts[sort];
      const wanted = params.getAll('columns').flatMap((text) => text.split(','));
      const shown = everyColumn.filter((column) => wanted.includes(column));
      const row = (['after', 'before'] as const)
        .map((at) => ({ at, row: keyOfText(params.get(at) ?? '', kind) }))
        .find((one) => one.row !== null);
      return {
        search: searchText(params),
        values: Object.fromEntries(names.map((name) => [name, filters[name](params.get(name) ?? '')])) as Record<
          Name,
          string | null
        >,
        sort,
        descending: named && turned === '-' ? !descending : descending,
        columns: shown.length > 0 ? shown : everyColumn,
        cursor: row?.row ? { at: row.at, ...row.row } : null,
      };
    },
    /** The address of another view; a change begins at the first page. */
    to(view: View, change: Partial<Omit<View, 'values'>> & { values?: Partial<View['values']> }): string {
      const values = { ...view.values, ...change.values };
      return address({ ...view, cursor: null, ...change, values });
    },
    /** The address ordered by a column, and turned round when it is ordered by it already. */
    sortedBy(view: View, sort: Sort): string {
      const descending = view.sort === sort ? !view.descending : sorts[sort].descending;
      return address({ ...view, sort, descending, cursor: null });
    },
  };
}

export type KeysetAddress<Sort extends string, Name extends string, Column extends string> = ReturnType<
  typeof keysetAddress<Sort, Name, Column>
>;

/** The words of a search: valid text of at most 100 characters. */
const searchText = (params: URLSearchParams): string =>
  (params.get('search') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, longestSearch);
