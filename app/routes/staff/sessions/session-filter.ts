import { searchText } from '#app/routes/staff/search-text.ts';

export const sessionTimes = ['upcoming', 'undecided', 'below', 'way-in', 'past'] as const;
export type SessionFilter = {
  when: (typeof sessionTimes)[number];
  search: string;
  /** From 1. */
  page: number;
};

/** The filter an address names; what it names wrongly counts as absent. */
export function sessionFilterOf(params: URLSearchParams): SessionFilter {
  const page = Number(params.get('page') ?? '');
  return {
    when: sessionTimes.find((when) => when === params.get('state')) ?? 'upcoming',
    search: searchText(params),
    page: Number.isSafeInteger(page) && page > 0 && page < 10_000 ? page : 1,
  };
}

/** The query of the address that shows a filter. */
export function sessionQuery({ when, search, page }: SessionFilter): string {
  const params = new URLSearchParams();
  if (search) params.set('search', search);
  if (when !== 'upcoming') params.set('state', when);
  if (page > 1) params.set('page', String(page));
  return params.size > 0 ? `?${params}` : '';
}
