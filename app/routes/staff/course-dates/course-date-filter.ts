import { href } from 'react-router';
import { dayOf } from '#app/lib/day-text.ts';
import { keysetAddress, type ListView, oneOf, slugIn } from '#app/ui/staff/keyset-address.ts';

/** Without one of these, the dates to come and running. */
export const courseDateStates = {
  undecided: 'To decide',
  below: 'Below minimum',
  'joining-details': 'Room or link missing',
  past: 'Past',
};

/** The list of course dates; `course` is a slug. */
export const courseDateList = keysetAddress({
  path: href('/staff/course-dates'),
  sorts: { starts: { kind: 'day', descending: false } },
  usual: 'starts',
  filters: {
    state: oneOf(Object.keys(courseDateStates)),
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
export type CourseDateColumn = (typeof courseDateList.everyColumn)[number];
export type CourseDateView = ReturnType<typeof courseDateList.viewOf>;
export type CourseDateSort = CourseDateView extends ListView<infer Sort, string, string> ? Sort : never;
