import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Logo } from '#app/ui/logo.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

type Line = {
  description: string;
  detail: string;
  quantity: number;
  priceCents: number;
  discountCents: number;
  discount: string | null;
  amountCents: number;
  later: boolean;
};

type Props = {
  number: string;
  issued: string;
  lastDay: string;
  /** Of its PDF. */
  file: string;
  /** Until when its seats are held now; null when they are not. */
  heldUntil: string | null;
  state: string;
  /** Whether the form that accepts it is on the page. */
  acceptable: boolean;
  facts: {
    seller: { name: string; tradingAs: string; abn: string; address: string };
    buyer: { name: string; organisation: string | null; abn: string | null; address: string | null };
    people: number;
    lines: readonly Line[];
    totalCents: number;
    gstCents: number;
    words: string | null;
    due: string;
  };
};

/** The quote as a sheet of paper: the same facts as its PDF, and what is held at this moment (P111). */
export function OfferSheet({ number, issued, lastDay, file, heldUntil, state, acceptable, facts }: Props) {
  const { seller, buyer, people, lines, totalCents, gstCents, words, due } = facts;
  return (
    <article aria-labelledby="offer-title" className="overflow-hidden rounded-card border border-line bg-card">
      <header className="on-satin flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b-[5px] border-straw bg-satin px-5 py-6 text-on-satin sm:px-8">
        <p className="flex items-center gap-2.5 font-display text-lg font-bold tracking-tight">
          <Logo className="size-9" />
          {seller.tradingAs}
        </p>
        <h1 id="offer-title" className="text-[1.75rem] text-straw outline-none sm:text-4xl" tabIndex={-1}>
          Quote {number}
        </h1>
      </header>
      <div className="grid gap-8 px-5 py-7 sm:px-8">
        <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
          <div className="grid content-start gap-5">
            <Party label="To">
              {buyer.organisation && <b className="block wrap-anywhere">{buyer.organisation}</b>}
              <span className={`block wrap-anywhere ${buyer.organisation ? '' : 'font-bold'}`}>{buyer.name}</span>
              {buyer.address && <span className="block whitespace-pre-line wrap-anywhere">{buyer.address}</span>}
              {buyer.abn && <span className="block">ABN {buyer.abn}</span>}
            </Party>
            <Party label="From">
              <b className="block">{seller.name}</b>
              <span className="block">ABN {seller.abn}</span>
              <span className="block">{seller.address}</span>
            </Party>
          </div>
          <dl className="tabular grid content-start gap-1.5 sm:justify-self-end">
            {(
              [
                ['Date', issued],
                ['Open until', lastDay],
                ['People', String(people)],
                ['Seats held until', state === 'sent' ? heldUntil && `${heldUntil}, Brisbane time` : null],
              ] as const
            ).map(
              ([name, value]) =>
                value && (
                  <div key={name} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3">
                    <dt className="text-mute">{name}</dt>
                    <dd className="font-semibold">{value}</dd>
                  </div>
                ),
            )}
          </dl>
        </div>
        {words && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{words}</p>}
        <div>
          <ul className="tabular border-t-2 border-ink">
            {lines.map((line) => (
              <li
                key={line.description}
                className="grid gap-x-6 gap-y-1 border-b border-line py-4 sm:grid-cols-[minmax(0,1fr)_auto]"
              >
                <div className="min-w-0">
                  <b className="block font-display text-lg leading-snug">
                    <Unbroken text={line.description} />
                  </b>
                  <span className="block text-mute">{line.detail}</span>
                  {line.discount && (
                    <span className="block text-mute">
                      {line.discount}: {formatMoney(line.priceCents)} less {formatMoney(line.discountCents)}
                    </span>
                  )}
                  {line.later && <span className="block text-mute">Invoiced once it has a date</span>}
                </div>
                <p className="sm:text-right">
                  <b className="text-lg">{formatMoney(line.amountCents)}</b>
                  <span className="text-mute max-sm:ml-3 sm:block">
                    {line.quantity} × {formatMoney(line.priceCents - line.discountCents)}
                  </span>
                </p>
              </li>
            ))}
          </ul>
          <dl className="tabular mt-4 ml-auto grid max-w-xs gap-1">
            <div className="flex items-baseline justify-between gap-6">
              <dt className="font-bold">Total incl. GST</dt>
              <dd className="font-display text-[1.75rem] leading-tight font-bold">{formatMoney(totalCents)}</dd>
            </div>
            <div className="flex justify-between gap-6 text-mute">
              <dt>GST in the total</dt>
              <dd>{formatMoney(gstCents)}</dd>
            </div>
          </dl>
        </div>
        <p className="border-t border-line pt-5 text-[0.9375rem] text-mute">
          {due} This is a quote and no tax invoice.
        </p>
        <p className="no-print flex flex-wrap gap-3">
          {acceptable && (
            <a href="#accept" className={`${button.primary} lg:hidden`}>
              Accept the quote
            </a>
          )}
          <a href={file} download className={button.quiet}>
            Save as PDF
          </a>
        </p>
      </div>
    </article>
  );
}

function Party({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <p className="mb-0.5 text-sm font-bold text-mute">{label}</p>
      {children}
    </div>
  );
}
