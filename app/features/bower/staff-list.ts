import { href } from 'react-router';
import { listAddress } from '#app/ui/staff/list-address.ts';

/** The list of public bowers for staff. */
export const bowerList = listAddress({
  path: href('/staff/bowers'),
  states: { reported: 'Reported', shown: 'Public', hidden: 'Hidden' },
  usual: null,
});
export type BowerFilter = ReturnType<typeof bowerList.filterOf>;
