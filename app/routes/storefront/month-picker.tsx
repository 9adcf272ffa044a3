import { href, Link } from 'react-router';
import { monthAfter, weeksOf } from '#app/features/course-dates/month-grid.ts';
import { calendarSearch, isShownMonth } from '#app/features/course-dates/schema.ts';
import { formatDay, formatMonth } from '#app/lib/dates.ts';
import { Sign } from '#app/ui/sign.tsx';
import type { CalendarPage } from './calendar-page.server.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * The days of a month as links: a link selects its day, or clears the selection if the day is already selected. Days
 * with a course date are marked by a dot and in words (P15).
 */
export function MonthPicker({ page }: { page: CalendarPage }) {
  const { query, today, first } = page;
  const marked = new Set(page.markedDays);
  return (
    <div className="rounded-card border border-line bg-card p-4 max-[18rem]:px-1 sm:p-5">
      <div className="flex flex-wrap items-center justify-between">
        <Turn page={page} by={-1}>
          <Sign name="previous" className="size-5" />
        </Turn>
        <h2 className="text-xl max-[18rem]:-order-1 max-[18rem]:w-full max-[18rem]:text-center" id="month">
          {formatMonth(query.show)}
        </h2>
        <Turn page={page} by={1}>
          <Sign name="next" className="size-5" />
        </Turn>
      </div>
      <table
        className="mt-3 w-full table-fixed border-collapse text-center max-[18rem]:text-sm"
        aria-labelledby="month"
      >
        <thead>
          <tr>
            {weekdays.map((day) => (
              <th key={day} scope="col" abbr={day} className="pb-1 text-sm font-semibold text-mute max-[18rem]:text-xs">
                {day.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(query.show).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, at) => (
                <td key={day ?? weekdays[at]} className="p-0.5 max-[18rem]:p-0">
                  {day && (
                    <Link
                      to={`${href('/training-calendar')}${calendarSearch({ ...query, date: day === query.date ? null : day, show: query.show }, today, first)}`}
                      preventScrollReset
                      replace
                      aria-current={day === today ? 'date' : undefined}
                      aria-label={dayLabel(day, { chosen: day === query.date, marked: marked.has(day) })}
                      className={dayLook({ chosen: day === query.date, marked: marked.has(day), today: day === today })}
                    >
                      {Number(day.slice(8))}
                    </Link>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status" className="mt-3 min-h-12 text-sm text-mute">
        <ChosenDay page={page} />
      </p>
    </div>
  );
}

function ChosenDay({ page }: { page: CalendarPage }) {
  if (page.query.date === null) return 'No day is chosen.';
  const day = formatDay(page.query.date);
  if (page.onChosenDay.length === 0) return `${day}: no course runs.`;
  return (
    <>
      {day}:{' '}
      {page.onChosenDay.map(({ slug, title }, at) => (
        <span key={slug}>
          {at > 0 && ', '}
          <Link
            to={href('/training-calendar/:courseDateId', { courseDateId: slug })}
            className="font-bold text-link underline underline-offset-4"
          >
            {title}
          </Link>
        </span>
      ))}
    </>
  );
}

/** A link to the month `by` months later; an empty element when that month cannot be shown. */
function Turn({
  page: { query, today, first },
  by,
  children,
}: {
  page: CalendarPage;
  by: 1 | -1;
  children: React.ReactNode;
}) {
  const month = monthAfter(query.show, by);
  if (!isShownMonth(month)) return <span className="size-11" />;
  return (
    <Link
      to={`${href('/training-calendar')}${calendarSearch({ ...query, show: month }, today, first)}`}
      preventScrollReset
      replace
      aria-label={`Show ${formatMonth(month)}`}
      className="flex size-11 items-center justify-center rounded-control hover:bg-paper"
    >
      {children}
    </Link>
  );
}

function dayLabel(day: string, { chosen, marked }: { chosen: boolean; marked: boolean }): string {
  return [formatDay(day), ...(marked ? ['a course runs'] : []), ...(chosen ? ['chosen'] : [])].join(', ');
}

function dayLook({ chosen, marked, today }: { chosen: boolean; marked: boolean; today: boolean }): string {
  const base = 'tabular relative flex h-11 items-center justify-center rounded-control font-medium';
  const dot = marked
    ? 'after:absolute after:bottom-1.5 after:size-1.5 after:rounded-full after:bg-link aria-[label*=chosen]:after:bg-white'
    : '';
  if (chosen) return `${base} ${dot} bg-action font-bold text-white`;
  return `${base} ${dot} hover:bg-paper ${today ? 'border-2 border-edge font-bold' : ''}`;
}
