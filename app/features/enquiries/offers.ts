import { comboPrice } from '#app/features/promotions/rules.ts';
import { upcomingSessions } from '#app/features/sessions/rules.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';

/** What one can enrol in: `item` is its name in a form, such as `session:cissp-melbourne`. */
export type Offer = {
  item: string;
  group: 'Training sessions' | 'Courses' | 'Combos';
  label: string;
  priceCents: Cents;
};

/** Everything on offer on a day: sessions to come, every course, every combo at its price of the moment. */
export function offersOf(snapshot: Snapshot, at: { today: string; promotionRuns: boolean }): Offer[] {
  return [
    ...upcomingSessions(snapshot.sessions, at.today).map(
      ({ slug, course, startDate, endDate, seatsAvailable, ...place }): Offer => ({
        item: `session:${slug}`,
        group: 'Training sessions',
        label: `${course.title}, ${formatDays(startDate, endDate)}, ${deliveryText(place)}, ${seatsAvailable} seats`,
        priceCents: course.priceCents,
      }),
    ),
    ...[...snapshot.courses]
      .sort((a, b) => a.card.title.localeCompare(b.card.title, 'en-AU'))
      .map(
        ({ card }): Offer => ({
          item: `course:${card.slug}`,
          group: 'Courses',
          label: card.title,
          priceCents: card.priceCents,
        }),
      ),
    ...snapshot.combos.map(
      (combo): Offer => ({
        item: `combo:${combo.slug}`,
        group: 'Combos',
        label: combo.title,
        priceCents: comboPrice(combo, at.promotionRuns).priceCents,
      }),
    ),
  ];
}

/** The offer as one line of a list: its name and its price. */
export function offerLine({ label, priceCents }: Offer): string {
  return `${label} (${formatMoney(priceCents)})`;
}
