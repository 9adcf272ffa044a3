import type { OriginalProof } from '#app/features/catalogue/catalogue.ts';
import { theBrief, theLedger } from '#app/features/catalogue/price-proofs.ts';
import { comboPrice, isRunning } from '#app/features/catalogue/promotions/rules.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';

/** The proofs of the shown original prices, and of the savings of combos while the promotion runs (P47, P76). */
export function priceProofs({ courses, combos, byId, promotion }: Snapshot, now: Date) {
  const shown = courses.flatMap(({ card, originalProof }) =>
    card.originalPriceCents !== null && originalProof !== null
      ? [{ slug: card.slug, title: card.title, original: formatMoney(card.originalPriceCents), ...originalProof }]
      : [],
  );
  const proved = shown.filter(({ proof }) => proof !== theBrief);
  const sinceOf = new Map([...byId.values()].map(({ card, priceSince }) => [card.slug, priceSince]));
  return {
    ofBrief: shown.length - proved.length,
    proved: proved.map(({ slug, title, original, proof, charged }) => ({
      slug,
      title,
      original,
      proof:
        proof === theLedger && charged.length > 0
          ? `We charged it ${charged.map(chargedInWords).join(' and ')}.`
          : `Shown by: ${proof}.`,
    })),
    combos: isRunning(promotion, now)
      ? combos.map((combo) => {
          const { priceCents, sumCents, savingCents } = comboPrice(combo, true);
          const since =
            combo.courses
              .map(({ slug }) => sinceOf.get(slug) ?? '')
              .toSorted()
              .at(-1) ?? '';
          return {
            slug: combo.slug,
            title: combo.title,
            courses: combo.courses.map(({ title, priceCents: cents }) => `${title} ${formatMoney(cents)}`).join(', '),
            text: `${formatMoney(sumCents)} apart, ${formatMoney(priceCents)} together: you save ${formatMoney(savingCents)}`,
            since: since && formatDays(since, since),
          };
        })
      : [],
  };
}

const chargedInWords = ({ from, until }: OriginalProof['charged'][number]): string =>
  from === until ? `on ${formatDays(from, until)}` : `from ${formatDays(from, until).replace(' to ', ' until ')}`;
