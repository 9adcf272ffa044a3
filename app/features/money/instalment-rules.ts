import { addDays, type Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { shareOut } from '#app/lib/shares.ts';

/** A day and an amount that were agreed with a buyer (P83). */
export type Instalment = { dueOn: Day; cents: Cents };

/** At most as many as the form has rows. */
export const mostInstalments = 12;
/** The last one is due within a year. */
const longestDays = 366;

export type NotAgreed =
  | { ok: false; reason: 'none' | 'past' | 'order' | 'too-late' }
  /** They do not add up to the open amount. */
  | { ok: false; reason: 'sum'; sumCents: Cents; openCents: Cents };

/** Whether instalments can be agreed: they add up to the open part of the debt, and their days follow each other. */
export function checkInstalments(
  instalments: readonly Instalment[],
  { openCents, today }: { openCents: Cents; today: Day },
): NotAgreed | null {
  const [first] = instalments;
  const last = instalments.at(-1);
  if (!first || !last || instalments.length > mostInstalments) return { ok: false, reason: 'none' };
  if (first.dueOn < today) return { ok: false, reason: 'past' };
  if (instalments.some(({ dueOn }, at) => at > 0 && dueOn <= (instalments[at - 1]?.dueOn ?? dueOn))) {
    return { ok: false, reason: 'order' };
  }
  if (last.dueOn > addDays(today, longestDays)) return { ok: false, reason: 'too-late' };
  const sumCents = instalments.reduce((sum, { cents }) => sum + cents, 0);
  return sumCents === openCents ? null : { ok: false, reason: 'sum', sumCents, openCents };
}

/** Instalments of equal amounts, every so many days from the first day on; odd cents go to the first ones. */
export function equalInstalments(openCents: Cents, count: number, { from, days }: { from: Day; days: number }) {
  const amounts = shareOut(
    openCents,
    Array.from({ length: count }, () => 1),
  );
  return amounts.map((cents, at): Instalment => ({ dueOn: addDays(from, at * days), cents }));
}
