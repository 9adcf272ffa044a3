import { href, Link } from 'react-router';
import { EnrolLink, Instead, SeatsAndDecision } from '#app/features/course-dates/course-date-state.tsx';
import type { CourseDateView } from '#app/features/course-dates/course-date-view.ts';
import { useLiveSeats } from '#app/features/course-dates/live-seats.tsx';
import { OwnTime, OwnTimesAtOnce } from '#app/features/course-dates/own-time.tsx';
import { formatCourseDateHours } from '#app/features/course-dates/rules.ts';
import { daysBetween, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';

/** The dates of a course to come, each with its own way to enrol (P18). */
export function CourseDates({ courseDates }: { courseDates: readonly CourseDateView[] }) {
  return (
    <>
      <ul className="mt-4 grid gap-4">
        {courseDates.map((courseDate) => (
          <li key={courseDate.slug}>
            <CourseDate courseDate={courseDate} />
          </li>
        ))}
      </ul>
      <OwnTimesAtOnce />
    </>
  );
}

function CourseDate({ courseDate: shown }: { courseDate: CourseDateView }) {
  const courseDate = useLiveSeats(shown);
  const days = formatDays(courseDate.startDate, courseDate.endDate);
  const count = daysBetween(courseDate.startDate, courseDate.endDate) + 1;
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="min-w-0 grow basis-72">
        <h4 className="font-display text-xl font-bold">
          <Link
            to={href('/training-calendar/:courseDateId', { courseDateId: courseDate.slug })}
            prefetch="intent"
            className="text-link underline-offset-4 hover:underline"
          >
            {days}
          </Link>
        </h4>
        <ul className="tabular mt-2 flex flex-wrap gap-x-6 gap-y-1 text-mute">
          <li className="font-bold text-ink">{deliveryText(courseDate)}</li>
          <li>
            {count === 1 ? '' : `${count} days, `}
            {courseDate.times}
            <OwnTime times={courseDate.ownTimes} />
          </li>
          <SeatsAndDecision
            courseDate={courseDate}
            seats={(count) => (count === 1 ? '1 seat left' : `${count} seats left`)}
          />
          <li>{formatMoney(courseDate.course.priceCents)} incl. GST</li>
          <li>{formatCourseDateHours(courseDate)}</li>
        </ul>
        <Instead courseDate={courseDate} className="mt-3 max-w-prose" />
      </div>
      <EnrolLink courseDate={courseDate} label={days} open="Enrol for this date" />
    </article>
  );
}
