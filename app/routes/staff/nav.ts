import { href } from 'react-router';
import type { Permission } from '#app/features/people/permissions.ts';

type Page = {
  to: string;
  text: string;
  /** The permission that the page asks for; only people with it see the entry. */
  needs: Permission;
  /** Only where card payments are set up. */
  byCard?: true;
  /** Where else pages lie that belong to it. */
  also?: readonly string[];
  /** What people call it besides its name, by which it is found. */
  called?: string;
  /** Not in the line below the bar: the first page of its entry leads to it, and its name finds it. */
  aside?: true;
};

/** The counts of the frame's data that the bar shows. */
export type CountName = 'inbox' | 'money';

export type Entry = {
  text: string;
  /** The count beside it, and its unit. */
  count?: { of: CountName; what: string };
  /** Its pages, in the order of the line below the bar. The entry leads to the first that the person may open. */
  under: readonly Page[];
};

/** The bar of the pages for staff, the lines below it, and what finds a page: a new page has one line here. */
export const staffNav: readonly Entry[] = [
  { text: 'Today', under: [{ to: href('/staff'), text: 'Today', needs: 'todo:read' }] },
  {
    text: 'Inbox',
    count: { of: 'inbox', what: 'waiting' },
    under: [
      { to: href('/staff/inbox'), text: 'Inbox', needs: 'inbox:read' },
      { to: href('/staff/enquiries'), text: 'Messages', needs: 'enquiries:read', called: 'enquiries', aside: true },
      { to: href('/staff/conversations'), text: 'Chats', needs: 'conversations:read', aside: true },
      { to: href('/staff/bookings'), text: 'Bookings', needs: 'bookings:read', called: 'talks tours appointments' },
      { to: href('/staff/inbox/templates'), text: 'Templates', needs: 'inbox:read', called: 'answers' },
    ],
  },
  {
    text: 'Enrolments',
    under: [
      {
        to: href('/staff/enrolments'),
        text: 'Enrolments',
        needs: 'enrolments:read',
        also: ['/staff/terms'],
        called: 'invoice discount',
      },
      { to: href('/staff/offers'), text: 'Quotes', needs: 'companies:read' },
      { to: href('/staff/organisations'), text: 'Organisations', needs: 'companies:read' },
      {
        to: href('/staff/bulk-actions'),
        text: 'Bulk actions',
        needs: 'mail:read',
        called: 'sent to many newsletter',
        aside: true,
      },
    ],
  },
  {
    text: 'Course dates',
    under: [
      { to: href('/staff/course-dates'), text: 'Course dates', needs: 'course-dates:read' },
      { to: href('/staff/course-dates/calendar'), text: 'Calendar', needs: 'course-dates:read', aside: true },
      {
        to: href('/staff/classes'),
        text: 'Classes',
        needs: 'attendees:read',
        also: ['/staff/live-hours'],
        called: 'attendance roll live hours',
        aside: true,
      },
      { to: href('/staff/waiting'), text: 'Waiting lists', needs: 'waiting:read' },
      {
        to: href('/staff/answers'),
        text: 'Exercises',
        needs: 'exercises:read',
        also: ['/staff/modules'],
        called: 'marking answers',
      },
      {
        to: href('/staff/certificates'),
        text: 'Certificates',
        needs: 'certificates:read',
        also: ['/staff/places'],
        called: 'badges',
      },
    ],
  },
  {
    text: 'People',
    under: [
      { to: href('/staff/people'), text: 'People', needs: 'people:read' },
      { to: href('/staff/people/staff'), text: 'Staff and roles', needs: 'staff:read', called: 'permissions invite' },
      { to: href('/staff/trace'), text: 'Who did what', needs: 'trace:read', called: 'trace history audit' },
    ],
  },
  {
    text: 'Money',
    count: { of: 'money', what: 'to match' },
    under: [
      { to: href('/staff/payments'), text: 'Payments', needs: 'money:read', called: 'bank statement transfer upload' },
      { to: href('/staff/card-payments'), text: 'Card payments', needs: 'money:read', byCard: true, called: 'stripe' },
      {
        to: href('/staff/owed'),
        text: 'Who owes',
        needs: 'money:read',
        called: 'late payments overdue owed unpaid debts reminder instalments',
      },
      {
        to: href('/staff/money/accountant'),
        text: 'Accountant’s files',
        needs: 'money:export',
        called: 'xero invoices',
      },
      {
        to: href('/staff/money/bas'),
        text: 'BAS figures',
        needs: 'reports:read',
        also: ['/staff/money/rows'],
        called: 'gst tax',
      },
    ],
  },
  {
    text: 'Content',
    under: [
      {
        to: href('/staff/content'),
        text: 'Content',
        needs: 'content:read',
        called: 'terms privacy settings abn',
      },
      { to: href('/staff/prices'), text: 'Prices', needs: 'prices:read', called: 'promotion' },
    ],
  },
  {
    text: 'Reports',
    under: [{ to: href('/staff/reports'), text: 'Reports', needs: 'reports:read', called: 'figures statistics' }],
  },
];

type Act = Pick<Page, 'to' | 'text' | 'needs' | 'called'> & { line: string };

/** What can be done from anywhere, by its name: a new act has one line here. */
export const staffActs: readonly Act[] = [
  {
    to: href('/staff/course-dates/new'),
    text: 'New course date',
    line: 'Choose the course and its days',
    needs: 'course-dates:change',
  },
  {
    to: href('/staff/course-dates/series'),
    text: 'Several course dates as a series',
    line: 'Many dates of a course in one go',
    needs: 'course-dates:change',
  },
  {
    to: href('/staff/course-dates/copy'),
    text: 'Copy a term',
    line: 'The dates of a term, in another one',
    needs: 'course-dates:change',
  },
  {
    to: href('/staff/course-dates'),
    text: 'Move or cancel a course date',
    line: 'Choose the date next',
    needs: 'course-dates:change',
  },
  {
    to: `${href('/staff/payments')}?show=refunds`,
    text: 'Refunds to send',
    line: 'What we owe buyers, and to which account',
    needs: 'money:read',
    called: 'repay money back',
  },
];

/** The bar of an instructor, whose own course dates are all there is to see. */
export const instructorNav: readonly Entry[] = [
  {
    text: 'My classes',
    under: [
      // `/staff` leads on to it, or to the class of the day.
      { to: href('/staff/today'), text: 'Today', needs: 'todo:read' },
      { to: href('/staff/classes'), text: 'Classes', needs: 'attendees:read' },
      { to: href('/staff/answers'), text: 'Exercises', needs: 'exercises:read', also: ['/staff/modules'] },
      { to: href('/staff/course-dates'), text: 'Course dates', needs: 'course-dates:read' },
    ],
  },
];

/** Pages of the menu under the person's initials. */
export const menuPages: readonly Page[] = [
  { to: href('/staff/mail'), text: 'Mail', needs: 'mail:read' },
  { to: href('/staff/faults'), text: 'Jobs that failed', needs: 'faults:read' },
  { to: href('/staff/health'), text: 'Health', needs: 'faults:read' },
  { to: href('/staff/views'), text: 'Saved views', needs: 'views:save' },
];

export type May = { has(permission: Permission): boolean; byCard: boolean };

/** The pages among these that a person may open. */
export const openTo = (pages: readonly Page[], { has, byCard }: May): Page[] =>
  pages.filter((page) => has(page.needs) && (byCard || !page.byCard));

/** The entries of a person's bar, each with the pages that they may open; an entry without one is left out. */
export function navFor(may: May): Entry[] {
  const sees = (permission: Permission) => may.has(permission);
  const nav = sees('attendance:mark') && !sees('course-dates:read-all') ? instructorNav : staffNav;
  return nav.map((entry) => ({ ...entry, under: openTo(entry.under, may) })).filter(({ under }) => under.length > 0);
}

/** The entry whose page is at a path, or above it: the longest address counts. Null for pages of no entry. */
export function entryAt(nav: readonly Entry[], path: string): Entry | null {
  // Every address begins with that of the first page.
  const isAbove = (to: string) => path === to || (to !== href('/staff') && path.startsWith(`${to}/`));
  const placesOf = ({ under }: Entry) => under.flatMap(({ to, also = [] }) => [to, ...also]);
  const lengthOf = (entry: Entry) =>
    Math.max(
      0,
      ...placesOf(entry)
        .filter(isAbove)
        .map((to) => to.length),
    );
  const longest = Math.max(0, ...nav.map(lengthOf));
  return nav.find((entry) => longest > 0 && lengthOf(entry) === longest) ?? null;
}
