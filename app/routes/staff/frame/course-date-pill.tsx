import type { CourseDateForStaff } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { standings } from '#app/routes/staff/course-dates/course-date-remark.ts';
import { Pill } from '#app/ui/staff/typography.tsx';

const looks = {
  open: 'calm',
  full: 'calm',
  closed: 'over',
  running: 'calm',
  done: 'over',
  cancelled: 'alarm',
} as const;

/** The state of a course date, and whether it waits for a decision of staff (P39). */
export function CourseDatePill({
  courseDate,
}: {
  courseDate: Pick<CourseDateForStaff, 'standing' | 'state' | 'toDecide' | 'belowMinimum'>;
}) {
  const { standing, state, toDecide } = courseDate;
  return (
    <>
      {toDecide ? <Pill look="open">Decide now</Pill> : state === 'tentative' && <Pill look="calm">Not confirmed</Pill>}{' '}
      {courseDate.belowMinimum && <Pill look="open">Below minimum</Pill>}{' '}
      {(standing !== 'open' || state !== 'tentative') && <Pill look={looks[standing]}>{standings[standing]}</Pill>}
    </>
  );
}
