import { href, Link } from 'react-router';
import type { Clash } from '#app/features/course-dates/clashes.ts';
import type { PlannedCourseDate } from '#app/features/course-dates/plan.server.ts';
import type { Cell } from '#app/features/course-dates/planner.ts';
import { type Day, formatDay, formatDays, weekdayOf } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { Sideways, TextLink, Words } from '#app/ui/staff/typography.tsx';

type By = 'instructor' | 'room';
type Props = {
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
export function CalendarTable({ days, today, by, view, lanes, holidays }: Props) {
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
  holidays: Props['holidays'];
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
export function entryOf(courseDate: PlannedCourseDate & { clashes: readonly Clash[] }, by: By) {
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
