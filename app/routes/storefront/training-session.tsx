import { data, href, Link, redirect } from 'react-router';
import { Portrait } from '#app/features/catalogue/portrait.tsx';
import { ladder } from '#app/features/money/refund-rule.ts';
import { attendingOf } from '#app/features/sessions/attending.ts';
import { LiveSeatsProvider, useLiveSeats } from '#app/features/sessions/live-seats.tsx';
import { OwnTimesAtOnce } from '#app/features/sessions/own-time.tsx';
import { formatSessionHours } from '#app/features/sessions/rules.ts';
import type { TrainingSession } from '#app/features/sessions/session.ts';
import { SessionFacts } from '#app/features/sessions/session-card.tsx';
import { sessionFacts } from '#app/features/sessions/session-facts.ts';
import { type SessionView, viewOf } from '#app/features/sessions/session-view.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readLater } from '#app/http/database-away.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { dayIn, daysBetween, formatDayAndMonth, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { metaDescription, titleWith } from '#app/seo/meta-texts.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { sessionPicture, versioned } from '#app/seo/share-picture.ts';
import { sessionEvent } from '#app/seo/structured-courses.ts';
import { breadcrumbs, graph } from '#app/seo/structured-data.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/training-session';
import { daysOf } from './days-of.ts';
import { NotFound } from './frame/not-found.tsx';
import { SessionDays } from './session-days.tsx';
import { SessionPrice } from './session-price.tsx';

export const handle: SharedPage = { shared: { parameters: [], seats: true } };

export async function loader({ context, params }: Route.LoaderArgs) {
  const store = context.get(snapshotContext);
  const { sessions, instructors, texts } = store.current();
  const found = await store.session(params.sessionId);
  if (!found.ok) throw readLater('We cannot show this date right now. Please try again in a minute.');
  const { session, record } = found;
  if (!session) return data(null, { status: 404 });
  if (session.slug !== params.sessionId)
    throw redirect(href('/training-calendar/:sessionId', { sessionId: session.slug }), 301);
  const today = academyToday(context.get(academyContext).clock);
  const teacher = [...instructors.values()].find(({ name }) => name === session.instructor) ?? null;
  const view = viewOf(session, sessions, today);
  return {
    session: view,
    days: daysOf(session),
    // Made here, so that no browser loads what makes it.
    head: headOf(view),
    onSaleSince: onSaleSince(session, record?.madeAt ?? null),
    teacher,
    attending: attendingOf(session, texts.attending),
  };
}

/** A day that is fixed for a demonstration may lie before the true one on which the date was made: then it says nothing. */
function onSaleSince({ startDate, zone }: TrainingSession, madeAt: Date | null): string | null {
  return madeAt && dayIn(zone, madeAt) <= startDate ? madeAt.toISOString() : null;
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Page not found', 'There is no course date at this address.', noPage);
  const { session, head, onSaleSince: since } = at.loaderData;
  return pageMeta(at, head.title, head.description, {
    machines: import.meta.env.SSR ? () => machines(session, since) : undefined,
  });
};

/** The title and the description of a session's page. */
function headOf(session: SessionView): { title: string; description: string } {
  const { course, startDate, endDate } = session;
  const days = formatDays(startDate, endDate);
  const endings = [`, ${days}, ${session.venue ?? 'online'}`, `, ${days}`, `, ${formatDays(startDate, startDate)}`];
  return {
    title: titleWith(course.title, endings),
    description: metaDescription(
      `${course.title}, ${deliveryText(session)}, ${days}.`,
      `${session.times} each day, with ${session.instructor}.`,
      `${formatMoney(course.priceCents)} incl. GST.`,
      'See the seats left, and enrol.',
    ),
  };
}

function machines(session: SessionView, since: string | null) {
  const { course } = session;
  const facts = sessionFacts(session, since);
  const picture = sessionPicture(session);
  const path = href('/share/:kind/:file', { kind: 'session', file: `${session.slug}.png` });
  const trail = [
    { name: 'Training Calendar', path: href('/training-calendar') },
    { name: course.title, path: facts.path },
  ];
  return {
    picture: { path, picture },
    data: (baseUrl: string) =>
      graph(sessionEvent(baseUrl, facts, { ...course, image: versioned(path, picture) }), breadcrumbs(baseUrl, trail)),
  };
}

export default function TrainingSessionPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  return (
    <LiveSeatsProvider>
      <SessionPage {...loaderData} />
    </LiveSeatsProvider>
  );
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']>;

function SessionPage({ session: shown, days, teacher, attending }: Loaded) {
  const session = useLiveSeats(shown);
  const { course } = session;
  const count = daysBetween(session.startDate, session.endDate) + 1;
  return (
    <article>
      <PageHead
        title={course.title}
        lead={`${formatDays(session.startDate, session.endDate)}, ${deliveryText(session)}`}
      />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:py-16">
        <div className="grid content-start gap-12">
          <section>
            <h2 className="text-3xl">When and how</h2>
            <SessionFacts session={session} />
            <OwnTimesAtOnce />
            <p className="mt-5 max-w-prose">
              {count === 1 ? 'One day' : `${count} days in a row`}, {session.times}
              {count > 1 && ' each day'}
              {session.breakMinutes > 0 && `, with ${session.breakMinutes} minutes of breaks`}. {placeText(session)} The
              course takes {formatSessionHours(session)}.
            </p>
            <Decision session={session} />
            {session.standing !== 'done' && session.standing !== 'cancelled' && (
              <p className="no-print mt-4">
                <a
                  href={href('/training-calendar/:sessionId/session.ics', { sessionId: session.slug })}
                  className="font-bold text-link underline underline-offset-4"
                >
                  Add to your calendar (.ics)
                </a>
              </p>
            )}
          </section>
          <section>
            <h2 className="text-3xl">Day by day</h2>
            <SessionDays days={days} />
          </section>
          <section>
            <h2 className="text-3xl">How to join and what to bring</h2>
            {attending.map(({ where, joining, bring }) => (
              <div key={where} className="mt-5">
                <h3 className="text-xl">{where}</h3>
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
              .{session.delivery !== 'online' && ' You arrange your own travel and a place to stay.'}
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
        <SessionPrice session={session} />
      </div>
    </article>
  );
}

/** From how many people on it is held and until when one can enrol; what is not confirmed costs nothing yet (P39). */
function Decision({ session }: { session: SessionView }) {
  const { standing, state, minimum, enrolmentEnds } = session;
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

function placeText({ delivery, venue, room, street }: TrainingSession): string {
  if (delivery === 'online') return 'It is taught live online.';
  const where = [room, street].filter((part) => part !== null).join(', ');
  const address = where ? `The room: ${where}.` : 'We email you the room and street before the first day.';
  return delivery === 'both'
    ? `Attend live online or in our rooms in ${venue}; you don’t have to choose until the day. ${address}`
    : `It is taught in person in ${venue}. ${address}`;
}
