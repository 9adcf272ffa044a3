import { href } from 'react-router';
import { listAddress } from '#app/ui/staff/list-address.ts';

/** The list of training sessions. */
export const sessionList = listAddress({
  path: href('/staff/sessions'),
  states: {
    upcoming: 'To come and running',
    undecided: 'To decide',
    below: 'Below minimum',
    'way-in': 'Room or link missing',
    past: 'Past',
  },
  usual: 'upcoming',
});
export type SessionFilter = Omit<ReturnType<typeof sessionList.filterOf>, 'before'>;
