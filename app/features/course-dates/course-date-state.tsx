import { href, Link } from 'react-router';
import { formatDayAndMonth } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import type { CourseDateView } from './course-date-view.ts';

/** Seats left and whether it is held, as items of a list. `seats` words the number. */
export function SeatsAndDecision({
  courseDate,
  seats,
}: {
  courseDate: CourseDateView;
  seats: (count: number) => string;
}) {
  const { standing, decision } = courseDate;
  return (
    <>
      <li className="font-bold text-ink">
        {standing === 'open' ? seats(courseDate.seatsAvailable) : standingText(courseDate)}
      </li>
      {courseDate.keptSeats && <li className="basis-full">{courseDate.keptSeats}</li>}
      {(standing === 'open' || standing === 'full' || standing === 'closed') && <li>{decision}</li>}
    </>
  );
}

/** The label of a course date that does not simply take enrolments. */
export function standingText({ standing, enrolmentEnds, endDate }: CourseDateView): string {
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
export function EnrolLink({ courseDate, label, open }: { courseDate: CourseDateView; label: string; open: string }) {
  const { standing, slug } = courseDate;
  if (standing !== 'open' && standing !== 'full') return null;
  const text = standing === 'open' ? open : 'Join the waiting list';
  return (
    <Link
      to={`${standing === 'open' ? href('/enrol') : href('/waiting-list')}?courseDate=${slug}`}
      aria-label={`${text}: ${label}`}
      className={`${button.primary} no-print whitespace-nowrap max-[22rem]:whitespace-normal`}
    >
      {text}
    </Link>
  );
}

/** The alternatives to enrolling in this course date; nothing while it is open. */
export function Instead({ courseDate, className }: { courseDate: CourseDateView; className: string }) {
  const { standing, next, course } = courseDate;
  if (standing === 'open') return null;
  return (
    <p className={className}>
      {standing === 'full' && 'Seats that become free are offered to the waiting list in order. '}
      {next ? (
        <>
          The next date with seats is{' '}
          <Link
            to={href('/training-calendar/:courseDateId', { courseDateId: next.slug })}
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
