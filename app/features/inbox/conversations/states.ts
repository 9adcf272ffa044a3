/** The filters of the list of conversations. Apart from the queries, so that pages can import them. */
import { href } from 'react-router';
import { listAddress, oneOf } from '#app/ui/staff/list-address.ts';

export type ConversationState = 'waiting' | 'answered' | 'closed';

export const stateLabels: Record<ConversationState, string> = {
  waiting: 'Waiting',
  answered: 'Answered',
  closed: 'Closed',
};

/** The list of conversations. */
export const chats = listAddress({ path: href('/staff/conversations'), filters: { state: oneOf(stateLabels) } });
export type ConversationView = Pick<ReturnType<typeof chats.viewOf>, 'search' | 'values' | 'page'>;
