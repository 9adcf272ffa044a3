import { data, href, Link, redirect } from 'react-router';
import { Portrait } from '#app/features/catalogue/portrait.tsx';
import { Price } from '#app/features/catalogue/price.tsx';
import { courseDateLinks } from '#app/features/course-dates/calendar-events.ts';
import type { CourseDate, CourseDateTimes } from '#app/features/course-dates/course-date.ts';
import { CourseDateFacts } from '#app/features/course-dates/course-date-card.tsx';
import { courseDateFacts } from '#app/features/course-dates/course-date-facts.ts';
import { EnrolLink, Instead } from '#app/features/course-dates/course-date-state.tsx';
import { type CourseDateView, viewOf } from '#app/features/course-dates/course-date-view.ts';
import { LiveSeatsProvider, useLiveSeats } from '#app/features/course-dates/live-seats.tsx';
import { OwnTimesAtOnce } from '#app/features/course-dates/own-time.tsx';
import { attendingOf, formatCourseDateHours, formatCourseDateTime } from '#app/features/course-dates/rules.ts';
import { ladder } from '#app/features/money/refund.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readLater } from '#app/http/database-away.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { addDays, type Day, dayIn, daysBetween, formatDay, formatDayAndMonth, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { metaDescription, titleWith } from '#app/seo/meta-texts.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { courseDatePicture, versioned } from '#app/seo/share-picture.ts';
import { courseDateEvent } from '#app/seo/structured-courses.ts';
import { breadcrumbs, graph } from '#app/seo/structured-data.ts';
import { button } from '#app/ui/button.ts';
import { CalendarButtons } from '#app/ui/calendar-buttons.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/course-date';
import { NotFound } from './frame/not-found.tsx';

type CourseDateDay = { day: Day; times: string };

/** The days of a course date with their hours; the zone's name is that of the day (P14). */
function daysOf(courseDate: CourseDateTimes): CourseDateDay[] {
  const count = daysBetween(courseDate.startDate, courseDate.endDate) + 1;
  const days = Array.from({ length: count }, (_, at) => addDays(courseDate.startDate, at));
  return days.map((day) => ({ day, times: formatCourseDateTime({ ...courseDate, startDate: day, endDate: day }) }));
}

export const handle: SharedPage = { shared: { parameters: [], seats: true } };

export async function loader({ context, params }: Route.LoaderArgs) {
  const store = context.get(snapshotContext);
  const { courseDates, instructors, texts } = store.current();
  const found = await store.courseDate(params.courseDateId);
  if (!found.ok) throw readLater('We cannot show this date right now. Please try again in a minute.');
  const { courseDate, record } = found;
  if (!courseDate) return data(null, { status: 404 });
  if (courseDate.slug !== params.courseDateId)
    throw redirect(href('/training-calendar/:courseDateId', { courseDateId: courseDate.slug }), 301);
  const today = academyToday(context.get(academyContext).clock);
  const teacher = [...instructors.values()].find(({ name }) => name === courseDate.instructor) ?? null;
  const view = viewOf(courseDate, courseDates, today);
  return {
    courseDate: view,
    calendar: courseDateLinks(courseDate),
    days: daysOf(courseDate),
    // Made here, so that no browser loads what makes it.
    head: headOf(view),
    onSaleSince: onSaleSince(courseDate, record?.madeAt ?? null),
    teacher,
    attending: attendingOf(courseDate, texts.attending),
  };
}

/** A day that is fixed for a demonstration may lie before the true one on which the date was made: then it says nothing. */
function onSaleSince({ startDate, zone }: CourseDate, madeAt: Date | null): string | null {
  return madeAt && dayIn(zone, madeAt) <= startDate ? madeAt.toISOString() : null;
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Page not found', 'There is no course date at this address.', noPage);
  const { courseDate, head, onSaleSince: since } = at.loaderData;
  return pageMeta(at, head.title, head.description, {
    machines: import.meta.env.SSR ? () => machines(courseDate, since) : undefined,
  });
};

/** The title and the description of a course date's page. */
function headOf(courseDate: CourseDateView): { title: string; description: string } {
  const { course, startDate, endDate } = courseDate;
  const days = formatDays(startDate, endDate);
  const endings = [`, ${days}, ${courseDate.venue ?? 'online'}`, `, ${days}`, `, ${formatDays(startDate, startDate)}`];
  return {
    title: titleWith(course.title, endings),
    description: metaDescription(
      `${course.title}, ${deliveryText(courseDate)}, ${days}.`,
      `${courseDate.times} each day, with ${courseDate.instructor}.`,
      `${formatMoney(course.priceCents)} incl. GST.`,
      'See the seats left, and enrol.',
    ),
  };
}

function machines(courseDate: CourseDateView, since: string | null) {
  const { course } = courseDate;
  const facts = courseDateFacts(courseDate, since);
  const picture = courseDatePicture(courseDate);
  const path = href('/share/:kind/:file', { kind: 'course-date', file: `${courseDate.slug}.png` });
  const trail = [
    { name: 'Training Calendar', path: href('/training-calendar') },
    { name: course.title, path: facts.path },
  ];
  return {
    picture: { path, picture },
    data: (baseUrl: string) =>
      graph(
        courseDateEvent(baseUrl, facts, { ...course, image: versioned(path, picture) }),
        breadcrumbs(baseUrl, trail),
      ),
  };
}

export default function CourseDateRoute({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  return (
    <LiveSeatsProvider>
      <CourseDatePage {...loaderData} />
    </LiveSeatsProvider>
  );
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']>;

function CourseDatePage({ courseDate: shown, calendar, days, teacher, attending }: Loaded) {
  const courseDate = useLiveSeats(shown);
  const { course } = courseDate;
  const count = daysBetween(courseDate.startDate, courseDate.endDate) + 1;
  return (
    <article>
      <PageHead
        title={course.title}
        lead={`${formatDays(courseDate.startDate, courseDate.endDate)}, ${deliveryText(courseDate)}`}
      />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:py-16">
        <div className="grid content-start gap-12">
          <section>
            <h2 className="text-3xl">When and how</h2>
            <CourseDateFacts courseDate={courseDate} />
            <OwnTimesAtOnce />
            <p className="mt-5 max-w-prose">
              {count === 1 ? 'One day' : `${count} days in a row`}, {courseDate.times}
              {count > 1 && ' each day'}
              {courseDate.breakMinutes > 0 && `, with ${courseDate.breakMinutes} minutes of breaks`}.{' '}
              {placeText(courseDate)} The course takes {formatCourseDateHours(courseDate)}.
            </p>
            <Decision courseDate={courseDate} />
            {courseDate.standing !== 'done' && courseDate.standing !== 'cancelled' && (
              <div className="mt-4">
                <CalendarButtons
                  file={href('/training-calendar/:courseDateId/course_date.ics', { courseDateId: courseDate.slug })}
                  links={calendar}
                />
              </div>
            )}
          </section>
          <section>
            <h2 className="text-3xl">Day by day</h2>
            <CourseDateDays days={days} />
          </section>
          <section>
            <h2 className="text-3xl">How to join and what to bring</h2>
            {attending.map(({ where, joining, bring }) => (
              <div key={where} className="mt-5">
                <h3 className="text-[1.375rem]">{where}</h3>
                <p className="mt-2 max-w-prose">{joining}</p>
                <ul className="mt-3 grid list-disc gap-2 pl-5 marker:text-edge">
                  {bring.map((thing) => (
                    <li key={thing} className="max-w-prose pl-1">
                      {thing}
                    </li>
                  ))}
                </ul>
              </div>
            ))}
            <p className="mt-5 max-w-prose">
              What you should know already is listed under Prerequisites on{' '}
              <Link
                to={href('/course/:courseId', { courseId: course.slug })}
                className="font-bold text-link underline underline-offset-4"
              >
                the course page
              </Link>
              .{courseDate.delivery !== 'online' && ' You arrange your own travel and a place to stay.'}
            </p>
          </section>
          {teacher && (
            <section>
              <h2 className="text-3xl">Who teaches</h2>
              <div className="mt-5 flex gap-5">
                <Portrait slug={teacher.slug} className="size-20 sm:size-24" />
                <div className="min-w-0">
                  <p className="font-display text-xl font-bold">{teacher.name}</p>
                  <p className="text-mute">
                    {teacher.expertise} · {teacher.experience}
                  </p>
                  <p className="mt-3 max-w-prose">{teacher.biography}</p>
                </div>
              </div>
            </section>
          )}
          <section>
            <h2 className="text-3xl">What you will learn</h2>
            <p className="mt-4 max-w-prose text-lg">{course.description}</p>
            <Link
              to={href('/course/:courseId', { courseId: course.slug })}
              className="mt-4 inline-block font-bold text-link underline underline-offset-4"
            >
              The whole syllabus
            </Link>
          </section>
          <section>
            <h2 className="text-3xl">If plans change</h2>
            <p className="mt-4 max-w-prose">
              If you cancel, we refund all of the price until {ladder.fullDays} days before the first day, half of it
              until {ladder.halfDays} days before, and nothing after that. Within {ladder.fullHours} hours of enrolling,
              and while the date is not confirmed, we refund all of it. Until the first day one move to another date
              within twelve months is free, and so is giving your place to somebody else. You see the dates and dollars
              before you enrol. The rules in full are in the{' '}
              <Link to={href('/terms')} className="font-bold text-link underline underline-offset-4">
                terms
              </Link>
              .
            </p>
          </section>
        </div>
        <CourseDatePrice courseDate={courseDate} />
      </div>
    </article>
  );
}

/** From how many people on it is held and until when one can enrol; what is not confirmed costs nothing yet (P39). */
function Decision({ courseDate }: { courseDate: CourseDateView }) {
  const { standing, state, minimum, enrolmentEnds } = courseDate;
  if (standing === 'running' || standing === 'done' || standing === 'cancelled') return null;
  return (
    <p className="mt-4 max-w-prose">
      {state === 'confirmed' && 'It is confirmed, and stays confirmed if someone cancels. '}
      {state === 'tentative' &&
        `It goes ahead once ${minimum} people have enrolled. Until it is confirmed, nothing is due and cancelling is free. `}
      {standing !== 'closed' && `Enrolment closes at the end of ${formatDayAndMonth(enrolmentEnds)}, Brisbane time.`}
    </p>
  );
}

function placeText({ delivery, venue, room, street }: CourseDate): string {
  if (delivery === 'online') return 'It is taught live online.';
  const where = [room, street].filter((part) => part !== null).join(', ');
  const address = where ? `The room: ${where}.` : 'We email you the room and street before the first day.';
  return delivery === 'both'
    ? `Attend live online or in our rooms in ${venue}; you don’t have to choose until the day. ${address}`
    : `It is taught in person in ${venue}. ${address}`;
}

/** The days of a course date in order, with their hours. */
function CourseDateDays({ days }: { days: readonly CourseDateDay[] }) {
  return (
    <ol className="tabular mt-5 max-w-2xl border-t border-line">
      {days.map(({ day, times }, at) => (
        <li key={day} className="grid grid-cols-[2.75rem_minmax(0,1fr)] items-center gap-x-3 border-b border-line py-3">
          <span className="flex size-10 items-center justify-center rounded-full border-2 border-straw bg-card font-display font-bold">
            <span className="sr-only">Day </span>
            {at + 1}
          </span>
          <span className="flex flex-wrap justify-between gap-x-6">
            <b>{formatDay(day)}</b>
            <span className="text-mute">{times}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The price of a course date, the seats left, and the button to enrol. */
function CourseDatePrice({ courseDate }: { courseDate: CourseDateView }) {
  const { course } = courseDate;
  return (
    <aside aria-label="Price">
      <div className="sticky top-6 overflow-hidden rounded-card border border-line bg-card">
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${course.slug}.svg` })}
          alt=""
          width={400}
          height={225}
          loading="lazy"
          className="no-print aspect-video w-full object-cover max-lg:hidden"
        />
        <div className="p-6">
          <Price card={course} />
          <p className="mt-3 font-bold">{placesText(courseDate)}</p>
          {courseDate.keptSeats && <p className="mt-1 text-mute">{courseDate.keptSeats}</p>}
          {courseDate.standing === 'open' && <Seats count={courseDate.seatsAvailable} />}
          <Instead courseDate={courseDate} className="mt-3" />
          <div className="mt-5 grid empty:hidden">
            <EnrolLink
              courseDate={courseDate}
              label={`${course.title}, ${formatDays(courseDate.startDate, courseDate.endDate)}`}
              open="Enroll Now"
            />
          </div>
          {courseDate.standing === 'open' && (
            <Link
              to={`${href('/quote')}?courseDate=${courseDate.slug}`}
              className={`${button.quiet} no-print mt-3 w-full`}
            >
              Get a quote
            </Link>
          )}
          <Link to={href('/training-calendar')} className={`${button.quiet} no-print mt-3 w-full`}>
            All course dates
          </Link>
        </div>
      </div>
    </aside>
  );
}

function placesText({ standing, seatsAvailable, enrolmentEnds }: CourseDateView): string {
  switch (standing) {
    case 'open':
      return `${seatsAvailable} available`;
    case 'full':
      return 'This date is full.';
    case 'closed':
      return `Enrolment closed on ${formatDayAndMonth(enrolmentEnds)}.`;
    case 'running':
      return 'This date has started.';
    case 'done':
      return 'This date is over.';
    case 'cancelled':
      return 'This date is cancelled.';
  }
}

/** The seats that are left, one mark each; the number is above it. */
function Seats({ count }: { count: number }) {
  return (
    <p className="mt-2 flex flex-wrap gap-1.5" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => `seat ${at}`).map((seat) => (
        <span key={seat} className="size-3.5 rotate-45 rounded-[3px] bg-link" />
      ))}
    </p>
  );
}
