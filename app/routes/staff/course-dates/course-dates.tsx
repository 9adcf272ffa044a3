import { href, Link } from 'react-router';
import { mostAtOnce } from '#app/features/inbox/bulk-actions/acts.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { standingText } from '#app/lib/keyset.ts';
import { shortDays } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { type BuiltIn, listTabs } from '#app/routes/staff/lists/list-tabs.server.ts';
import { SaveView } from '#app/routes/staff/lists/save-view.tsx';
import { button } from '#app/ui/button.ts';
import { field, select } from '#app/ui/field.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import type { Chip } from '#app/ui/staff/keyset-bar.tsx';
import { KeysetList } from '#app/ui/staff/keyset-list.tsx';
import type { CellOf } from '#app/ui/staff/keyset-rows.tsx';
import { Unbroken } from '#app/ui/staff/unbroken.tsx';
import type { Route } from './+types/course-dates';
import {
  type CourseDateColumn,
  type CourseDateSort,
  type CourseDateView,
  courseDateList,
  courseDateStates,
} from './course-date-filter.ts';
import { courseDateRemark } from './course-date-remark.ts';
import { listCourseDates } from './list-course-dates.server.ts';

const builtIn: BuiltIn[] = Object.entries(courseDateStates).map(([state, text]) => [
  text,
  `state=${state}${state === 'past' ? '&sort=-starts' : ''}`,
]);

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:read');
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  const view = courseDateList.viewOf(url.searchParams);
  const query = courseDateList.queryOf(view).toString();
  const { path } = courseDateList;
  return unlessDatabaseAway(async () => {
    const { courseDates, newer, older, standing } = await listCourseDates(db, actor, view, today);
    const all = 'To come and running';
    return {
      view,
      query,
      form: blankStaffForm(0),
      mayChange: actor.can.has('course-dates:change'),
      ...(await listTabs(db, actor, { list: 'course-dates', path, query, builtIn, all })),
      newer: newer && courseDateList.address({ ...view, cursor: newer }),
      older: older && courseDateList.address({ ...view, cursor: older }),
      standing: standingText(standing),
      matching: standing,
      list: courseDateList.address({ ...view, cursor: null }).split('?')[1] ?? '',
      rows: courseDates.map((courseDate) => ({
        slug: courseDate.slug,
        title: courseDate.title,
        short: nameWithin(courseDate.title, mostTitle),
        days: shortDays(courseDate.startDate, courseDate.endDate),
        where: taughtText(courseDate),
        instructor: courseDate.instructor,
        seats: `${courseDate.sold} / ${courseDate.capacity}`,
        waiting: courseDate.waiting,
        charged: courseDate.chargedCents ? formatCents(courseDate.chargedCents) : '',
        remark: courseDateRemark(courseDate),
      })),
    };
  });
}

export const meta = () => staffMeta('Course dates');

/** Of a course's title in the list. */
const mostTitle = 40;

type Row = Route.ComponentProps['loaderData']['rows'][number];

const cells: Record<CourseDateColumn, CellOf<Row, CourseDateSort>> = {
  course: {
    cell: ({ slug, short }) => (
      <Link to={href('/staff/course-dates/:slug', { slug })} className="font-semibold hover:underline">
        {short}
      </Link>
    ),
    cut: ({ title }) => title,
    width: 'sm:w-[34%]',
  },
  days: { cell: ({ days }) => <Unbroken text={days} />, sort: 'starts', width: 'sm:w-36' },
  where: { cell: ({ where }) => where, width: 'sm:w-32 lg:w-40' },
  instructor: { cell: ({ instructor }) => instructor, width: 'sm:w-40', wide: true },
  seats: { cell: ({ seats }) => seats, right: true, width: 'sm:w-20' },
  waiting: { cell: ({ waiting }) => (waiting === 0 ? '' : waiting), right: true, width: 'sm:w-20', wide: true },
  charged: { cell: ({ charged }) => charged, right: true, width: 'sm:w-28', wide: true },
  remark: {
    cell: ({ remark }) => <span className={remark.alarm ? 'font-semibold text-fault' : ''}>{remark.text}</span>,
    width: 'sm:w-40 lg:w-44',
  },
};

export default function CourseDates({ loaderData }: Route.ComponentProps) {
  const { view, query, form, mayChange, tabs, isNamed, newer, older, standing, matching, list, rows } = loaderData;
  return (
    <KeysetList
      title="Course dates"
      acts={
        mayChange && (
          <>
            <Link to={href('/staff/course-dates/copy')} className={button.quiet}>
              Copy a term
            </Link>
            <Link to={href('/staff/course-dates/series')} className={button.quiet}>
              Several dates
            </Link>
            <Link to={href('/staff/course-dates/new')} className={button.primary}>
              New course date
            </Link>
          </>
        )
      }
      csv={href('/staff/course-dates.csv')}
      address={courseDateList}
      view={view}
      tabs={tabs}
      saving={<SaveView list="course-dates" query={query} form={form} isNamed={isNamed} />}
      searches="Course, place, instructor"
      chips={chipsOf(view)}
      filters={<Filters view={view} />}
      rows={rows}
      keyOf={({ slug }) => slug}
      choosing={{
        list,
        shown: rows.map(({ slug }) => slug),
        all: { ...matching, most: mostAtOnce },
        acts: [
          {
            to: href('/staff/bulk-actions/message/:list', { list: 'course-dates' }),
            text: 'Write to their people',
            needs: 'mail:send',
          },
        ],
        labelOf: ({ title, days }) => `${title}, ${days}`,
      }}
      cells={cells}
      standing={standing}
      newer={newer}
      older={older}
      none={older ? 'None of those we looked at match. "Older" looks further.' : 'No course date matches.'}
    />
  );
}

function chipsOf({ values }: CourseDateView): Chip<keyof typeof values>[] {
  const words: Record<keyof typeof values, (value: string) => [label: string, value: string]> = {
    state: (value) => ['Status', courseDateStates[value as keyof typeof courseDateStates]],
    course: (value) => ['Course', value],
    'starts-from': (value) => ['Starts', `${formatDay(value)} or later`],
    'starts-before': (value) => ['Starts', `before ${formatDay(value)}`],
  };
  return courseDateList.names.flatMap((name) => {
    const given = values[name];
    if (given === null) return [];
    const [label, value] = words[name](given);
    return [{ name, label, value }];
  });
}

function Filters({ view: { values } }: { view: CourseDateView }) {
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
