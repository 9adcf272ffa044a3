import { href } from 'react-router';
import { keysetAddress, type ListView, oneOf } from '#app/ui/staff/keyset-address.ts';

export const peopleKinds = { account: 'With an account', staff: 'Staff' };

/** The list of people. */
export const peopleList = keysetAddress({
  path: href('/staff/people'),
  sorts: {
    newest: { kind: 'whole', descending: true },
    address: { kind: 'text', descending: false },
  },
  usual: 'newest',
  filters: { kind: oneOf(Object.keys(peopleKinds)) },
  columns: {
    name: 'Name',
    address: 'Email',
    phone: 'Phone',
    organisation: 'Organisation',
    bought: 'Enrolments',
    attends: 'Places',
    owed: 'Owed, AU$',
    since: 'First seen',
  },
});
export type PeopleColumn = (typeof peopleList.everyColumn)[number];
export type PeopleView = ReturnType<typeof peopleList.viewOf>;
export type PeopleSort = PeopleView extends ListView<infer Sort, string, string> ? Sort : never;
