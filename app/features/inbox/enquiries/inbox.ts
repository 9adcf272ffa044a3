/** The filters of the list of enquiries. Apart from the queries, so that pages can import them. */
import { href } from 'react-router';
import { listAddress } from '#app/ui/staff/list-address.ts';
import type { EnquiryKind } from './schema.ts';

export const enquiryStates = ['new', 'answered', 'closed'] as const;
export type EnquiryState = (typeof enquiryStates)[number];

export const stateLabels: Record<EnquiryState, string> = { new: 'New', answered: 'Answered', closed: 'Closed' };

export const kindLabels: Record<EnquiryKind, string> = {
  contact: 'Message',
  email: 'Email',
  booking: 'Booking',
  tour: 'Tour',
  chat: 'Chat question',
  enrolment: 'Enrolment',
};
const kinds = Object.keys(kindLabels) as EnquiryKind[];

/** The list of enquiries. */
export const inbox = listAddress({
  path: href('/staff/enquiries'),
  states: stateLabels,
  usual: null,
  more: { kind: (text) => kinds.find((kind) => kind === text) ?? null },
});
export type InboxFilter = Omit<ReturnType<typeof inbox.filterOf>, 'page'>;

/** New enquiries are counted up to this number. */
export const mostCounted = 99;
