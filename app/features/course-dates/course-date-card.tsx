import { href, Link } from 'react-router';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Medal } from '#app/ui/medal.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { EnrolLink, Instead, SeatsAndDecision } from './course-date-state.tsx';
import type { CourseDateView } from './course-date-view.ts';
import { useLiveSeats } from './live-seats.tsx';
import { OwnTime } from './own-time.tsx';

/** One course date in the list, with its facts and the links to enrol and to its page. */
export function CourseDateCard({ courseDate: shown }: { courseDate: CourseDateView }) {
  const courseDate = useLiveSeats(shown);
  const { course } = courseDate;
  const label = `${course.title}, ${formatDays(courseDate.startDate, courseDate.endDate)}`;
  return (
    <article className="rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-72">
          <p className="font-bold text-link">{formatDays(courseDate.startDate, courseDate.endDate)}</p>
          <h3 className="mt-1 text-[1.375rem]">
            <Unbroken text={course.title} />
          </h3>
        </div>
        <p className="tabular sm:text-right">
          <span className="block font-display text-[1.375rem] leading-tight font-bold">
            {formatMoney(course.priceCents)}
          </span>
          <span className="text-sm text-mute">incl. GST</span>
        </p>
      </div>
      <CourseDateFacts courseDate={courseDate} />
      <Instead courseDate={courseDate} className="mt-4 max-w-prose" />
      <div className="mt-5 flex flex-wrap gap-3">
        <EnrolLink courseDate={courseDate} label={label} open="Enroll Now" />
        <Link
          to={href('/training-calendar/:courseDateId', { courseDateId: courseDate.slug })}
          prefetch="intent"
          aria-label={`View Details: ${label}`}
          className={button.quiet}
        >
          View Details
        </Link>
      </div>
    </article>
  );
}

/** Time, mode, instructor, seats, whether it is held, and level of a course date, as a list. */
export function CourseDateFacts({ courseDate }: { courseDate: CourseDateView }) {
  return (
    <ul className="tabular mt-4 flex flex-wrap gap-x-6 gap-y-1.5 text-mute">
      <li>
        {courseDate.times}
        <OwnTime times={courseDate.ownTimes} />
      </li>
      <li>{deliveryText(courseDate)}</li>
      <li>{courseDate.instructor}</li>
      <SeatsAndDecision courseDate={courseDate} seats={(count) => `${count} available`} />
      <li className="flex items-center gap-1.5">
        <Medal tier={courseDate.course.tier} />
        {courseDate.course.level}
      </li>
    </ul>
  );
}
