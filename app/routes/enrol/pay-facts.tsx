import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { CopyButton } from '#app/ui/copy-button.tsx';

type Props = { payment: TaxInvoiceFacts['payment']; amountCents: Cents };

/** The details of a bank transfer, each with a copy button; a press on a value selects it (P29). */
export function PayFacts({ payment: { accountName, bsb, accountNumber, reference }, amountCents }: Props) {
  const rows = [
    ['Amount', formatMoney(amountCents), (amountCents / 100).toFixed(2)],
    ['BSB', bsb, bsb],
    ['Account', accountNumber, accountNumber],
    ['Reference', reference, reference],
    ['Name', accountName, accountName],
  ] as const;
  return (
    <dl className="tabular">
      {rows.map(([name, shown, value], at) => (
        <div
          key={name}
          className="flex min-h-12 flex-wrap items-center gap-x-3 border-t border-line py-2 first:border-t-0 sm:gap-x-5"
        >
          <dt className="w-20 shrink-0 text-[0.9375rem] text-mute">{name}</dt>
          <dd className="flex min-w-0 grow basis-36 items-center justify-between gap-2">
            <span
              className={`min-w-0 wrap-anywhere select-all ${at === 0 ? 'font-display text-xl font-bold' : 'font-semibold'}`}
            >
              {shown}
            </span>
            <CopyButton value={value} what={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
