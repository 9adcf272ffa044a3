import { href } from 'react-router';
import { listAddress } from '#app/ui/staff/list-address.ts';

const states = {
  unpaid: 'Unpaid',
  overdue: 'Past due',
  overpaid: 'Too much paid',
  waiting: 'Waiting for a date',
  choosing: 'Choice open',
  session: 'From a cancelled session',
  cancelled: 'With cancelled places',
};
export type EnrolmentState = keyof typeof states;

/** The list of enrolments; `session` is the slug of a training session. */
export const enrolmentList = listAddress({
  path: href('/staff/enrolments'),
  states,
  usual: null,
  more: { session: (slug) => (/^[a-z0-9-]{1,200}$/.test(slug) ? slug : null) },
});
export type EnrolmentFilter = Omit<ReturnType<typeof enrolmentList.filterOf>, 'page'>;
