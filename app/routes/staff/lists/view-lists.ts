import { inbox } from '#app/features/inbox/enquiries/inbox.ts';
import type { ListName } from '#app/features/people/views.server.ts';
import { courseDateList } from '#app/routes/staff/course-dates/course-date-list.tsx';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-list.tsx';
import { peopleList } from '#app/routes/staff/people/people-list.tsx';

type List = {
  title: string;
  path: string;
  /** A query as a view of the list keeps it: only what counts, without words of a search and without a row. */
  kept(query: string): string;
};

/** The lists whose views can be saved. */
export const viewLists: Record<ListName, List> = {
  enrolments: enrolmentList,
  people: peopleList,
  'course-dates': courseDateList,
  enquiries: { title: 'Messages', path: inbox.path, kept: inbox.kept },
};
