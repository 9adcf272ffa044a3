/** What staff can ask of the list of conversations; apart from the queries, for the pages. */
export const conversationStates = ['waiting', 'answered', 'closed'] as const;
export type ConversationState = (typeof conversationStates)[number];

export const stateLabels: Record<ConversationState, string> = {
  waiting: 'Waiting',
  answered: 'Answered',
  closed: 'Closed',
};

/** Waiting conversations are counted up to this number. */
export const mostCounted = 99;

export type ConversationFilter = { state: ConversationState | null; search: string; page: number };

const longestSearch = 100;

/** Reads the filter of an address; wrong values count as absent. Pages are numbered from 1. */
export function conversationFilterOf(params: URLSearchParams): ConversationFilter {
  const page = Number(params.get('page') ?? '1');
  return {
    state: conversationStates.find((state) => state === params.get('state')) ?? null,
    search: (params.get('search') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, longestSearch),
    page: Number.isSafeInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** The query of the address that shows a filter. */
export function conversationQuery({ state, search, page }: ConversationFilter): string {
  const params = new URLSearchParams();
  if (search) params.set('search', search);
  if (state) params.set('state', state);
  if (page > 1) params.set('page', String(page));
  return params.size > 0 ? `?${params}` : '';
}
