import { inbox } from '#app/features/inbox/enquiries/inbox.ts';
import type { ListName } from '#app/features/people/views.server.ts';
import { courseDateList } from '#app/routes/staff/course-dates/course-date-filter.ts';
import { enrolmentList } from '#app/routes/staff/enrolments/enrolment-filter.ts';
import { peopleList } from '#app/routes/staff/people/people-filter.ts';

type List = {
  title: string;
  path: string;
  /** A query as a view of the list keeps it: only what counts, without words of a search and without a row. */
  kept(query: string): string;
};

/** The lists whose views can be saved. */
export const viewLists: Record<ListName, List> = {
  enrolments: {
    title: 'Enrolments',
    path: enrolmentList.path,
    kept: (query) => enrolmentList.queryOf(enrolmentList.viewOf(new URLSearchParams(query))).toString(),
  },
  people: {
    title: 'People',
    path: peopleList.path,
    kept: (query) => peopleList.queryOf(peopleList.viewOf(new URLSearchParams(query))).toString(),
  },
  'course-dates': {
    title: 'Course dates',
    path: courseDateList.path,
    kept: (query) => courseDateList.queryOf(courseDateList.viewOf(new URLSearchParams(query))).toString(),
  },
  enquiries: {
    title: 'Messages',
    path: inbox.path,
    kept: (query) => inbox.to(inbox.filterOf(new URLSearchParams(query)), { search: '' }).split('?')[1] ?? '',
  },
};
