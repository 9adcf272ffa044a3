import { href, Link } from 'react-router';
import { readCourseTitles } from '#app/features/enrolments/choices-for-staff.server.ts';
import { type BuyerAct, mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { standingText } from '#app/lib/keyset.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { type BuiltIn, listTabs, mostOnTab } from '#app/routes/staff/lists/list-tabs.server.ts';
import { SaveView } from '#app/routes/staff/lists/save-view.tsx';
import { button } from '#app/ui/button.ts';
import { field, select } from '#app/ui/field.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Options } from '#app/ui/staff/choices.tsx';
import type { Choosing } from '#app/ui/staff/choose.tsx';
import type { Chip } from '#app/ui/staff/keyset-bar.tsx';
import { KeysetList } from '#app/ui/staff/keyset-list.tsx';
import type { CellOf } from '#app/ui/staff/keyset-rows.tsx';
import type { Route } from './+types/enrolments';
import {
  type EnrolmentColumn,
  type EnrolmentSort,
  type EnrolmentView,
  enrolmentList,
  enrolmentStates,
  paidBy,
} from './enrolment-filter.ts';
import type { EnrolmentRow } from './enrolments.server.ts';
import { countView, listEnrolments } from './enrolments.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  const view = enrolmentList.viewOf(url.searchParams);
  const query = enrolmentList.queryOf(view).toString();
  const { path } = enrolmentList;
  const count = (its: string) => countView(db, actor, its, today, mostOnTab);
  return unlessDatabaseAway(async () => {
    // Two at a time: pages for visitors wait for none of these connections.
    const [{ enrolments, newer, older, standing }, [courses, tabs]] = await Promise.all([
      listEnrolments(db, actor, view, today),
      readCourseTitles(db, actor).then(async (titles) => {
        const its = { list: 'enrolments', path, query, builtIn: builtIn(today), count } as const;
        return [titles, await listTabs(db, actor, its)] as const;
      }),
    ]);
    return {
      view,
      query,
      form: blankStaffForm(0),
      ...tabs,
      newer: newer && enrolmentList.address({ ...view, cursor: newer }),
      older: older && enrolmentList.address({ ...view, cursor: older }),
      standing: standingText(standing),
      matching: standing,
      list: enrolmentList.address({ ...view, cursor: null }).split('?')[1] ?? '',
      courses: courses.map(({ slug, title }) => [slug, title] as const),
      rows: enrolments.map((row) => ({ ...shownEnrolmentRow(row, today), to: recordOf(row.reference, view) })),
    };
  });
}

/** The page of an enrolment; its address carries the list, so that one can walk along it. */
function recordOf(reference: string, view: EnrolmentView): string {
  const [, list = ''] = enrolmentList.address({ ...view, cursor: null }).split('?');
  return `${href('/staff/enrolments/:reference', { reference })}?${new URLSearchParams({ list })}`;
}

/** The views that the program brings. "Starts soon" is the next thirty days. */
const builtIn = (today: Day): BuiltIn[] => [
  ['Owes money', 'state=unpaid'],
  ['Past due', 'state=overdue&sort=due'],
  ['Starts soon', `starts-from=${today}&starts-before=${addDays(today, 30)}&sort=starts`],
  ['Name missing', 'state=unnamed&sort=starts'],
  ['Below minimum', 'state=below'],
  ['Cancelled', 'state=cancelled'],
];

export const meta = () => staffMeta('Enrolments');

type Data = Route.ComponentProps['loaderData'];
type Row = Data['rows'][number];

const cells: Record<EnrolmentColumn, CellOf<Row, EnrolmentSort>> = {
  number: {
    cell: ({ reference, to }) => (
      <Link to={to} className="text-mute hover:underline">
        {reference}
      </Link>
    ),
    width: 'sm:w-28',
    wide: true,
  },
  buyer: {
    cell: ({ to, buyer, organisation }) => (
      <>
        <Link to={to} className="font-semibold hover:underline">
          {buyer}
        </Link>
        {organisation && <span className="text-mute"> {organisation}</span>}
      </>
    ),
    cut: ({ buyer, organisation, email }) => [buyer, organisation, email].filter(Boolean).join(', '),
    width: 'sm:w-[30%]',
  },
  course: { cell: ({ course }) => course, cut: ({ wholeCourse }) => wholeCourse, width: 'sm:w-[30%]' },
  starts: { cell: ({ starts }) => <span className="text-mute">{starts}</span>, sort: 'starts', width: 'sm:w-24' },
  places: { cell: ({ places }) => places, right: true, width: 'sm:w-16', wide: true },
  total: { cell: ({ total }) => total, right: true, width: 'sm:w-28', wide: true },
  owed: {
    cell: ({ owed, owes }) => <span className={owes ? 'font-semibold' : 'text-mute'}>{owed}</span>,
    sort: 'owed',
    right: true,
    width: 'sm:w-24',
  },
  remark: {
    cell: ({ remark }) =>
      remark && <span className={remark.alarm ? 'text-sm font-semibold text-fault' : 'text-sm'}>{remark.text}</span>,
    sort: 'due',
    width: 'sm:w-28',
  },
  enrolled: {
    cell: ({ enrolled, placedBy }) => (
      <span className="text-sm text-mute" title={placedBy ? `By ${placedBy}` : undefined}>
        {enrolled}
      </span>
    ),
    sort: 'enrolled',
    right: true,
    width: 'sm:w-36',
  },
};

const actOn = (act: BuyerAct) => href('/staff/bulk-actions/buyers/:act', { act });
/** What can be done with ticked enrolments (P101). */
const chosenActs: Choosing['acts'] = [
  { to: actOn('remind'), text: 'Remind of payment', needs: 'enrolments:change' },
  { to: actOn('ask-names'), text: 'Ask for missing names', needs: 'enrolments:change' },
  {
    to: href('/staff/bulk-actions/message/:list', { list: 'enrolments' }),
    text: 'Write to them',
    needs: 'mail:send',
  },
  { to: href('/staff/enrolments.csv'), text: 'Export as CSV', needs: 'lists:export' },
];

export default function Enrolments({ loaderData }: Route.ComponentProps) {
  const { view, query, form, tabs, isNamed, newer, older, standing, matching, list, courses, rows } = loaderData;
  const narrowed = enrolmentList.address({ ...view, cursor: null }) !== enrolmentList.path;
  return (
    <KeysetList
      title="Enrolments"
      acts={
        <OnlyWith permission="enrolments:change">
          <Link to={href('/staff/enrolments/new')} className={button.primary}>
            Enrol by hand
          </Link>
        </OnlyWith>
      }
      csv={href('/staff/enrolments.csv')}
      address={enrolmentList}
      view={view}
      tabs={tabs}
      saving={<SaveView list="enrolments" query={query} form={form} isNamed={isNamed} />}
      searches="Name, email, number, invoice"
      chips={chipsOf(view, courses)}
      filters={<EnrolmentFilters values={view.values} courses={courses} />}
      rows={rows}
      keyOf={({ reference }) => reference}
      choosing={{
        list,
        shown: rows.map(({ reference }) => reference),
        all: { ...matching, most: mostAtOnce },
        acts: chosenActs,
        labelOf: ({ buyer, reference }) => `${buyer}, ${reference}`,
      }}
      cells={cells}
      standing={standing}
      newer={newer}
      older={older}
      none={
        older
          ? 'None of those we looked at match. "Older" looks further.'
          : narrowed
            ? 'No enrolment matches. Take a filter off, or use fewer words.'
            : 'Nobody has enrolled yet.'
      }
    />
  );
}

/** Of a course's title in a list. */
const mostTitle = 32;

/** An enrolment as its list shows it; `today` leaves the year out of this year's moments. */
function shownEnrolmentRow(row: EnrolmentRow, today: Day) {
  const where = row.delivery && taughtText(row.delivery);
  const course = nameWithin(row.course, mostTitle);
  return {
    reference: row.reference,
    buyer: showControlCharacters(row.buyer),
    organisation: row.organisation && showControlCharacters(row.organisation),
    email: showControlCharacters(row.email),
    course: where ? `${course}, ${where}` : course,
    wholeCourse: where ? `${row.course}, ${where}` : row.course,
    starts: row.startsOn ? shortDate(row.startsOn) : '',
    places: row.places,
    total: formatCents(row.totalCents),
    owed: row.owedCents === 0 ? '0' : formatCents(row.owedCents),
    owes: row.owedCents !== 0,
    remark: row.remark,
    enrolled: formatMoment(row.enrolledAt).replace(` ${today.slice(0, 4)},`, ','),
    placedBy: row.placedBy,
  };
}

type Courses = readonly (readonly [slug: string, title: string])[];

/** What a view is narrowed down to, in words; each can be taken off. */
function chipsOf({ values }: EnrolmentView, courses: Courses): Chip<keyof typeof values>[] {
  const words: Record<keyof typeof values, (value: string) => [label: string, value: string]> = {
    state: (value) => ['Status', enrolmentStates[value as keyof typeof enrolmentStates]],
    course: (value) => ['Course', courses.find(([slug]) => slug === value)?.[1] ?? value],
    courseDate: (value) => ['Course date', value],
    paid: (value) => ['Paid by', paidBy[value as keyof typeof paidBy]],
    'enrolled-from': (value) => ['Enrolled', `${dayText(value)} or later`],
    'enrolled-until': (value) => ['Enrolled', `until ${dayText(value)}`],
    'starts-from': (value) => ['Course starts', `${dayText(value)} or later`],
    'starts-before': (value) => ['Course starts', `before ${dayText(value)}`],
  };
  return enrolmentList.names.flatMap((name) => {
    const given = values[name];
    if (given === null) return [];
    const [label, value] = words[name](given);
    return [{ name, label, value }];
  });
}

/** `22 November 2026`, without the day of the week. */
const dayText = (day: Day) => formatDay(day).replace(/^\w+ /, '');

/** The fields by which the list of enrolments is narrowed down. */
function EnrolmentFilters({ values, courses }: Pick<EnrolmentView, 'values'> & { courses: Courses }) {
  const day = (name: 'enrolled-from' | 'enrolled-until' | 'starts-from' | 'starts-before', label: string) => (
    <label>
      {label}
      <input type="date" name={name} defaultValue={values[name] ?? ''} className={field} />
    </label>
  );
  return (
    <>
      <label>
        Status
        <select name="state" defaultValue={values.state ?? ''} className={select}>
          <Options none="Every status" of={Object.entries(enrolmentStates)} />
        </select>
      </label>
      <label>
        Course
        <select name="course" defaultValue={values.course ?? ''} className={select}>
          <Options none="Every course" of={withChosen(courses, values.course)} />
        </select>
      </label>
      <div className="grid grid-cols-2 gap-2">
        {day('enrolled-from', 'Enrolled from')}
        {day('enrolled-until', 'Enrolled until')}
        {day('starts-from', 'Starts from')}
        {day('starts-before', 'Starts before')}
      </div>
      <label>
        Paid by
        <select name="paid" defaultValue={values.paid ?? ''} className={select}>
          <Options none="Anything" of={Object.entries(paidBy)} />
        </select>
      </label>
      {values.courseDate && <input type="hidden" name="courseDate" value={values.courseDate} />}
    </>
  );
}

/** A former slug, or that of a course that is not on offer any more, stays chosen when the form is sent again. */
const withChosen = (courses: readonly (readonly [string, string])[], course: string | null) =>
  course === null || courses.some(([slug]) => slug === course) ? courses : [[course, course] as const, ...courses];
