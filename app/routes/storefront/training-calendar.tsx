import { useEffect, useRef } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { CourseDateRow } from '#app/features/course-dates/course-date-card.tsx';
import { LiveSeatsProvider, useAvailableSeats } from '#app/features/course-dates/live-seats.tsx';
import { OwnTimesAtOnce } from '#app/features/course-dates/own-time.tsx';
import { calendarSearch, parseCalendarQuery } from '#app/features/course-dates/schema.ts';
import { type SnapshotStore, snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readLater } from '#app/http/database-away.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatMonth } from '#app/lib/dates.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/training-calendar';
import { calendarPage, firstMonth } from './calendar-page.server.ts';
import { MonthPicker } from './month-picker.tsx';

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
        lead="Taught on fixed days, online and in Brisbane, Sydney and Melbourne. Times are local, and Queensland does not observe daylight saving."
      />
      <div className="page grid gap-x-10 gap-y-10 py-12 lg:grid-cols-[21rem_minmax(0,1fr)] lg:py-16">
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
            in your own calendar, or{' '}
            <a href={href('/training-calendar.ics')} className="font-bold text-link underline underline-offset-4">
              download the file (.ics)
            </a>
            .
          </p>
        </div>
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
            <p role="status" className="mt-4 text-mute">
              {page.matching === page.total ? `${page.total} dates` : `${page.matching} of ${page.total} dates match`}
              {cancelled > 0 && `, ${cancelled} cancelled`}
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
