import { href, Link } from 'react-router';
import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import { daysBetween, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { useLiveSeats } from './live-seats.tsx';
import { OwnTime } from './own-time.tsx';
import { formatSessionHours, formatSessionTime } from './rules.ts';
import { EnrolLink, Instead, SeatsAndDecision } from './session-state.tsx';
import type { SessionView } from './session-view.ts';

/** The dates of a course to come, each with its own way to enrol; without any, what one can do (P18). */
export function CourseDates({ course, sessions }: { course: CourseCard; sessions: readonly SessionView[] }) {
  return (
    <section id="dates">
      <h2 className="text-3xl">Dates</h2>
      {sessions.length > 0 && (
        <ul className="mt-5 grid gap-4">
          {sessions.map((session) => (
            <li key={session.slug}>
              <CourseDate session={session} />
            </li>
          ))}
        </ul>
      )}
      <p className="mt-5 max-w-prose">
        {sessions.length > 0
          ? 'No date that suits you?'
          : 'No date is set for this course at the moment. You can ask for a place all the same: staff offer you a date, and nothing is owed until you have agreed to it.'}
      </p>
      <div className="no-print mt-4 flex flex-wrap gap-3">
        <Link to={`${href('/enrol')}?course=${course.slug}`} className={button.quiet}>
          {sessions.length > 0 ? 'Ask for another date' : 'Ask for a place'}
        </Link>
        <Link
          to={`${href('/contact')}?interest=corporate-training&about=course:${course.slug}`}
          className={button.quiet}
        >
          Request Custom Training
        </Link>
      </div>
    </section>
  );
}

function CourseDate({ session: shown }: { session: SessionView }) {
  const session = useLiveSeats(shown);
  const days = formatDays(session.startDate, session.endDate);
  const count = daysBetween(session.startDate, session.endDate) + 1;
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="min-w-0 grow basis-72">
        <h3 className="text-xl">
          <Link
            to={href('/training-calendar/:sessionId', { sessionId: session.slug })}
            prefetch="intent"
            className="text-link underline-offset-4 hover:underline"
          >
            {days}
          </Link>
        </h3>
        <ul className="tabular mt-2 flex flex-wrap gap-x-6 gap-y-1 text-mute">
          <li className="font-bold text-ink">{deliveryText(session)}</li>
          <li>
            {count === 1 ? '' : `${count} days, `}
            {formatSessionTime(session)}
            <OwnTime session={session} />
          </li>
          <SeatsAndDecision
            session={session}
            seats={(count) => (count === 1 ? '1 seat left' : `${count} seats left`)}
          />
          <li>{formatMoney(session.course.priceCents)} incl. GST</li>
          <li>Hours {formatSessionHours(session)}</li>
        </ul>
        <Instead session={session} className="mt-3 max-w-prose" />
      </div>
      <EnrolLink session={session} label={days} open="Enrol for this date" />
    </article>
  );
}
