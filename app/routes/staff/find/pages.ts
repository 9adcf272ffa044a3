import { href } from 'react-router';
import { kindInAddress, kinds } from '#app/features/content/form/kinds.ts';
import type { Permission } from '#app/features/people/permissions.ts';
import { beginsAll } from '#app/lib/beginnings.ts';
import { type May, menuPages, navFor, openTo } from '#app/routes/staff/nav.ts';
import type { Found } from './found.ts';

/** What people call a page whose name is another, by its address. */
const otherNames: Readonly<Record<string, string>> = {
  [href('/staff/enrolments')]: 'invoice refund discount quote instalments',
  [href('/staff/course-dates')]: 'course date',
  [href('/staff/classes')]: 'attendance roll',
  [href('/staff/payments')]: 'statement bank transfer',
  [href('/staff/overdue')]: 'overdue owed unpaid debt reminder',
  [href('/staff/money/accountant')]: 'xero invoices',
  [href('/staff/money/bas')]: 'gst tax',
  [href('/staff/content')]: 'terms privacy settings',
};

/** Pages of the back office that a person may open, by their name or that of their entry in the bar. */
export function pages(may: May, words: readonly string[]): Found[] {
  const entries = navFor(may).flatMap(({ text: entry, under }) =>
    under.map(({ to, text }) => ({ to, text, line: text === entry ? '' : entry, end: '' })),
  );
  const menu = openTo(menuPages, may).map(({ to, text }) => ({ to, text, line: '', end: '' }));
  const texts = Object.entries(may.has('content:read') ? kinds : {}).map(([kind, { many }]) => ({
    to: href('/staff/content/:kind', { kind: kindInAddress(kind as keyof typeof kinds) }),
    text: many,
    line: 'Content',
    end: '',
  }));
  if (words.length === 0) return [];
  return [...entries, ...menu, ...texts].filter(({ to, text, line }) =>
    beginsAll(`${text} ${line} ${otherNames[to] ?? ''}`, words),
  );
}

type Act = Omit<Found, 'end'> & { needs: Permission };

const acts: readonly Act[] = [
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
];

/** The permitted acts whose words begin with the search; any search can be the name of a person to enrol. */
export function doable(may: May, typed: string, words: readonly string[]): Found[] {
  const known = acts
    .filter(({ needs, text }) => may.has(needs) && words.length > 0 && beginsAll(text, words))
    .map(({ to, text, line }) => ({ to, text, line, end: '' }));
  if (!may.has('enrolments:change') || typed === '') return known;
  const enrol = href('/staff/enrolments/new');
  if (beginsAll('enrol by hand', words)) {
    return [...known, { to: enrol, text: 'Enrol by hand', line: 'Starts an empty form', end: '' }];
  }
  const named = `${enrol}?${new URLSearchParams({ find: typed })}`;
  return [...known, { to: named, text: `Enrol “${typed}” by hand`, line: 'Starts a form with this name', end: '' }];
}
