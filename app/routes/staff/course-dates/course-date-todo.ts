import { href } from 'react-router';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Owing } from './course-date-record.server.ts';
import type { CourseDateForStaff } from './course-dates.server.ts';

/** One thing to do before a course date is over: open ones lead to where it is done. */
export type Todo = { text: string; done: boolean; to: string | null };

type Facts = {
  courseDate: CourseDateForStaff;
  /** People without a name yet, and those not marked on days that have come. */
  unnamed: number;
  unmarked: number;
  /** The enrolments that owe something; null for those who may not see money. */
  owing: readonly Owing[] | null;
  mayChange: boolean;
};

/** The tasks of a course date, open ones first. Tasks that the person may not do have no link. */
export function todoOf({ courseDate, unnamed, unmarked, owing, mayChange }: Facts): Todo[] {
  const { slug, state, decidedBy, standing, joiningDetailsMissing, sold, lastMovement, belowMinimum, minimum } =
    courseDate;
  const neverBought = sold === 0 && lastMovement === 0;
  if (state === 'cancelled' || (neverBought && !belowMinimum)) return [];
  const change = (name: string) =>
    mayChange ? href('/staff/course-dates/:slug/:change', { slug, change: name }) : null;
  const items: (Todo | false)[] = [
    state === 'tentative' && {
      text:
        standing === 'done'
          ? 'Never confirmed, so nothing is due: confirm it'
          : decidedBy
            ? `Decide by ${formatDay(decidedBy)} whether it runs`
            : 'Decide whether it runs',
      done: false,
      to: change('confirm'),
    },
    belowMinimum && {
      text: `${sold} of at least ${minimum}: run it, move it or cancel it`,
      done: false,
      to: change('cancel'),
    },
    standing !== 'done' && {
      text: joiningDetailsMissing === '' ? 'Room or link is set' : `Set the ${joiningDetailsMissing}`,
      done: joiningDetailsMissing === '',
      to: joiningDetailsMissing === '' || !mayChange ? null : '#way-in-form',
    },
    sold > 0 && {
      text: unnamed === 0 ? `${sold} of ${sold} names known` : `${unnamed} ${unnamed === 1 ? 'name' : 'names'} missing`,
      done: unnamed === 0,
      to: unnamed === 0 ? null : '#who-attends',
    },
    unmarked > 0 && {
      text: `${unmarked} ${unmarked === 1 ? 'mark' : 'marks'} of attendance missing`,
      done: false,
      to: href('/staff/classes/:slug', { slug }),
    },
    owing !== null && sold > 0 && payment(owing),
  ];
  return items.filter((item) => item !== false).toSorted((a, b) => Number(a.done) - Number(b.done));
}

/** Only what is due is a task: nothing is before a date is confirmed (P39). */
function payment(owing: readonly Owing[]): Todo {
  const due = owing.filter(({ dueCents }) => dueCents > 0);
  if (due.length === 0) {
    return { text: owing.length === 0 ? 'Everything is paid' : 'Nothing is due yet', done: true, to: null };
  }
  const cents = due.reduce((sum, { dueCents }) => sum + dueCents, 0);
  const more = due.some(({ elsewhere }) => elsewhere) ? ', also for other courses' : '';
  const who = due.length === 1 ? '1 enrolment owes' : `${due.length} enrolments owe`;
  return { text: `${who} ${formatExact(cents)}${more}`, done: false, to: '#who-attends' };
}
