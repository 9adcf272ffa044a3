import type { RefundRow } from '#app/features/money/refund-words.ts';
import { formatMoney } from '#app/lib/money.ts';
import { StrawWall } from '#app/ui/straw-wall.tsx';

type Props = {
  /** `as`: whether a sum comes back or lowers a debt, for who has bought. */
  rows: readonly (RefundRow & { as?: string })[];
  /** The number of places for the larger amount. */
  places: number;
  /** Whether it is for one place of several. */
  each?: boolean;
  /** Whether the first step is marked as the one of now. */
  today?: boolean;
};

/** The refunds of a cancellation as walls of straw by date, with the amounts (P31, P40). */
export function RefundStraws({ rows, places, each = false, today = false }: Props) {
  return (
    <ol className="tabular grid gap-y-4 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
      {rows.map(({ word, day, near, cents, share, as = 'back' }, at) => (
        <li
          key={`${word} ${day}`}
          aria-current={today && at === 0 ? 'step' : undefined}
          className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-end gap-x-4 sm:grid-cols-1 sm:content-start"
        >
          <div className="border-b-2 border-ink sm:border-l-2">
            <StrawWall share={share} />
          </div>
          <p className="sm:mt-2 sm:pr-4">
            <span className="block text-[0.9375rem] text-mute">
              {word} <b className="text-ink">{near ?? day}</b>
              {today && at === 0 && <b className="ml-2 text-sm text-link">Now</b>}
            </span>
            <b className="block font-display text-xl leading-tight">
              {cents === 0 ? 'No refund' : `${formatMoney(cents * places)} ${as}`}
            </b>
            <span className="block text-sm text-mute">
              {cents > 0 && (places > 1 ? `${formatMoney(cents)} each` : each && 'for each person')}
            </span>
          </p>
        </li>
      ))}
    </ol>
  );
}
