import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { findCourseDateIds } from '#app/features/course-dates/queries.server.ts';
import { courseDateKeyset } from '#app/features/enrolments/course-date-list.server.ts';
import { findEntryIds } from '#app/features/enrolments/waiting/queries.server.ts';
import { mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import type { Audience, ChosenRecords } from '#app/features/inbox/bulk-actions/recipients.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { courseDateList } from '#app/routes/staff/course-dates/course-date-list.tsx';
import { chosenEnrolments } from '#app/routes/staff/enrolments/chosen-enrolments.server.ts';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-list.tsx';
import { allThatMatch } from '#app/routes/staff/lists/all-that-match.server.ts';
import type { ChosenRows } from '#app/routes/staff/lists/chosen-rows.ts';

/** What a page before the press says where more rows match than a bulk action may have. */
export const tooMany = `More than ${mostAtOnce} match, or there are too many rows to look through. Narrow the filter, then choose again.`;

type List = {
  /** Where the list is. */
  back(list: string): { to: string; text: string };
  /** One of its rows, and several. */
  words: readonly [one: string, several: string];
  /** Who behind the rows can get a message; the first is ticked at first. */
  groups: readonly [readonly [Audience, string], ...(readonly [Audience, string])[]];
  idsOf(db: Db, actor: StaffActor, chosen: ChosenRows, today: Day): Promise<readonly number[] | 'too-many'>;
};

const attendees = ['attendees', 'People who attend'] as const;
const buyers = ['buyers', 'Buyers'] as const;
const waiting = ['waiting', 'People on the waiting list'] as const;

/** The lists from whose rows staff write to people (P80). */
export const messageLists: Record<ChosenRecords['of'], List> = {
  enrolments: {
    back: (list) => ({ to: listAddress(enrolmentList.path, list), text: 'Enrolments' }),
    words: ['enrolment', 'enrolments'],
    groups: [attendees, buyers],
    idsOf: chosenEnrolments,
  },
  'course-dates': {
    back: (list) => ({ to: listAddress(courseDateList.path, list), text: 'Course dates' }),
    words: ['course date', 'course dates'],
    groups: [attendees, buyers, waiting],
    idsOf: chosenDates,
  },
  waiting: {
    back: (courseDate) => ({ to: href('/staff/waiting/:courseDate', { courseDate }), text: 'Waiting list' }),
    words: ['person who waits', 'people who wait'],
    groups: [waiting],
    idsOf: chosenEntries,
  },
};

/** The ids of the records behind the chosen rows of a list, as a filter finds them now. */
export function chosenIds(
  db: Db,
  actor: StaffActor,
  { of, chosen }: { of: ChosenRecords['of']; chosen: ChosenRows },
  today: Day,
): Promise<readonly number[] | 'too-many'> {
  requirePermission(actor, `${of}:read`);
  return messageLists[of].idsOf(db, actor, chosen, today);
}

/** The address of a list from which rows were sent. */
export const listAddress = (path: string, list: string): string => (list === '' ? path : `${path}?${list}`);

/** The ids of the course dates that were chosen and that the person may see, in the order of their first days. */
async function chosenDates(
  db: Db,
  actor: StaffActor,
  chosen: ChosenRows,
  today: Day,
): Promise<readonly number[] | 'too-many'> {
  const only = onlyCourseDatesOf(actor);
  if (chosen.all) {
    const view = courseDateList.viewOf(new URLSearchParams(chosen.list));
    return allThatMatch(db, await courseDateKeyset(db, actor, view, today), view.descending);
  }
  return findCourseDateIds(db, chosen.rows, only);
}

/** The ids of the places on a waiting list that were chosen; such a list is not chosen as a whole. */
async function chosenEntries(db: Db, _: StaffActor, chosen: ChosenRows): Promise<readonly number[]> {
  return findEntryIds(db, chosen.all ? [] : chosen.rows);
}
