import { searchText } from '#app/routes/staff/search-text.ts';

export const enrolmentStates = [
  'unpaid',
  'overdue',
  'overpaid',
  'waiting',
  'choosing',
  'session',
  'cancelled',
] as const;
export type EnrolmentState = (typeof enrolmentStates)[number];

export const enrolmentStateLabels: Record<EnrolmentState, string> = {
  unpaid: 'Unpaid',
  overdue: 'Past due',
  overpaid: 'Too much paid',
  waiting: 'Waiting for a date',
  choosing: 'Choice open',
  session: 'From a cancelled session',
  cancelled: 'With cancelled places',
};

export type EnrolmentFilter = {
  state: EnrolmentState | null;
  search: string;
  /** Slug of a training session. */
  session: string | null;
  /** Lists what came before the enrolment with this id. */
  before: number | null;
};

/** The filter an address names; what it names wrongly counts as absent. */
export function enrolmentFilterOf(params: URLSearchParams): EnrolmentFilter {
  const before = Number(params.get('before') ?? '');
  const session = params.get('session') ?? '';
  return {
    state: enrolmentStates.find((state) => state === params.get('state')) ?? null,
    search: searchText(params),
    session: /^[a-z0-9-]{1,200}$/.test(session) ? session : null,
    before: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}

/** The query of the address that shows a filter. */
export function enrolmentQuery({ state, search, session, before }: EnrolmentFilter): string {
  const params = new URLSearchParams();
  if (search) params.set('search', search);
  if (state) params.set('state', state);
  if (session) params.set('session', session);
  if (before) params.set('before', String(before));
  return params.size > 0 ? `?${params}` : '';
}
