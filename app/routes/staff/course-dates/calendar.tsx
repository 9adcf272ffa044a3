import { Form, href, Link } from 'react-router';
import type { Clash } from '#app/features/course-dates/clashes.ts';
import type { BusyCourseDate, PlannedCourseDate } from '#app/features/course-dates/plan.server.ts';
import {
  type Cell,
  clashesAmong,
  firstRows,
  neighbours,
  rowsOf,
  shownDays,
} from '#app/features/course-dates/planner.ts';
import { readCalendar, readDrawn, readNextDay } from '#app/features/course-dates/queries.server.ts';
import { isShownMonth } from '#app/features/course-dates/schema.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, formatDay, formatDays, formatMonth, weekdayOf } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { Sideways, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/calendar';

type By = 'instructor' | 'room';
type CalendarTableProps = {
  days: readonly Day[];
  today: Day;
  by: By;
  view: 'week' | 'month';
  /** `more`: course dates that are in no row, and where they are. */
  lanes: readonly {
    name: string;
    rows: Cell<ReturnType<typeof entryOf>>[][];
    more: { count: number; to: string } | null;
  }[];
  holidays: readonly { day: Day; name: string; states: string }[];
};

/** Course dates on days: a row for each instructor or room, and further rows where dates overlap. */
function CalendarTable({ days, today, by, view, lanes, holidays }: CalendarTableProps) {
  if (lanes.length === 0) return <Words>No course date is held on these days.</Words>;
  return (
    <Sideways>
      <table
        aria-label={`Course dates by ${by}`}
        className={`w-full table-fixed border-collapse text-left text-xs ${view === 'month' ? 'min-w-[80rem]' : 'min-w-[52rem]'}`}
      >
        <thead>
          <tr>
            <th scope="col" className="w-40 border-b border-line p-1.5 align-bottom">
              {by === 'instructor' ? 'Instructor' : 'Room'}
            </th>
            {days.map((day) => (
              <DayHead
                key={day}
                day={day}
                today={day === today}
                long={view === 'week'}
                holidays={holidays.filter((one) => one.day === day)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ name, rows, more }) =>
            rows.map((cells, at) => (
              <tr
                key={`${name} ${cells.map(({ courseDate }) => courseDate?.slug ?? '').join()}`}
                className="break-inside-avoid"
              >
                {at === 0 && (
                  <th scope="rowgroup" rowSpan={rows.length} className="border-b border-line p-1.5 align-top text-sm">
                    {name}
                    {more && (
                      <p className="text-xs font-normal">
                        <TextLink to={more.to}>and {more.count} more</TextLink>
                      </p>
                    )}
                  </th>
                )}
                {cells.map(({ day, days: width, courseDate }) => (
                  <td
                    key={day}
                    colSpan={width}
                    className={`border-b border-l border-line p-0.5 align-top ${isWeekend(day) && !courseDate ? 'bg-line/40' : ''}`}
                  >
                    {courseDate && <Entry {...courseDate} />}
                  </td>
                ))}
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Sideways>
  );
}

const isWeekend = (day: Day) => weekdayOf(day).startsWith('S');

function DayHead({
  day,
  today,
  long,
  holidays,
}: {
  day: Day;
  today: boolean;
  long: boolean;
  holidays: CalendarTableProps['holidays'];
}) {
  const names = holidays.map(({ name, states }) => `${name} (${states})`).join(', ');
  return (
    <th
      scope="col"
      aria-current={today ? 'date' : undefined}
      title={names || undefined}
      className={`tabular border-b border-l border-line p-1 align-bottom font-semibold ${today ? 'border-b-3 border-b-straw' : ''}`}
    >
      <span aria-hidden="true">
        {weekdayOf(day).slice(0, long ? 3 : 2)}
        <br />
        {Number(day.slice(8))}
      </span>
      <span className="sr-only">{formatDay(day)}</span>
      {names && (
        <>
          <span aria-hidden="true" className="block font-bold text-fault">
            {long ? names : 'PH'}
          </span>
          <span className="sr-only">, public holiday: {names}</span>
        </>
      )}
    </th>
  );
}

const clashText: Record<Clash, string> = {
  instructor: 'instructor twice',
  room: 'room twice',
  course: 'same course twice',
};

/** Of a course's title: an entry of one day has room for six letters. */
const mostTitle = 20;

/** What an entry shows. */
function entryOf(courseDate: PlannedCourseDate & { clashes: readonly Clash[] }, by: By) {
  const { slug, title, startDate, endDate, startTime, endTime, zone, clashes, confirmed } = courseDate;
  const time = `${formatTime(startTime)} to ${formatTime(endTime)} ${zoneOfDays(zone, [startDate, endDate])}`;
  const other = by === 'instructor' ? taughtText(courseDate) : courseDate.instructorName;
  return {
    slug,
    title: nameWithin(title, mostTitle),
    whole: `${title}, ${formatDays(startDate, endDate)}, ${time}, ${other}`,
    other,
    confirmed,
    clash: clashes.map((one) => clashText[one]).join(', '),
  };
}

function Entry({ slug, title, whole, other, confirmed, clash }: ReturnType<typeof entryOf>) {
  return (
    <div
      title={whole}
      className={`rounded-sm border px-1 py-0.5 ${clash ? 'border-fault' : 'border-edge'} ${confirmed ? 'bg-card' : 'border-dashed'}`}
    >
      <Link
        to={href('/staff/course-dates/:slug', { slug })}
        className="block truncate font-semibold underline-offset-2 hover:underline"
      >
        {title}
      </Link>
      <p className="tabular truncate text-mute">
        {confirmed ? '' : 'Not confirmed. '}
        {other}
      </p>
      {clash && <p className="font-bold text-fault">{`Clash: ${clash}`}</p>}
    </div>
  );
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'course-dates:read');
  const { db, clock } = context.get(academyContext);
  const today = academyToday(clock);
  const asked = url.searchParams.get('on') ?? '';
  const on = isDay(asked) ? asked : await unlessDatabaseAway(() => readNextDay(db, actor, today));
  const view = url.searchParams.get('view') === 'week' ? ('week' as const) : ('month' as const);
  const by = url.searchParams.get('by') === 'room' ? ('room' as const) : ('instructor' as const);
  const days = shownDays(on, view);
  const [from = on, to = on] = [days[0], days.at(-1)];
  const { busy, hours, holidays } = await unlessDatabaseAway(() => readCalendar(db, actor, { from, to }));
  const clashes = clashesAmong(busy, hours);
  const courseDates = busy.filter(({ startDate, endDate }) => startDate <= to && endDate >= from);
  const of = url.searchParams.get('of')?.slice(0, 100) || null;
  const lanes = [
    ...Map.groupBy(courseDates, (courseDate) => (by === 'instructor' ? courseDate.instructorName : roomOf(courseDate))),
  ]
    .filter(([name]) => of === null || name === of)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, own]) => ({ name, rows: rowsOf(own, days) }));
  const drawn = firstRows(lanes.slice(0, mostLanes), of === null ? mostDrawn : mostOfOne);
  const shown = await unlessDatabaseAway(() => readDrawn(db, actor, idsIn(drawn)));
  const toLane = (name: string) =>
    `${href('/staff/course-dates/calendar')}?${new URLSearchParams({ view, by, on, of: name })}`;
  return {
    on,
    view,
    by,
    today,
    days,
    ...neighbours(on, view),
    count: courseDates.length,
    clashing: courseDates.filter(({ id }) => clashes.has(id)).length,
    of,
    lanes: drawn.map(({ name, rows, more }) => ({
      name,
      more: more > 0 ? { count: more, to: of === null ? toLane(name) : listOf(from, to) } : null,
      rows: rows.map((cells) =>
        cells.map(({ day, days, courseDate }) => {
          // Cancelled since its row was laid out: a free day.
          const whole = courseDate && shown.get(courseDate.id);
          return {
            day,
            days,
            courseDate: whole ? entryOf({ ...whole, clashes: [...(clashes.get(whole.id) ?? [])] }, by) : null,
          };
        }),
      ),
    })),
    isCut: lanes.length > drawn.length,
    list: listOf(from, to),
    holidays: days.flatMap((day) =>
      holidays
        .filter(({ days }) => days.includes(day))
        .map(({ name, states }) => ({ day, name, states: states.join(', ') })),
    ),
    mayChange: actor.can.has('course-dates:change'),
  };
}

/** How many course dates are drawn of all instructors or rooms together, and of a single one; each has a row at least. */
const mostDrawn = 120;
const mostOfOne = 300;
/** How many instructors or rooms are drawn. */
const mostLanes = 60;

/** The list of the course dates that start on these days. */
const listOf = (from: Day, to: Day): string =>
  `${href('/staff/course-dates')}?${new URLSearchParams({ 'starts-from': from, 'starts-before': addDays(to, 1) })}`;

const idsIn = (lanes: readonly { rows: Cell<BusyCourseDate>[][] }[]) =>
  lanes.flatMap(({ rows }) => rows.flat().flatMap(({ courseDate }) => courseDate?.id ?? []));

function roomOf({ venue, room }: { venue: string | null; room: string | null }): string {
  if (venue === null) return 'Online';
  return `${venue}, ${room ?? 'room not set'}`;
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && isShownMonth(text.slice(0, 7)) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

export const meta = () => staffMeta('Calendar of course dates');

export default function Calendar({ loaderData }: Route.ComponentProps) {
  const { on, view, by, of, today, days, before, after, count, clashing, lanes, holidays, mayChange } = loaderData;
  const { isCut, list } = loaderData;
  const whole = (change: Partial<Pick<typeof loaderData, 'on' | 'view' | 'by'>>) =>
    `${href('/staff/course-dates/calendar')}?${new URLSearchParams({ view, by, on, ...change })}`;
  const to = (change: Partial<Pick<typeof loaderData, 'on' | 'view'>>) =>
    of === null ? whole(change) : `${whole(change)}&${new URLSearchParams({ of })}`;
  const step = view === 'week' ? 'week' : 'month';
  return (
    <>
      <PageHead
        title={view === 'week' ? formatDays(days[0] ?? on, days.at(-1) ?? on) : formatMonth(on.slice(0, 7))}
        beside={
          <>
            {count === 1 ? '1 course date' : `${count} course dates`}
            {clashing > 0 && <b className="text-fault">, {clashing} clash</b>}
          </>
        }
      >
        {mayChange && (
          <>
            <Link to={href('/staff/course-dates/copy')} className={button.quiet}>
              Copy a term
            </Link>
            <Link to={href('/staff/course-dates/series')} className={button.quiet}>
              Several dates
            </Link>
          </>
        )}
      </PageHead>
      <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-3 print:hidden">
        <nav aria-label="Days" className="flex flex-wrap gap-2">
          <Link to={to({ on: before })} className={button.quiet}>
            Earlier {step}
          </Link>
          <Link to={to({ on: today })} className={button.quiet}>
            Today
          </Link>
          <Link to={to({ on: after })} className={button.quiet}>
            Later {step}
          </Link>
        </nav>
        <nav aria-label="View" className="flex flex-wrap gap-x-5 gap-y-2">
          <Chosen to={to({ view: 'month' })} is={view === 'month'} text="Month" />
          <Chosen to={to({ view: 'week' })} is={view === 'week'} text="Week" />
          <Chosen to={whole({ by: 'instructor' })} is={by === 'instructor'} text="By instructor" />
          <Chosen to={whole({ by: 'room' })} is={by === 'room'} text="By room" />
        </nav>
        <Form method="get" className="flex items-center gap-2">
          <input type="hidden" name="view" value={view} />
          <input type="hidden" name="by" value={by} />
          {of !== null && <input type="hidden" name="of" value={of} />}
          <label htmlFor="on" className="text-sm whitespace-nowrap">
            Go to
          </label>
          <input key={on} id="on" name="on" type="date" defaultValue={on} className={field} />
          <button type="submit" className={button.quiet}>
            Go
          </button>
        </Form>
      </div>
      {of !== null && (
        <p className="mb-3">
          Only {of}.{' '}
          <TextLink to={whole({})}>{by === 'instructor' ? 'Show all instructors' : 'Show all rooms'}</TextLink>
        </p>
      )}
      <CalendarTable days={days} today={today} by={by} view={view} lanes={lanes} holidays={holidays} />
      {isCut && (
        <p className="mt-4">
          Only the first {lanes.length} {by === 'instructor' ? 'instructors' : 'rooms'} are drawn. The list of{' '}
          <TextLink to={list}>course dates</TextLink> has all.
        </p>
      )}
      {holidays.length > 0 && (
        <section aria-labelledby="holidays" className="mt-6 text-sm">
          <h2 id="holidays" className="mb-1 text-base">
            Public holidays
          </h2>
          <ul className="tabular">
            {holidays.map(({ day, name, states }) => (
              <li key={`${day} ${name}`}>
                {formatDay(day)}: {name} ({states})
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Chosen({ to, is, text }: { to: string; is: boolean; text: string }) {
  return (
    <Link
      to={to}
      aria-current={is ? 'true' : undefined}
      className="inline-flex min-h-9 items-center border-b-2 border-transparent text-mute hover:text-ink aria-[current]:border-stalk aria-[current]:font-semibold aria-[current]:text-ink"
    >
      {text}
    </Link>
  );
}
