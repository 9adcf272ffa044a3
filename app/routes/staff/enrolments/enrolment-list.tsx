import { href, Link } from 'react-router';
import type { EnrolmentRow, EnrolmentState } from '#app/features/enrolments/enrolment-list.server.ts';
import { csvInstant } from '#app/lib/csv-cell.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { deliveryText, taughtText } from '#app/lib/delivery.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { field, select } from '#app/ui/field.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { defineList } from '#app/ui/staff/define-list.ts';
import { oneOf, slugIn } from '#app/ui/staff/list-address.ts';

export const enrolmentStates: Readonly<Record<EnrolmentState, string>> = {
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

const paidBy = { bank: 'Bank transfer', card: 'Card', other: 'Otherwise' } as const;

/** Of a course's title in a list. */
const mostTitle = 32;

/** The list of enrolments; `courseDate` and `course` are slugs, days are of Brisbane's calendar. */
export const enrolmentList = defineList({
  title: 'Enrolments',
  path: href('/staff/enrolments'),
  /** `list` is the query of the list, by which one can walk along it; `today` leaves the year out of this year's moments. */
  show(row: EnrolmentRow, { list, today }: { list: string; today: Day }) {
    const where = row.delivery && taughtText(row.delivery);
    const course = nameWithin(row.course, mostTitle);
    const { reference } = row;
    return {
      reference,
      to: `${href('/staff/enrolments/:reference', { reference })}?${new URLSearchParams({ list })}`,
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
  },
  usual: 'enrolled',
  filters: {
    state: oneOf(enrolmentStates),
    course: slugIn,
    courseDate: slugIn,
    paid: oneOf(paidBy),
    'enrolled-from': dayOf,
    'enrolled-until': dayOf,
    'starts-from': dayOf,
    'starts-before': dayOf,
  },
  columns: {
    number: {
      title: 'Number',
      cell: ({ reference, to }) => (
        <Link to={to} className="text-mute hover:underline">
          {reference}
        </Link>
      ),
      csv: ({ reference }) => reference,
      width: 'sm:w-28',
      wide: true,
    },
    buyer: {
      title: 'Buyer',
      cell: ({ to, buyer, organisation }) => (
        <>
          <Link to={to} className="font-semibold hover:underline">
            {buyer}
          </Link>
          {organisation && <span className="text-mute"> {organisation}</span>}
        </>
      ),
      cut: ({ buyer, organisation, email }) => [buyer, organisation, email].filter(Boolean).join(', '),
      csv: {
        Buyer: ({ buyer }) => buyer,
        Email: ({ email }) => email,
        Organisation: ({ organisation }) => organisation,
      },
      width: 'sm:w-[30%]',
    },
    course: {
      title: 'Course',
      cell: ({ course }) => course,
      cut: ({ wholeCourse }) => wholeCourse,
      csv: { Course: ({ course }) => course, Delivery: ({ delivery }) => delivery && deliveryText(delivery) },
      width: 'sm:w-[30%]',
    },
    starts: {
      title: 'Starts',
      cell: ({ starts }) => <span className="text-mute">{starts}</span>,
      csv: ({ startsOn }) => startsOn,
      sort: { name: 'starts', kind: 'day', descending: false },
      width: 'sm:w-24',
    },
    places: {
      title: 'Places',
      cell: ({ places }) => places,
      csv: ({ places }) => places,
      right: true,
      width: 'sm:w-16',
      wide: true,
    },
    total: {
      title: 'Invoiced, AU$',
      cell: ({ total }) => total,
      csv: ({ totalCents }) => dollarsFromCents(totalCents),
      right: true,
      width: 'sm:w-28',
      wide: true,
    },
    owed: {
      title: 'Owed, AU$',
      cell: ({ owed, owes }) => <span className={owes ? 'font-semibold' : 'text-mute'}>{owed}</span>,
      csv: { 'Owed, AU$': ({ owedCents }) => dollarsFromCents(owedCents), Due: ({ dueOn }) => dueOn },
      sort: { name: 'owed', kind: 'whole', descending: true },
      right: true,
      width: 'sm:w-24',
    },
    remark: {
      title: 'To know',
      cell: ({ remark }) =>
        remark && <span className={remark.alarm ? 'text-sm font-semibold text-fault' : 'text-sm'}>{remark.text}</span>,
      csv: ({ remark }) => remark?.text ?? null,
      sort: { name: 'due', kind: 'day', descending: false },
      width: 'sm:w-28',
    },
    enrolled: {
      title: 'Enrolled',
      cell: ({ enrolled, placedBy }) => (
        <span className="text-sm text-mute" title={placedBy ? `By ${placedBy}` : undefined}>
          {enrolled}
        </span>
      ),
      csv: ({ enrolledAt }) => csvInstant(enrolledAt),
      sort: { name: 'enrolled', kind: 'moment', descending: true },
      right: true,
      width: 'sm:w-36',
    },
  },
});

type View = ReturnType<typeof enrolmentList.viewOf>;
type Courses = readonly (readonly [slug: string, title: string])[];

/** What a view is narrowed down to, in words; each can be taken off. */
export const enrolmentChips = (view: View, courses: Courses) =>
  enrolmentList.chipsOf(view, {
    state: (state) => ['Status', enrolmentStates[state]],
    course: (value) => ['Course', courses.find(([slug]) => slug === value)?.[1] ?? value],
    courseDate: (slug) => ['Course date', slug],
    paid: (how) => ['Paid by', paidBy[how]],
    'enrolled-from': (day) => ['Enrolled', `${dayText(day)} or later`],
    'enrolled-until': (day) => ['Enrolled', `until ${dayText(day)}`],
    'starts-from': (day) => ['Course starts', `${dayText(day)} or later`],
    'starts-before': (day) => ['Course starts', `before ${dayText(day)}`],
  });

/** `22 November 2026`, without the day of the week. */
const dayText = (day: Day) => formatDay(day).replace(/^\w+ /, '');

/** The fields by which the list of enrolments is narrowed down. */
export function EnrolmentFilters({ values, courses }: Pick<View, 'values'> & { courses: Courses }) {
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
const withChosen = (courses: Courses, course: string | null) =>
  course === null || courses.some(([slug]) => slug === course) ? courses : [[course, course] as const, ...courses];
