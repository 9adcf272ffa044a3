import { academyZone } from '#app/lib/academy-day.ts';
import type { Clock } from '#app/lib/clock.ts';
import { brisbaneTime, lastInstant } from '#app/lib/short-dates.ts';
import type { Combos } from './assemble.ts';
import type { Banner } from './promo-banner.tsx';
import type { Promotion } from './promotion.ts';
import { isRunning, promotionText } from './rules.ts';

/** The current banner; null once the promotion is over. */
export function currentBanner(
  { promotion, combos }: Pick<Combos, 'combos'> & { promotion: Promotion },
  clock: Clock,
): Banner | null {
  const now = clock.now();
  if (!isRunning(promotion, now) || combos.length === 0) return null;
  const last = lastInstant(new Date(promotion.endsAt));
  return {
    text: promotionText(promotion, combos),
    endsAt: promotion.endsAt,
    endsText: `${dayFormat.format(last)} at ${brisbaneTime(last)} Brisbane time`,
    endsDay: dayFormat.format(last),
    aheadMs: clock.aheadMs,
  };
}

const dayFormat = new Intl.DateTimeFormat('en-AU', {
  timeZone: academyZone,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
