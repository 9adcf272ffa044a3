import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import type { LockedSession } from '#app/features/seats/commands.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { offerMs } from './rules.ts';

/**
 * When an offer ends whose message was taken at a true time: 72 hours later, but not beyond the end of enrolment (P48).
 * Both are true times; the academy's clock may stand on a fixed day.
 */
export function offerEnd(
  mailedAt: Date,
  { enrolmentEndsOn, startsOn }: Pick<LockedSession, 'enrolmentEndsOn' | 'startsOn'>,
  { now, at }: Pick<Circumstances, 'now' | 'at'>,
): Date {
  const last = enrolmentEndsOn < startsOn ? enrolmentEndsOn : startsOn;
  const closes = instantOf(addDays(last, 1), '00:00', 'Australia/Brisbane').getTime() - now.getTime() + at.getTime();
  return new Date(Math.min(mailedAt.getTime() + offerMs, closes));
}
