import type { QuestLine } from '#app/features/catalogue/catalogue.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Combo, Promotion } from './promotion.ts';

/** True until the instant the promotion ends; from then on its prices have reverted (P16). */
export function isRunning(promotion: Promotion, now: Date): boolean {
  return now.getTime() < Date.parse(promotion.endsAt);
}

/** "up to 30% off on Career Booster Combos": the largest discount there is (P17). */
export function promotionText(promotion: Promotion, combos: readonly Combo[]): string {
  const largest = Math.max(0, ...combos.map(({ discountPercent }) => discountPercent));
  return `up to ${largest}% off on ${promotion.subject}`;
}

export type ComboPrice = {
  /** The current price; while the promotion runs, rounded down to whole dollars. */
  priceCents: Cents;
  /** The sum of the courses' prices. */
  sumCents: Cents;
  savingCents: Cents;
};

/** The price of a combo: its courses' prices, less the discount while the promotion runs (P16, P17). */
export function comboPrice(
  combo: Pick<Combo, 'discountPercent'> & { courses: readonly { priceCents: Cents }[] },
  running: boolean,
): ComboPrice {
  const sumCents = combo.courses.reduce((sum, { priceCents }) => sum + priceCents, 0);
  const discounted = Math.floor((sumCents * (100 - combo.discountPercent)) / 10_000) * 100;
  const priceCents = running ? discounted : sumCents;
  return { priceCents, sumCents, savingCents: sumCents - priceCents };
}

/** Combos made only of courses of a quest line, with what each saves while the promotion runs. */
export function combosWithin(
  combos: readonly Combo[],
  { steps }: Pick<QuestLine, 'steps'>,
): { combo: Combo; savingCents: Cents }[] {
  const slugs = new Set(steps.map(({ course }) => course.slug));
  return combos
    .filter(({ courses }) => courses.every(({ slug }) => slugs.has(slug)))
    .map((combo) => ({ combo, savingCents: comboPrice(combo, true).savingCents }));
}

export type TimeLeft = { days: number; hours: number; minutes: number; seconds: number };

/** Splits a remaining time in milliseconds into units, rounded up to whole seconds; all zero once it is over. */
export function timeLeft(ms: number): TimeLeft {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}
