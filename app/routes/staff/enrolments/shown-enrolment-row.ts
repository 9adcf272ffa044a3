import type { Day } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { EnrolmentRow } from './enrolments.server.ts';

/** Of a course's title in a list. */
const mostTitle = 32;

/** An enrolment as its list shows it; `today` leaves the year out of this year's moments. */
export function shownEnrolmentRow(row: EnrolmentRow, today: Day) {
  const where = row.delivery && taughtText(row.delivery);
  const course = nameWithin(row.course, mostTitle);
  return {
    reference: row.reference,
    buyer: showControlCharacters(row.buyer),
    organisation: row.organisation && showControlCharacters(row.organisation),
    email: showControlCharacters(row.email),
    course: where ? `${course}, ${where}` : course,
    wholeCourse: where ? `${row.course}, ${where}` : row.course,
    starts: row.startsOn ? shortDate(row.startsOn) : '',
    places: row.places,
    total: formatCents(row.totalCents),
    owed: row.owedCents === 0 ? '0' : formatCents(row.owedCents),
    owes: row.owedCents !== 0,
    remark: row.remark,
    enrolled: formatMoment(row.enrolledAt).replace(` ${today.slice(0, 4)},`, ','),
    placedBy: row.placedBy,
  };
}
