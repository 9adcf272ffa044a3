import { href } from 'react-router';
import { daysBetween } from '#app/lib/dates.ts';
import { timeWithOffset } from '#app/lib/wall-clock.ts';
import type { CourseDateFacts } from '#app/seo/structured-courses.ts';
import type { CourseDateView } from './course-date-view.ts';

/** A course date as its structured data has it; `onSaleSince` is an instant, where it is known. */
export function courseDateFacts(courseDate: CourseDateView, onSaleSince: string | null = null): CourseDateFacts {
  const { slug, startDate, endDate, startTime, endTime, zone, delivery, venue, instructor } = courseDate;
  const { seatsAvailable, standing, enrolmentEnds } = courseDate;
  const path = href('/training-calendar/:courseDateId', { courseDateId: slug });
  const enrols = standing === 'open' || standing === 'full';
  return {
    path,
    enrolPath: enrols ? `${href('/enrol')}?courseDate=${slug}` : path,
    startsAt: timeWithOffset(startDate, startTime, zone),
    endsAt: timeWithOffset(endDate, endTime, zone),
    days: daysBetween(startDate, endDate) + 1,
    startTime,
    endTime,
    zone,
    delivery,
    venue,
    instructor,
    seatsAvailable,
    standing,
    enrolmentEnds,
    onSaleSince,
  };
}
