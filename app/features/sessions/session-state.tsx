import { href, Link } from 'react-router';
import { formatDayAndMonth } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import type { SessionView } from './session-view.ts';

/** Seats left and whether it is held, as items of a list. `seats` words the number. */
export function SeatsAndDecision({ session, seats }: { session: SessionView; seats: (count: number) => string }) {
  const { standing, decision } = session;
  return (
    <>
      <li className="font-bold text-ink">
        {standing === 'open' ? seats(session.seatsAvailable) : standingText(session)}
      </li>
      {session.keptSeats && <li className="basis-full">{session.keptSeats}</li>}
      {(standing === 'open' || standing === 'full' || standing === 'closed') && <li>{decision}</li>}
    </>
  );
}

/** The label of a session that does not simply take enrolments. */
function standingText({ standing, enrolmentEnds, endDate }: SessionView): string {
  switch (standing) {
    case 'open':
      return 'Open';
    case 'full':
      return 'Full';
    case 'closed':
      return `Enrolment closed on ${formatDayAndMonth(enrolmentEnds)}`;
    case 'running':
      return `Runs until ${formatDayAndMonth(endDate)}`;
    case 'done':
      return 'Over';
    case 'cancelled':
      return 'Cancelled';
  }
}

/** The link to enrol on this date, or to its waiting list when it is full; nothing when neither is possible. */
export function EnrolLink({ session, label, open }: { session: SessionView; label: string; open: string }) {
  const { standing, slug } = session;
  if (standing !== 'open' && standing !== 'full') return null;
  const text = standing === 'open' ? open : 'Join the waiting list';
  return (
    <Link
      to={`${standing === 'open' ? href('/enrol') : href('/waiting-list')}?session=${slug}`}
      aria-label={`${text}: ${label}`}
      className={`${button.primary} no-print`}
    >
      {text}
    </Link>
  );
}

/** The alternatives to enrolling in this session; nothing while it is open. */
export function Instead({ session, className }: { session: SessionView; className: string }) {
  const { standing, next, course } = session;
  if (standing === 'open') return null;
  return (
    <p className={className}>
      {standing === 'full' && 'Seats that become free are offered to the waiting list in order. '}
      {next ? (
        <>
          The next date with seats is{' '}
          <Link
            to={href('/training-calendar/:sessionId', { sessionId: next.slug })}
            className="font-bold text-link underline underline-offset-4"
          >
            {next.days}
          </Link>
          .
        </>
      ) : (
        <>
          No other date has seats.{' '}
          <Link
            to={`${href('/waiting-list')}?course=${course.slug}`}
            className="font-bold text-link underline underline-offset-4"
          >
            Tell me about dates
          </Link>
        </>
      )}
    </p>
  );
}
