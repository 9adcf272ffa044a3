import { formatMoney } from '#app/lib/money.ts';
import type { CourseCard } from './catalogue.ts';

/** The price of a course with "incl. GST" beside it, and the original price when it was higher (P2). */
export function Price({ card, onSatin = false }: { card: CourseCard; onSatin?: boolean }) {
  const mute = onSatin ? 'text-on-satin-mute' : 'text-mute';
  return (
    <p className="tabular flex flex-wrap items-baseline gap-x-2.5">
      <span className="font-display text-[min(2rem,14vw)] leading-tight font-bold">{formatMoney(card.priceCents)}</span>
      {card.originalPriceCents !== null && (
        <>
          <span className="sr-only">originally</span>
          <s className={`text-lg ${mute}`}>{formatMoney(card.originalPriceCents)}</s>
        </>
      )}
      <span className={`text-sm ${mute}`}>incl. GST</span>
    </p>
  );
}
