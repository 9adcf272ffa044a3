/** The filters of the list of enquiries. Apart from the queries, so that pages can import them. */
import { href } from 'react-router';
import { listAddress, oneOf } from '#app/ui/staff/list-address.ts';
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

/** The list of enquiries. */
export const inbox = listAddress({
  path: href('/staff/enquiries'),
  filters: { state: oneOf(stateLabels), kind: oneOf(kindLabels) },
});
export type InboxView = Pick<ReturnType<typeof inbox.viewOf>, 'search' | 'values' | 'before'>;

/** New enquiries are counted up to this number. */
export const mostCounted = 99;
