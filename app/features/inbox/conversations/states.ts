/** The filters of the list of conversations. Apart from the queries, so that pages can import them. */
import { href } from 'react-router';
import { listAddress } from '#app/ui/staff/list-address.ts';

export type ConversationState = 'waiting' | 'answered' | 'closed';

export const stateLabels: Record<ConversationState, string> = {
  waiting: 'Waiting',
  answered: 'Answered',
  closed: 'Closed',
};

/** The list of conversations. */
export const chats = listAddress({ path: href('/staff/conversations'), states: stateLabels, usual: null });
export type ConversationFilter = Omit<ReturnType<typeof chats.filterOf>, 'before'>;
