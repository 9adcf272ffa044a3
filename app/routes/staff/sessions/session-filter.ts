import { href } from 'react-router';
import { dayOf } from '#app/lib/day-text.ts';
import { keysetAddress, type ListView, oneOf, slugIn } from '#app/ui/staff/keyset-address.ts';

/** Without one of these, the dates to come and running. */
export const sessionStates = {
  undecided: 'To decide',
  below: 'Below minimum',
  'way-in': 'Room or link missing',
  past: 'Past',
};

/** The list of course dates; `course` is a slug. */
export const sessionList = keysetAddress({
  path: href('/staff/sessions'),
  sorts: { starts: { kind: 'day', descending: false } },
  usual: 'starts',
  filters: {
    state: oneOf(Object.keys(sessionStates)),
    course: slugIn,
    'starts-from': dayOf,
    'starts-before': dayOf,
  },
  columns: {
    course: 'Course',
    days: 'Days',
    where: 'Where',
    instructor: 'Instructor',
    seats: 'Seats',
    waiting: 'Waiting',
    charged: 'Invoiced, AU$',
    remark: 'To know',
  },
});
export type SessionColumn = (typeof sessionList.everyColumn)[number];
export type SessionView = ReturnType<typeof sessionList.viewOf>;
export type SessionSort = SessionView extends ListView<infer Sort, string, string> ? Sort : never;
