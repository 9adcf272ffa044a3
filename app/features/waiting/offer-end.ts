import type { LockedSession } from '#app/features/seats/commands.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { offerMs } from './rules.ts';

/** When an offer ends whose message was taken: 72 hours later, but not beyond the end of enrolment (P48). */
export function offerEnd(
  mailedAt: Date,
  { enrolmentEndsOn, startsOn }: Pick<LockedSession, 'enrolmentEndsOn' | 'startsOn'>,
): Date {
  const last = enrolmentEndsOn < startsOn ? enrolmentEndsOn : startsOn;
  const closes = instantOf(addDays(last, 1), '00:00', 'Australia/Brisbane').getTime();
  return new Date(Math.min(mailedAt.getTime() + offerMs, closes));
}
