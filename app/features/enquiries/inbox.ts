/** What staff can ask of the list of enquiries; apart from the queries, for the pages. */
import type { EnquiryKind } from './schema.ts';

export const enquiryStates = ['new', 'answered', 'closed'] as const;
export type EnquiryState = (typeof enquiryStates)[number];

export const stateLabels: Record<EnquiryState, string> = { new: 'New', answered: 'Answered', closed: 'Closed' };

export const kindLabels: Record<EnquiryKind, string> = {
  contact: 'Message',
  booking: 'Booking',
  tour: 'Tour',
  chat: 'Chat question',
  enrolment: 'Enrolment',
};
const kinds = Object.keys(kindLabels) as EnquiryKind[];

export type InboxFilter = {
  state: EnquiryState | null;
  kind: EnquiryKind | null;
  search: string;
  /** Lists what came before the enquiry with this id. */
  before: number | null;
};

/** New enquiries are counted up to this number. */
export const mostCounted = 99;

const longestSearch = 100;

/** Reads the filter of an address; wrong values count as absent. */
export function inboxFilterOf(params: URLSearchParams): InboxFilter {
  const before = Number(params.get('before') ?? '');
  return {
    state: enquiryStates.find((state) => state === params.get('state')) ?? null,
    kind: kinds.find((kind) => kind === params.get('kind')) ?? null,
    search: (params.get('search') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, longestSearch),
    before: Number.isSafeInteger(before) && before > 0 ? before : null,
  };
}

/** The query of the address that shows a filter. */
export function inboxQuery({ state, kind, search, before }: InboxFilter): string {
  const params = new URLSearchParams();
  if (search) params.set('search', search);
  if (state) params.set('state', state);
  if (kind) params.set('kind', kind);
  if (before) params.set('before', String(before));
  return params.size > 0 ? `?${params}` : '';
}
