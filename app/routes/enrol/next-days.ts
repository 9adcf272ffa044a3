import { howToJoin } from '#app/emails/enrolment-placed.ts';
import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { type Charged, purchasesOf, refundable } from '#app/features/enrolments/purchases.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { refundSteps } from '#app/features/money/refund.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { formatTime, zoneAbbreviation } from '#app/lib/wall-clock.ts';

/** A day on which something happens after one has enrolled. */
export type NextDay = { when: string; what: string[] };

type Now = Pick<Moment, 'now' | 'today'> & {
  /** The due day; null while nothing is due. */
  dueOn: Day | null;
  charged: Charged;
};

/**
 * What happens next, day by day (P31, P39, P40): the mails of today, when the date is decided, when the invoice is due,
 * until when cancelling brings how much, and the first day.
 */
export function nextDays(
  enrolment: Enrolment,
  places: readonly Place[],
  { now, today, dueOn, charged }: Now,
): NextDay[] {
  const days: { day: Day; what: string; when?: string }[] = [];
  if (places.some(({ attendee }) => attendee.email !== null && attendee.email !== enrolment.email)) {
    days.push({
      day: today,
      what: 'We email everyone whose address you gave us the dates and their own link, without prices.',
    });
  }
  if (dueOn !== null) days.push({ day: dueOn, what: 'The invoice is due. We’ll email you when your payment arrives.' });
  const several = new Set(places.map(({ courseId }) => courseId)).size > 1;
  const groupByDate = Map.groupBy(places, ({ courseId, courseDate, guidedFrom }) =>
    [courseId, courseDate?.id, guidedFrom].join(),
  ).values();
  for (const [place] of groupByDate) {
    if (!place) continue;
    const of = several ? ` of ${place.courseTitle}` : '';
    if (place.way === 'guided') {
      days.push({ day: place.guidedFrom, what: `Guided study${of} begins.` });
      days.push({ day: accessEndsOn(place.guidedFrom), what: `Last day of access to the modules${of}.` });
    }
    if (place.way !== 'date') continue;
    const { startsOn, startsAt, zone, instructor, state, decidedBy } = place.courseDate;
    if (state === 'tentative' && decidedBy !== null)
      days.push({
        day: decidedBy,
        what: `We decide by this day whether the date${of} goes ahead, and email you. Until then nothing is due.`,
      });
    days.push({
      day: startsOn,
      when: `${formatDay(startsOn)}, ${formatTime(startsAt)} ${zoneAbbreviation(zone, startsOn)}`,
      what: `First day${of}, with ${instructor}.`,
    });
    days.push({ day: startsOn, what: howToJoin });
  }
  const bought = purchasesOf(enrolment, today).map((one) => refundable(one, { charged, today }));
  const each = bought.length > 1 ? ' each' : '';
  // Guided study alone gives back by modules and not by days.
  const byDays = bought.filter(({ combo, courses }) => combo || courses[0]?.study.way === 'date');
  for (const { lastDay, cents } of byDays.flatMap((one) => refundSteps(one, now))) {
    if (lastDay === null || cents === 0) continue;
    days.push({ day: lastDay, what: `Last day to cancel for ${formatMoney(cents)}${each} back.` });
  }
  const byDay = Map.groupBy(
    days.toSorted((a, b) => compareText(a.day, b.day)),
    ({ day }) => day,
  );
  return [...byDay].map(([day, all]) => ({
    when: day === today ? 'Today' : (all.find(({ when }) => when)?.when ?? formatDay(day)),
    what: [...new Set(all.map(({ what }) => what))],
  }));
}
