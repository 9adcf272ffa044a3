import { href, Link } from 'react-router';
import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { dollarsFromCents } from '#app/lib/money.ts';
import { shortDays } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { field, select } from '#app/ui/field.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { defineList } from '#app/ui/staff/define-list.ts';
import { oneOf, slugIn } from '#app/ui/staff/list-address.ts';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import { courseDateRemark } from './course-date-remark.ts';

/** Without one of these, the dates to come and running. */
export const courseDateStates = {
  undecided: 'To decide',
  below: 'Below minimum',
  'joining-details': 'Room or link missing',
  past: 'Past',
} as const;

/** Of a course's title in the list. */
const mostTitle = 40;

/** The list of course dates; `course` is a slug. */
export const courseDateList = defineList({
  title: 'Course dates',
  path: href('/staff/course-dates'),
  show: (courseDate: CourseDateForStaff) => ({
    slug: courseDate.slug,
    title: courseDate.title,
    short: nameWithin(courseDate.title, mostTitle),
    onlyFor: courseDate.onlyFor?.name ?? null,
    days: shortDays(courseDate.startDate, courseDate.endDate),
    where: taughtText(courseDate),
    instructor: courseDate.instructor,
    seats: `${courseDate.sold} / ${courseDate.capacity}`,
    waiting: courseDate.waiting,
    charged: courseDate.chargedCents ? formatCents(courseDate.chargedCents) : '',
    remark: courseDateRemark(courseDate),
  }),
  usual: 'starts',
  filters: {
    state: oneOf(courseDateStates),
    course: slugIn,
    'starts-from': dayOf,
    'starts-before': dayOf,
  },
  columns: {
    course: {
      title: 'Course',
      cell: ({ slug, short, onlyFor }) => (
        <Link to={href('/staff/course-dates/:slug', { slug })} className="font-semibold hover:underline">
          {short}
          {onlyFor !== null && <span className="font-normal text-mute"> for {onlyFor}</span>}
        </Link>
      ),
      cut: ({ title, onlyFor }) => (onlyFor === null ? title : `${title}, for ${onlyFor}`),
      csv: { Course: ({ title }) => title, 'Only for': ({ onlyFor }) => onlyFor?.name ?? null },
      width: 'sm:w-[34%]',
    },
    days: {
      title: 'Days',
      cell: ({ days }) => <Unbroken text={days} />,
      csv: { 'First day': ({ startDate }) => startDate, 'Last day': ({ endDate }) => endDate },
      sort: { name: 'starts', kind: 'day', descending: false },
      width: 'sm:w-36',
    },
    where: { title: 'Where', cell: ({ where }) => where, csv: ({ where }) => where, width: 'sm:w-32 lg:w-40' },
    instructor: {
      title: 'Instructor',
      cell: ({ instructor }) => instructor,
      csv: ({ instructor }) => instructor,
      width: 'sm:w-40',
      wide: true,
    },
    seats: {
      title: 'Seats',
      cell: ({ seats }) => seats,
      csv: {
        Sold: ({ sold }) => sold,
        Seats: ({ capacity }) => capacity,
        Minimum: ({ minimum }) => minimum,
      },
      right: true,
      width: 'sm:w-20',
    },
    waiting: {
      title: 'Waiting',
      cell: ({ waiting }) => (waiting === 0 ? '' : waiting),
      csv: ({ waiting }) => waiting,
      right: true,
      width: 'sm:w-20',
      wide: true,
    },
    charged: {
      title: 'Invoiced, AU$',
      cell: ({ charged }) => charged,
      csv: ({ chargedCents }) => (chargedCents === null ? null : dollarsFromCents(chargedCents)),
      right: true,
      width: 'sm:w-28',
      wide: true,
    },
    remark: {
      title: 'To know',
      cell: ({ remark }) => <span className={remark.alarm ? 'font-semibold text-fault' : ''}>{remark.text}</span>,
      csv: (courseDate) => courseDateRemark(courseDate).text,
      width: 'sm:w-40 lg:w-44',
    },
  },
});

type View = ReturnType<typeof courseDateList.viewOf>;

/** What a view is narrowed down to, in words; each can be taken off. */
export const courseDateChips = (view: View) =>
  courseDateList.chipsOf(view, {
    state: (state) => ['Status', courseDateStates[state]],
    course: (slug) => ['Course', slug],
    'starts-from': (day) => ['Starts', `${formatDay(day)} or later`],
    'starts-before': (day) => ['Starts', `before ${formatDay(day)}`],
  });

/** The fields by which the list is narrowed down. */
export function CourseDateFilters({ values }: Pick<View, 'values'>) {
  return (
    <>
      <label>
        Status
        <select name="state" defaultValue={values.state ?? ''} className={select}>
          <Options none="To come and running" of={Object.entries(courseDateStates)} />
        </select>
      </label>
      <label>
        Starts from
        <input type="date" name="starts-from" defaultValue={values['starts-from'] ?? ''} className={field} />
      </label>
      <label>
        Starts before
        <input type="date" name="starts-before" defaultValue={values['starts-before'] ?? ''} className={field} />
      </label>
      {values.course && <input type="hidden" name="course" value={values.course} />}
    </>
  );
}
