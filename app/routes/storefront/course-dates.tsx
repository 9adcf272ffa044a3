import { href, Link } from 'react-router';
import { useLiveSeats } from '#app/features/sessions/live-seats.tsx';
import { OwnTime, OwnTimesAtOnce } from '#app/features/sessions/own-time.tsx';
import { formatSessionHours } from '#app/features/sessions/rules.ts';
import { EnrolLink, Instead, SeatsAndDecision } from '#app/features/sessions/session-state.tsx';
import type { SessionView } from '#app/features/sessions/session-view.ts';
import { daysBetween, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';

/** The dates of a course to come, each with its own way to enrol (P18). */
export function CourseDates({ sessions }: { sessions: readonly SessionView[] }) {
  return (
    <>
      <ul className="mt-4 grid gap-4">
        {sessions.map((session) => (
          <li key={session.slug}>
            <CourseDate session={session} />
          </li>
        ))}
      </ul>
      <OwnTimesAtOnce />
    </>
  );
}

function CourseDate({ session: shown }: { session: SessionView }) {
  const session = useLiveSeats(shown);
  const days = formatDays(session.startDate, session.endDate);
  const count = daysBetween(session.startDate, session.endDate) + 1;
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="min-w-0 grow basis-72">
        <h4 className="font-display text-xl font-bold">
          <Link
            to={href('/training-calendar/:sessionId', { sessionId: session.slug })}
            prefetch="intent"
            className="text-link underline-offset-4 hover:underline"
          >
            {days}
          </Link>
        </h4>
        <ul className="tabular mt-2 flex flex-wrap gap-x-6 gap-y-1 text-mute">
          <li className="font-bold text-ink">{deliveryText(session)}</li>
          <li>
            {count === 1 ? '' : `${count} days, `}
            {session.times}
            <OwnTime times={session.ownTimes} />
          </li>
          <SeatsAndDecision
            session={session}
            seats={(count) => (count === 1 ? '1 seat left' : `${count} seats left`)}
          />
          <li>{formatMoney(session.course.priceCents)} incl. GST</li>
          <li>{formatSessionHours(session)}</li>
        </ul>
        <Instead session={session} className="mt-3 max-w-prose" />
      </div>
      <EnrolLink session={session} label={days} open="Enrol for this date" />
    </article>
  );
}
