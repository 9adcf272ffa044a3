import { useEffect, useRef } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { CourseDateRow } from '#app/features/course-dates/course-date-card.tsx';
import { LiveSeatsProvider, useAvailableSeats } from '#app/features/course-dates/live-seats.tsx';
import { monthAfter, weeksOf } from '#app/features/course-dates/month-grid.ts';
import { OwnTimesAtOnce } from '#app/features/course-dates/own-time.tsx';
import { calendarSearch, isShownMonth, parseCalendarQuery } from '#app/features/course-dates/schema.ts';
import { type SnapshotStore, snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readLater } from '#app/http/database-away.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay, formatMonth } from '#app/lib/dates.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Sign } from '#app/ui/sign.tsx';
import type { Route } from './+types/training-calendar';
import { type CalendarPage, calendarPage, firstMonth } from './calendar-page.server.ts';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * The days of a month as links: a link selects its day, or clears the selection if the day is already selected. Days
 * with a course date are marked by a dot and in words (P15).
 */
function MonthPicker({ page }: { page: CalendarPage }) {
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

export const handle: SharedPage = {
  shared: { parameters: ['date', 'show', 'course', 'mode', 'level', 'month'], seats: true },
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const today = academyToday(context.get(academyContext).clock);
  const store = context.get(snapshotContext);
  const first = firstMonth(store.current().courseDates, today);
  const query = parseCalendarQuery(url.searchParams, today, first);
  const inMonth = await courseDatesOrAway(store.courseDatesOf(query.show));
  const onDay = query.date === null ? [] : await courseDatesOrAway(store.courseDatesOf(query.date.slice(0, 7)));
  return calendarPage(store.current(), query, { today, first }, { inMonth, onDay });
}

async function courseDatesOrAway(asked: ReturnType<SnapshotStore['courseDatesOf']>) {
  const read = await asked;
  if (read.ok) return read.courseDates;
  throw readLater('We cannot show this month right now. Please try again in a minute.');
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Training Calendar',
    'All upcoming course dates: days, local times, mode, instructor, seats left and price.',
  );

export default function TrainingCalendar({ loaderData: page, matches }: Route.ComponentProps) {
  const { query, today, first, cancelled } = page;
  // Calendar programs subscribe to this address; of the file they would copy the dates once.
  const subscription = matches[0].loaderData.baseUrl.replace(/^https?:/, 'webcal:') + href('/training-calendar.ics');
  return (
    <LiveSeatsProvider>
      <PageHead
        title="Training Calendar"
        lead="Online, Brisbane, Sydney and Melbourne. Queensland has no daylight saving."
      />
      <div className="page grid gap-10 py-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:py-16">
        <section>
          <h2 className="text-3xl">Upcoming course dates</h2>
          {page.total > 0 && <CourseDateFilters page={page} />}
          {page.total === 0 && (
            <div className="mt-4 rounded-card border border-dashed border-edge px-6 py-12 text-center">
              <p className="font-display text-xl font-bold">No dates are set at the moment.</p>
              <p className="mt-2">
                Many courses can be taken guided. For the others, we tell you when there is a date.
              </p>
              <p className="mt-5 flex flex-wrap justify-center gap-3">
                <Link to={href('/courses')} className={button.primary}>
                  View Courses
                </Link>
                <TellMe />
              </p>
            </div>
          )}
          {page.total > 0 && (
            <p role="status" className="mt-3 text-mute">
              {page.matching === page.total ? `${page.total} dates` : `${page.matching} of ${page.total} dates match`}
              {cancelled > 0 && `, ${cancelled} cancelled`}
              <a
                href="#month"
                className="ml-3 inline-block py-1 font-bold text-link underline underline-offset-4 lg:hidden"
              >
                Month view
              </a>
            </p>
          )}
          {page.total > 0 && page.matching === 0 && (
            <div className="mt-4 rounded-card border border-dashed border-edge px-6 py-12 text-center">
              <p className="font-display text-xl font-bold">No dates match these filters.</p>
              <p className="mt-5 flex flex-wrap justify-center gap-3">
                <Link
                  to={`${href('/training-calendar')}${calendarSearch({ ...query, course: '', mode: '', level: '', month: '' }, today, first)}`}
                  className={button.primary}
                >
                  Show all dates
                </Link>
                <TellMe />
              </p>
            </div>
          )}
          {page.months.map(({ month, courseDates }) => (
            <div key={month} className="mt-8">
              <h3 className="font-display text-[1.375rem] font-bold">{formatMonth(month)}</h3>
              <ul className="mt-2 border-t border-line">
                {courseDates.map((courseDate) => (
                  <li key={courseDate.slug} className="border-b border-line">
                    <CourseDateRow courseDate={courseDate} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <OwnTimesAtOnce />
          <div className="mt-10 flex flex-wrap items-center gap-3 border-t border-line pt-8">
            <p className="basis-full text-mute">No date that suits, or a team to train?</p>
            <TellMe />
            <Link to={`${href('/contact')}?interest=corporate-training`} className={button.primary}>
              Request Custom Training
            </Link>
            <Link to={`${href('/contact')}?interest=other`} className={button.quiet}>
              Contact Our Team
            </Link>
          </div>
        </section>
        <div className="grid content-start gap-6">
          <MonthPicker page={page} />
          <section className="rounded-card border border-line bg-card p-5">
            <h2 className="text-xl">Quick Stats</h2>
            <Stats stats={page.stats} />
          </section>
          <p className="text-sm text-mute">
            <a href={subscription} className="font-bold text-link underline underline-offset-4">
              Subscribe to all dates
            </a>{' '}
            in your calendar, or{' '}
            <a href={href('/training-calendar.ics')} className="font-bold text-link underline underline-offset-4">
              download the file (.ics)
            </a>
            .
          </p>
        </div>
      </div>
    </LiveSeatsProvider>
  );
}

const TellMe = () => (
  <Link to={href('/waiting-list')} className={button.quiet}>
    Tell me about dates
  </Link>
);

function Stats({ stats }: { stats: Route.ComponentProps['loaderData']['stats'] }) {
  const rows = [
    ['Upcoming Courses', stats.upcomingCourses],
    ['Available Seats', useAvailableSeats(stats.availableSeats)],
    ['This Month', stats.thisMonth],
  ] as const;
  return (
    <dl className="tabular mt-4 grid gap-2.5">
      {rows.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-mute">{label}</dt>
          <dd className="font-display text-lg leading-none font-bold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The list's own filters (P15): a plain form with its button; with JavaScript a choice applies at once. */
function CourseDateFilters({ page }: { page: Route.ComponentProps['loaderData'] }) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const { query, today, first: firstShown, options } = page;

  function apply(how: { replace: boolean }) {
    if (!form.current) return;
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) params.set(name, String(value));
    const wanted = { ...query, ...pick(parseCalendarQuery(params, today, firstShown)) };
    const search = calendarSearch(wanted, today, firstShown);
    if (search !== calendarSearch(query, today, firstShown)) navigate({ search }, { preventScrollReset: true, ...how });
  }

  // Filters chosen before React started are applied; later the fields follow the address, which back and forward
  // change.
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes, with what stands then
  useEffect(() => {
    if (first.current) {
      first.current = false;
      apply({ replace: true });
      return;
    }
    for (const name of ['course', 'mode', 'level', 'month'] as const) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLSelectElement) field.value = query[name];
    }
  }, [query]);

  const fields = [
    { name: 'course', label: 'Course', all: 'All courses', choices: options.courses },
    { name: 'mode', label: 'Mode', all: 'All modes', choices: options.modes },
    { name: 'level', label: 'Level', all: 'All Levels', choices: options.levels },
    { name: 'month', label: 'Month', all: 'All months', choices: options.months },
  ] as const;
  return (
    <form
      ref={form}
      action={href('/training-calendar')}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        apply({ replace: false });
      }}
      className="mt-5 grid grid-cols-2 gap-3 lg:grid-cols-4"
    >
      {fields.map(({ name, label, all, choices }) => (
        <select
          key={name}
          name={name}
          aria-label={label}
          defaultValue={query[name]}
          onChange={() => apply({ replace: false })}
          className={select}
        >
          <option value="">{all}</option>
          {choices.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ))}
      {/* The month and day of the picker go along when the form is sent without JavaScript. */}
      {[
        ...new URLSearchParams(
          calendarSearch({ ...query, course: '', mode: '', level: '', month: '' }, today, firstShown),
        ),
      ].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="hidden no-script:block">
        <button type="submit" className={button.quiet}>
          Show
        </button>
      </div>
    </form>
  );
}

function pick({ course, mode, level, month }: ReturnType<typeof parseCalendarQuery>) {
  return { course, mode, level, month };
}
