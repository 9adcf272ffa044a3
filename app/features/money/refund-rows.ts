import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, formatDay } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { brisbaneTime, formatMoment } from '#app/lib/short-dates.ts';
import { wallClockAt } from '#app/lib/wall-clock.ts';
import { type RefundablePlace, refundSteps } from './refund-ladder.ts';

/** One step of the refund ladder as pages show it: `Until`, `Monday 13 October`, how much comes back for one place. */
export type RefundRow = {
  /** `Until`, `From`, or words without a day: `From now on`. */
  word: string;
  day: string;
  cents: Cents;
  /** The share of the charge for the place, from 0 to 1. */
  share: number;
  /** The higher refund on its last day until this time. */
  before: { cents: Cents; until: string } | null;
};

/** The refund ladder of a place by dates, from `now` on (P31, P40). Only for places with a date. */
export function refundRows(place: RefundablePlace, now: Date): RefundRow[] {
  const year = wallClockAt(academyZone, now).day.slice(0, 4);
  const steps = refundSteps(place, now);
  return steps.map(({ until, lastDay, cents, before }, at) => {
    const ended = steps[at - 1]?.lastDay ?? null;
    const when = until
      ? { word: 'Until', day: lastDay ? dayText(lastDay, year) : `${formatMoment(until)}, Brisbane time` }
      : ended
        ? { word: 'From', day: dayText(addDays(ended, 1), year) }
        : { word: at === 0 ? 'From now on' : 'After that', day: '' };
    return {
      ...when,
      cents,
      share: place.amountCents > 0 ? cents / place.amountCents : 0,
      before: before && { cents: before.cents, until: `${brisbaneTime(before.until)} Brisbane time` },
    };
  });
}

/** The year stands where it is another one. */
const dayText = (day: Day, year: string) => formatDay(day).replace(` ${year}`, '');
