import { href, Link } from 'react-router';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { shortWeekday } from '#app/lib/short-dates.ts';
import { Medal } from '#app/ui/medal.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import { EnrolLink, Instead, SeatsAndDecision, standingText } from './course-date-state.tsx';
import type { CourseDateView } from './course-date-view.ts';
import { useLiveSeats } from './live-seats.tsx';
import { OwnTime } from './own-time.tsx';

/** One course date in the list, as a row: its days, its facts, price and seats, and the links to enrol and to its page. */
export function CourseDateRow({ courseDate: shown }: { courseDate: CourseDateView }) {
  const courseDate = useLiveSeats(shown);
  const { course, standing, seatsAvailable } = courseDate;
  const days = formatDays(courseDate.startDate, courseDate.endDate);
  const label = `${course.title}, ${days}`;
  return (
    <article className="grid grid-cols-[3.75rem_minmax(0,1fr)] items-start gap-x-4 gap-y-3 py-4 sm:grid-cols-[4.5rem_minmax(0,1fr)_auto]">
      <p className="tabular leading-tight">
        <span className="sr-only">{days}</span>
        <b aria-hidden="true" className="block font-display text-xl font-bold whitespace-nowrap">
          {dayNumbers(courseDate.startDate, courseDate.endDate)}
        </b>
        <span aria-hidden="true" className="text-sm whitespace-nowrap text-mute">
          {weekdays(courseDate.startDate, courseDate.endDate)}
        </span>
      </p>
      <div className="min-w-0">
        <h4 className="flex items-start gap-2 font-display text-lg leading-snug font-bold">
          <span className="mt-1">
            <Medal tier={course.tier} />
          </span>
          <span>
            <Unbroken text={course.title} />
          </span>
        </h4>
        <p className="tabular mt-1">
          <b className="font-bold">{deliveryText(courseDate)}</b>, {courseDate.times}
          <OwnTime times={courseDate.ownTimes} />
        </p>
        <p className="text-mute">
          {course.level} · {courseDate.instructor}
          {standing !== 'cancelled' && ` · ${courseDate.decision}`}
        </p>
        {courseDate.keptSeats && <p className="text-mute">{courseDate.keptSeats}</p>}
        <Instead courseDate={courseDate} className="mt-1 max-w-prose" />
      </div>
      <div className="tabular flex flex-wrap items-center justify-between gap-x-5 gap-y-2 max-sm:col-span-2 sm:flex-nowrap sm:justify-end">
        <p className="leading-tight sm:text-right">
          <span className="block font-display text-lg font-bold">{formatMoney(course.priceCents)}</span>
          <span className="block text-sm text-mute">incl. GST</span>
          <span className="mt-0.5 block text-sm font-bold">
            {standing === 'open' ? `${seatsAvailable} available` : standingText(courseDate)}
          </span>
        </p>
        <div className="grid justify-items-center gap-0.5">
          <EnrolLink courseDate={courseDate} label={label} open="Enroll Now" />
          <Link
            to={href('/training-calendar/:courseDateId', { courseDateId: courseDate.slug })}
            prefetch="intent"
            aria-label={`View Details: ${label}`}
            className="py-1.5 font-bold whitespace-nowrap text-link underline-offset-4 hover:underline"
          >
            View Details
          </Link>
        </div>
      </div>
    </article>
  );
}

/** `7–11` of December, `28–1` across two months. */
const dayNumbers = (first: Day, last: Day) =>
  first === last ? String(Number(first.slice(8))) : `${Number(first.slice(8))}–${Number(last.slice(8))}`;

/** `Mon–Fri`. */
const weekdays = (first: Day, last: Day) =>
  first === last ? shortWeekday(first) : `${shortWeekday(first)}–${shortWeekday(last)}`;

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
