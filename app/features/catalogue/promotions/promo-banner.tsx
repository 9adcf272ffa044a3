import { type FormEvent, useEffect, useState } from 'react';
import { href, Link, useLocation } from 'react-router';
import { Sign } from '#app/ui/sign.tsx';
import { closedByScript } from './closed-banner.ts';
import { type TimeLeft, timeLeft } from './rules.ts';

export type Banner = {
  text: string;
  /** Instant, ISO in UTC. */
  endsAt: string;
  /** The end as text, in Brisbane time. */
  endsText: string;
  /** Only the day of the end, as text. */
  endsDay: string;
  /** How far the academy's clock is ahead of the visitor's. */
  aheadMs: number;
};

/** The promotion with a countdown. Screen readers get its end as text; the countdown is hidden from them (P16, P34). */
export function PromoBanner({ banner }: { banner: Banner }) {
  // Not rendered on the server, so that the page's bytes do not change every second.
  const [left, setLeft] = useState<TimeLeft | null>(null);
  const [closed, setClosed] = useState(false);
  const { pathname, search } = useLocation();

  useEffect(() => {
    const tick = () => setLeft(timeLeft(Date.parse(banner.endsAt) - Date.now() - banner.aheadMs));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [banner.endsAt, banner.aheadMs]);

  function close(event: FormEvent) {
    event.preventDefault();
    setClosed(true);
    document.documentElement.dataset.promoBanner = 'closed';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = closedByScript;
    // The focus moves to the element after the banner.
    document.querySelector<HTMLElement>('header a')?.focus();
  }

  const over = left !== null && Object.values(left).every((part) => part === 0);
  if (closed || over) return null;
  return (
    <aside aria-label="Promotion" className="promo-banner bg-straw text-on-straw">
      <div className="page flex flex-wrap items-center justify-center gap-x-3 gap-y-1 py-1.5 pr-14! max-sm:justify-start sm:gap-x-5 sm:py-2 relative">
        <p className="font-semibold max-sm:w-full max-sm:text-[clamp(0.8rem,4vw,1rem)] no-script:max-sm:w-auto">
          {banner.text}
          <span className="font-normal max-sm:sr-only no-script:max-sm:not-sr-only">, until {banner.endsDay}</span>
        </p>
        <p
          aria-hidden="true"
          title={`Ends ${banner.endsText}`}
          className={`tabular flex items-center gap-1 text-xs font-bold no-script:hidden sm:text-base ${left ? '' : 'invisible'}`}
        >
          <Unit value={left?.days} unit="d" />
          <Unit value={left?.hours} unit="h" />
          <Unit value={left?.minutes} unit="m" />
          <Unit value={left?.seconds} unit="s" />
        </p>
        <Link
          to={href('/combos')}
          className="inline-flex min-h-8 items-center rounded-full bg-on-straw px-3 text-xs font-bold whitespace-nowrap sm:min-h-9 sm:px-3.5 sm:text-sm tracking-wide text-white"
        >
          AVAIL NOW
        </Link>
        <form
          method="post"
          action={href('/promotion/close')}
          onSubmit={close}
          className="absolute right-2 top-1/2 -translate-y-1/2 sm:right-4"
        >
          <input type="hidden" name="to" value={pathname + search} />
          <button
            type="submit"
            aria-label="Close the promotion"
            className="flex size-11 items-center justify-center rounded-full"
          >
            <Sign name="close" className="size-5" />
          </button>
        </form>
      </div>
    </aside>
  );
}

function Unit({ value = 0, unit }: { value: number | undefined; unit: string }) {
  return (
    <>
      <span className="rounded-md bg-on-straw px-1 py-0.5 sm:px-1.5 text-straw">{String(value).padStart(2, '0')}</span>
      {unit}
    </>
  );
}
