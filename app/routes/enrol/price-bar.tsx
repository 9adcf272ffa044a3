import type { ReactNode } from 'react';
import type { ChoicePrice } from '#app/features/money/pricing.ts';
import { formatMoney } from '#app/lib/money.ts';
import { Sign } from '#app/ui/sign.tsx';

/** Classes of the button that goes on. */
export const mainButton =
  'inline-flex min-h-12 w-full items-center justify-center rounded-control bg-action px-5 py-2 text-center leading-tight font-bold text-white hover:bg-action-hover lg:min-h-14 forced-colors:border';

type Props = {
  quote: ChoicePrice | null;
  /** The courses and their price. The page has it twice and shows one of them, so its heading takes an id. */
  summary: ((id: string) => ReactNode) | null;
  button: ReactNode;
  /** The label of the button, beside the form only. */
  note?: ReactNode;
  /** Only for the bar of a phone; beside the form is the summary. */
  barOnly?: boolean;
};

/**
 * The price and the button that goes on: a card that stays in sight beside the form; on a phone a bar at the bottom,
 * whose sum opens. On very low screens, such as at high zoom, it stays at the end of the page.
 */
export function PriceBar({ quote, summary, button, note, barOnly = false }: Props) {
  return (
    <aside
      aria-label="What you are enrolling in"
      className={`${barOnly ? 'lg:hidden' : ''} no-print z-20 max-lg:-mx-[clamp(1rem,4vw,3.5rem)] max-lg:border-t max-lg:border-line max-lg:bg-paper max-lg:px-[clamp(1rem,4vw,3.5rem)] max-lg:py-3 max-lg:[@media(min-height:30em)]:sticky max-lg:bottom-0`}
    >
      <div className="lg:sticky lg:top-6 lg:overflow-hidden lg:rounded-card lg:border lg:border-line lg:bg-card">
        <div className="max-lg:hidden">{summary?.('summary-beside')}</div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 lg:block lg:px-6 lg:pb-6">
          {quote && (
            <details className="group min-w-0 lg:hidden">
              <summary className="rounded-control">
                <span className="flex items-center gap-1.5 font-display text-xl font-bold">
                  {formatMoney(quote.totalCents)}
                  <Sign name="down" className="size-5 shrink-0 rotate-180 group-open:rotate-0" />
                </span>
                <span className="block text-sm text-mute">
                  incl. GST, AU$0 today, {quote.attendees} {quote.attendees === 1 ? 'person' : 'people'}
                </span>
              </summary>
              <div className="absolute inset-x-0 bottom-full max-h-[60vh] overflow-auto border-t border-line bg-card pb-5 shadow-float">
                {summary?.('summary-below')}
              </div>
            </details>
          )}
          <div className="grow basis-36 sm:max-lg:max-w-xs">{button}</div>
          {note && <div className="mt-3 text-sm text-mute max-lg:hidden">{note}</div>}
        </div>
      </div>
    </aside>
  );
}
