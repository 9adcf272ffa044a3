import { href, Link } from 'react-router';
import { Price } from '#app/features/catalogue/price.tsx';
import { EnrolLink, Instead } from '#app/features/course-dates/course-date-state.tsx';
import type { CourseDateView } from '#app/features/course-dates/course-date-view.ts';
import { formatDayAndMonth, formatDays } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';

/** The price of a course date, the seats left, and the button to enrol. */
export function CourseDatePrice({ courseDate }: { courseDate: CourseDateView }) {
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

/** The seats that are left, one mark each; the number stands above it. */
function Seats({ count }: { count: number }) {
  return (
    <p className="mt-2 flex flex-wrap gap-1.5" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => `seat ${at}`).map((seat) => (
        <span key={seat} className="size-3.5 rotate-45 rounded-[3px] bg-link" />
      ))}
    </p>
  );
}
