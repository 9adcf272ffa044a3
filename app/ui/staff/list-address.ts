const longestSearch = 100;
const mostPages = 10_000;

/** The part of a list: a page from 1, or the rows before an id. */
type Place = { page: number; before: number | null };
/** The view of a list: state, search, and part. */
export type ListFilter<State> = { state: State; search: string } & Place;

/** The links to other parts of a list; null for none. */
export type PageLinks = readonly ({ to: string; text: string } | null)[];

type Shape<Name extends string, Usual extends Name | null, More> = {
  /** The address without a query. */
  path: string;
  /** The states by which the list can be narrowed, with their labels, in the order of the page. */
  states: Readonly<Record<Name, string>>;
  /** The default state; null for all. */
  usual: Usual;
  /** Reads further parameters; null when one is missing or invalid. */
  more?: { readonly [Key in keyof More]: (text: string) => More[Key] | null };
};

/** How the address of a list names its filters and page. A wrong value in an address counts as absent. */
export function listAddress<
  Name extends string,
  Usual extends Name | null,
  More extends Record<string, string> = Record<never, string>,
>({ path, states, usual, more }: Shape<Name, Usual, More>) {
  type State = Name | Usual;
  type Filter = ListFilter<State> & { [Key in keyof More]: More[Key] | null };
  const names = Object.keys(states) as Name[];
  const others = Object.entries(more ?? {}) as [keyof More & string, (text: string) => string | null][];
  /** The address of another part of the list; a change begins at its first page. */
  function to(filter: Filter, change: Partial<Filter>, at: Partial<Place> = {}): string {
    const { search, state, page, before, ...further } = { ...filter, page: 1, before: null, ...change, ...at };
    const texts: Record<string, string | null> = { search, state: state === usual ? null : state, ...further };
    const params = new URLSearchParams();
    for (const [name, text] of Object.entries(texts)) if (text) params.set(name, text);
    if (before) params.set('before', String(before));
    if (page > 1) params.set('page', String(page));
    return path + (params.size > 0 ? `?${params}` : '');
  }
  return {
    path,
    usual,
    /** The states that the page offers, with their labels. */
    states: [
      ...(usual === null ? [{ state: usual as State, label: 'All' }] : []),
      ...names.map((state) => ({ state: state as State, label: states[state] })),
    ],
    filterOf(params: URLSearchParams): Filter {
      const before = Number(params.get('before') ?? '');
      const page = Number(params.get('page') ?? '');
      const filter: ListFilter<State> = {
        state: names.find((name) => name === params.get('state')) ?? usual,
        search: searchText(params),
        page: Number.isSafeInteger(page) && page >= 1 && page <= mostPages ? page : 1,
        before: Number.isSafeInteger(before) && before > 0 ? before : null,
      };
      const further = others.map(([name, read]) => [name, read(params.get(name) ?? '')]);
      return { ...filter, ...Object.fromEntries(further) };
    },
    to,
    /** Leads to the pages of a list that has numbers. */
    numbered(filter: Filter, more: boolean, [back, on]: readonly [string, string] = ['Back', 'Next']): PageLinks {
      const at = (page: number) => to(filter, {}, { page });
      return [
        filter.page > 1 ? { to: at(filter.page - 1), text: back } : null,
        more ? { to: at(filter.page + 1), text: on } : null,
      ];
    },
    /** The links to the newest rows, and to the rows before the last one shown. */
    newestAndOlder(filter: Filter, before: number | null, text = 'Older'): PageLinks {
      return [
        filter.before ? { to: to(filter, {}), text: 'Newest' } : null,
        before ? { to: to(filter, {}, { before }), text } : null,
      ];
    },
  };
}

/** The words of a search: valid text of at most 100 characters. */
const searchText = (params: URLSearchParams): string =>
  (params.get('search') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, longestSearch);
