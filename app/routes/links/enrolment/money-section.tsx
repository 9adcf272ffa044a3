import { href } from 'react-router';
import { dueShort } from '#app/features/money/open-invoice.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import type { MoneyRecords } from './money-records.server.ts';
import { PayByCard } from './pay-by-card.tsx';

/** What is owed, by when and how to pay it, and the documents (P32, P39). */
export function MoneySection({
  money,
  today,
  choosing,
  token,
  byCard,
}: {
  money: MoneyRecords;
  today: Day;
  /** Every date left was cancelled by the academy, and the buyer has not chosen. */
  choosing: boolean;
  token: string;
  /** Whether what is owed can be paid by card. */
  byCard: boolean;
}) {
  const { documents, paidCents, refundedCents } = money;
  return (
    <section className="rounded-card border border-line bg-card p-5 sm:p-6">
      <h2 className="text-2xl">Money</h2>
      <Owed money={money} today={today} choosing={choosing} />
      {byCard && !choosing && <PayByCard owedCents={money.balanceCents} token={token} />}
      {(paidCents > 0 || refundedCents > 0) && (
        <p className="mt-3 text-mute">
          {paidCents > 0 && `${formatMoney(paidCents)} received. `}
          {refundedCents > 0 && `${formatMoney(refundedCents)} refunded.`}
        </p>
      )}
      {documents.length > 0 && (
        <>
          <h3 className="mt-6 text-lg">Documents</h3>
          <ul className="tabular mt-2 grid">
            {documents.map(({ document, kind, number, issuedOn, totalCents, reason }) => (
              <li key={document} className="border-t border-line py-3">
                <a
                  href={href('/enrolment/:token/document/:file', { token, file: `${number.toLowerCase()}.pdf` })}
                  download
                  className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4 sm:min-h-0"
                >
                  {kind === 'tax-invoice' ? 'Tax invoice' : 'Adjustment note'} {number} (PDF)
                </a>
                <span className="block text-mute">
                  {formatDays(issuedOn, issuedOn)}, {kind === 'tax-invoice' ? '' : '−'}
                  {formatMoney(totalCents)} incl. GST
                </span>
                {reason && <span className="block text-mute">{reason}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Owed({
  money: { balanceCents, open, pay, documents },
  today,
  choosing,
}: {
  money: MoneyRecords;
  today: Day;
  choosing: boolean;
}) {
  if (balanceCents < 0) {
    return (
      <p className="mt-3">
        <b className="tabular font-display text-3xl">{formatMoney(-balanceCents)}</b> is yours. Our staff refund it to
        where it came from.
      </p>
    );
  }
  const [first, ...others] = open;
  if (!first || !pay) {
    return (
      <p className="mt-3">
        {documents.length > 0
          ? 'Nothing is owed.'
          : 'Nothing is owed. The tax invoice comes when the course has a date.'}
      </p>
    );
  }
  if (choosing || open.every(({ openCents, choosingCents }) => openCents === choosingCents)) {
    return (
      <p className="mt-3">
        <b className="tabular font-display text-3xl">{formatMoney(balanceCents)}</b> incl. GST is on the invoice. Choose
        first: you need not pay for a date that does not take place.
      </p>
    );
  }
  return (
    <>
      <p className="mt-3">
        <b className="tabular font-display text-3xl">{formatMoney(balanceCents)}</b> incl. GST is owed
        {others.length > 0 || first.choosingCents > 0 ? '.' : due(first, today)}
      </p>
      {(others.length > 0 || first.choosingCents > 0) && (
        <ul className="tabular mt-3 grid gap-2">
          {open.map((invoice) => (
            <li key={invoice.number}>
              <b>{invoice.number}</b>: {dueShort(invoice, today)}.
            </li>
          ))}
        </ul>
      )}
      <h3 className="mt-5 text-lg">Pay by bank transfer</h3>
      <dl className="tabular mt-2 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1">
        {[
          ['Name', pay.accountName],
          ['BSB', pay.bsb],
          ['Account', pay.accountNumber],
          ['Reference', pay.reference],
        ].map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-mute">{name}</dt>
            <dd className="font-bold wrap-anywhere select-all">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function due({ dueOn, printedDueOn }: MoneyRecords['open'][number], today: Day): string {
  if (dueOn === null) {
    return `, but nothing is due before the date is confirmed, and not before ${formatDay(printedDueOn)}.`;
  }
  return dueOn < today ? `. It was due on ${formatDay(dueOn)}.` : `, due by ${formatDay(dueOn)}.`;
}
