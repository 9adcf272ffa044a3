import type { Enrolment, Place } from '#app/features/enrolments/enrolment.ts';
import { refundablePlace } from '#app/features/enrolments/refundable.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { refundSteps } from '#app/features/money/refund-ladder.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatTime, zoneAbbreviation } from '#app/lib/wall-clock.ts';

/** A day on which something happens after one has enrolled. */
export type NextDay = { when: string; what: string[] };

type Now = Pick<Moment, 'now' | 'today'> & {
  /** The due day; null while nothing is due. */
  dueOn: Day | null;
};

/**
 * What happens next, day by day (P31, P39, P40): the mails of today, when the date is decided, when the invoice is due,
 * until when cancelling brings how much, and the first day.
 */
export function nextDays(enrolment: Enrolment, places: readonly Place[], { now, today, dueOn }: Now): NextDay[] {
  const days: { day: Day; what: string; when?: string }[] = [];
  if (places.some(({ attendee }) => attendee.email !== null && attendee.email !== enrolment.email)) {
    days.push({
      day: today,
      what: 'We email everyone whose address you gave us the dates and their own link, without prices.',
    });
  }
  if (dueOn !== null) days.push({ day: dueOn, what: 'The invoice is due. We’ll email you when your payment arrives.' });
  const several = new Set(places.map(({ courseId }) => courseId)).size > 1;
  const alike = Map.groupBy(places, ({ courseId, session, guidedFrom }) =>
    [courseId, session?.id, guidedFrom].join(),
  ).values();
  for (const [place] of alike) {
    if (!place) continue;
    const of = several ? ` of ${place.courseTitle}` : '';
    if (place.way === 'guided') {
      days.push({ day: place.guidedFrom, what: `Guided study${of} begins.` });
      days.push({ day: accessEndsOn(place.guidedFrom), what: `Last day of access to the modules${of}.` });
    }
    if (place.way !== 'session') continue;
    const { startsOn, startsAt, zone, instructor, state, decidedBy } = place.session;
    if (state === 'tentative' && decidedBy !== null)
      days.push({
        day: decidedBy,
        what: `We decide by this day whether the date${of} goes ahead, and email you. Until then nothing is due.`,
      });
    for (const { lastDay, cents } of refundSteps(
      refundablePlace(enrolment, place, { now, chargedCents: place.amountCents }),
      now,
    )) {
      if (lastDay === null || cents === 0) continue;
      const share = cents === place.amountCents ? 'a full refund' : cents * 2 === place.amountCents ? 'half' : 'a part';
      days.push({ day: lastDay, what: `Last day to cancel${of} for ${share}.` });
    }
    days.push({
      day: startsOn,
      when: `${formatDay(startsOn)}, ${formatTime(startsAt)} ${zoneAbbreviation(zone, startsOn)}`,
      what: `First day${of}, with ${instructor}.`,
    });
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
