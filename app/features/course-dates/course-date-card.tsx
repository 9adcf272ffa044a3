import { href, Link } from 'react-router';
import { type Day, formatDays, shortMonth, shortWeekday } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
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
    <article className="grid grid-cols-1 items-start gap-x-3 min-[18rem]:grid-cols-[4rem_minmax(0,1fr)] gap-y-2 py-4 sm:grid-cols-[4.5rem_minmax(0,1fr)_auto] sm:gap-x-4">
      <p className="tabular leading-tight">
        <span className="sr-only">{days}</span>
        {dayNumbers(courseDate.startDate, courseDate.endDate).map((line, at, { length }) => (
          <b
            key={line}
            aria-hidden="true"
            className={`block font-display font-bold whitespace-nowrap ${length > 1 ? 'text-base leading-tight' : 'text-xl'}`}
          >
            {line}
            {at < length - 1 && '–'}
          </b>
        ))}
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
        <p className="tabular mt-1 max-sm:text-[0.9375rem] max-sm:leading-snug">
          <b className="font-bold">{deliveryText(courseDate)}</b>, {courseDate.times}
          <OwnTime times={courseDate.ownTimes} />
        </p>
        <p className="text-mute max-sm:text-[0.9375rem] max-sm:leading-snug">
          {course.level} · {courseDate.instructor}
          {standing !== 'cancelled' && ` · ${courseDate.decision}`}
        </p>
        {courseDate.keptSeats && <p className="text-mute">{courseDate.keptSeats}</p>}
        <Instead courseDate={courseDate} className="mt-1 max-w-prose max-sm:text-[0.9375rem] max-sm:leading-snug" />
      </div>
      <div className="tabular grid grid-cols-[auto_auto_1fr] items-center gap-x-5 max-sm:col-span-full max-[18rem]:flex max-[18rem]:flex-wrap sm:grid-cols-[auto_auto] sm:justify-items-end">
        {(standing === 'open' || standing === 'full') && (
          <p className="leading-tight max-sm:col-span-2 sm:text-right">
            <b className="font-display text-lg font-bold sm:block">{formatMoney(course.priceCents)}</b>{' '}
            <span className="text-sm text-mute min-[22rem]:whitespace-nowrap">incl. GST</span>
          </p>
        )}
        <p className="text-sm font-bold max-sm:row-start-2 sm:col-start-1 sm:row-start-2">
          {standing === 'open' ? `${seatsAvailable} available` : standingText(courseDate)}
        </p>
        <div className="max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:justify-self-end sm:col-start-2">
          <EnrolLink courseDate={courseDate} label={label} open="Enroll Now" />
        </div>
        <Link
          to={href('/training-calendar/:courseDateId', { courseDateId: courseDate.slug })}
          prefetch="intent"
          aria-label={`View Details: ${label}`}
          className="py-1.5 font-bold whitespace-nowrap text-link underline-offset-4 hover:underline max-sm:row-start-2 sm:col-start-2 sm:row-start-2 sm:justify-self-center"
        >
          View Details
        </Link>
      </div>
    </article>
  );
}

/** `7–11`; across two months a line for each end, `28 Nov` and `1 Dec`. */
function dayNumbers(first: Day, last: Day): string[] {
  const [from, to] = [Number(first.slice(8)), Number(last.slice(8))];
  if (first === last) return [String(from)];
  if (first.slice(0, 7) === last.slice(0, 7)) return [`${from}–${to}`];
  return [`${from} ${shortMonth(first)}`, `${to} ${shortMonth(last)}`];
}

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
