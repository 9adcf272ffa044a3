import { href } from 'react-router';
import { dayOf } from '#app/lib/day-text.ts';
import { keysetAddress, type ListView, oneOf, slugIn } from '#app/ui/staff/keyset-address.ts';

export const enrolmentStates = {
  unpaid: 'Owes money',
  overdue: 'Past due',
  overpaid: 'Too much paid',
  unnamed: 'Name missing',
  below: 'Below minimum',
  waiting: 'Waiting for a date',
  choosing: 'Choice open',
  courseDate: 'From a cancelled date',
  cancelled: 'With cancelled places',
};
export type EnrolmentState = keyof typeof enrolmentStates;

export const paidBy = { bank: 'Bank transfer', card: 'Card', other: 'Otherwise' };

/** The list of enrolments; `course date` and `course` are slugs, days are of Brisbane's calendar. */
export const enrolmentList = keysetAddress({
  path: href('/staff/enrolments'),
  sorts: {
    enrolled: { kind: 'moment', descending: true },
    starts: { kind: 'day', descending: false },
    owed: { kind: 'whole', descending: true },
    due: { kind: 'day', descending: false },
  },
  usual: 'enrolled',
  filters: {
    state: oneOf(Object.keys(enrolmentStates)),
    course: slugIn,
    courseDate: slugIn,
    paid: oneOf(Object.keys(paidBy)),
    'enrolled-from': dayOf,
    'enrolled-until': dayOf,
    'starts-from': dayOf,
    'starts-before': dayOf,
  },
  columns: {
    number: 'Number',
    buyer: 'Buyer',
    course: 'Course',
    starts: 'Starts',
    places: 'Places',
    total: 'Invoiced, AU$',
    owed: 'Owed, AU$',
    remark: 'To know',
    enrolled: 'Enrolled',
  },
});
export type EnrolmentColumn = (typeof enrolmentList.everyColumn)[number];
export type EnrolmentView = ReturnType<typeof enrolmentList.viewOf>;
export type EnrolmentSort = EnrolmentView extends ListView<infer Sort, string, string> ? Sort : never;
