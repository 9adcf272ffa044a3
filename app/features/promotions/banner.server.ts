import { academyZone } from '#app/lib/academy-day.ts';
import type { Clock } from '#app/lib/clock.ts';
import { brisbaneTime } from '#app/lib/short-dates.ts';
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
  const ends = new Date(promotion.endsAt);
  return {
    text: promotionText(promotion, combos),
    endsAt: promotion.endsAt,
    endsText: `${dayFormat.format(ends)} at ${brisbaneTime(ends)} Brisbane time`,
    endsDay: dayFormat.format(ends),
    aheadMs: clock.aheadMs,
  };
}

const dayFormat = new Intl.DateTimeFormat('en-AU', {
  timeZone: academyZone,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
