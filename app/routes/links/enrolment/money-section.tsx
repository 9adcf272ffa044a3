import type { ComponentProps, ReactNode } from 'react';
import { href } from 'react-router';
import type { MoneyRecords } from '#app/features/enrolments/account.server.ts';
import {
  type CardPayment,
  dueShort,
  duesOf,
  nextPayment,
  owedAgain,
  owedAgainText,
  waitsForChoice,
} from '#app/features/money/open-invoice.ts';
import { type Day, formatDay, formatDays } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { PayFacts } from '#app/routes/enrol/pay-facts.tsx';
import { StrawWall } from '#app/ui/straw-wall.tsx';
import { PayByCard } from './pay-by-card.tsx';

type Props = {
  money: MoneyRecords;
  today: Day;
  /** Every date left was cancelled by the academy, and the buyer has not chosen. */
  choosing: boolean;
  token: string;
  /** The amounts that can be paid by card. */
  byCard: readonly CardPayment[];
};

/** The amount owed, its due day and how to pay it; the straw fills up with payments (P32, P39). */
export function PayCard({ money, today, choosing, token, byCard }: Props) {
  const { paidCents, refundedCents, disputedCents, balanceCents } = money;
  const kept = paidCents - refundedCents;
  return (
    <section className="rounded-card border border-line bg-card px-5 py-4 sm:px-6" aria-label="To pay">
      <Owed money={money} today={today} choosing={choosing}>
        {kept > 0 && balanceCents > 0 && (
          <div className="mt-4">
            <StrawWall share={kept / (kept + balanceCents)} filled />
          </div>
        )}
        {(paidCents > 0 || refundedCents > 0) && (
          <p className="mt-1 text-[0.9375rem] text-mute">
            {paidCents > 0 && `${formatMoney(paidCents)} received. `}
            {refundedCents > disputedCents && `${formatMoney(refundedCents - disputedCents)} refunded. `}
            {disputedCents > 0 && `The bank of the card took ${formatMoney(disputedCents)} back.`}
          </p>
        )}
      </Owed>
      {!choosing && money.onItsWayCents === 0 && <PayByCard payments={byCard} today={today} token={token} />}
    </section>
  );
}

/** The tax invoices and adjustment notes of an enrolment (P30). */
export function Documents({ money: { documents }, token }: Pick<Props, 'money' | 'token'>) {
  if (documents.length === 0) return null;
  return (
    <section>
      <h2 className="text-xl">Documents</h2>
      <ul className="tabular mt-2 grid">
        {documents.map(({ document, kind, number, issuedOn, totalCents, reason }) => (
          <li key={document} className="border-b border-line py-3">
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
    </section>
  );
}

type OwedProps = Pick<Props, 'money' | 'today' | 'choosing'> & {
  /** The payments so far. */
  children: ReactNode;
};

function Owed({ money, today, choosing, children }: OwedProps) {
  const { balanceCents, open, pay, documents, paidCents, onItsWayCents } = money;
  if (balanceCents < 0) {
    return (
      <>
        <Amount title="Refund on its way" cents={-balanceCents} />
        <p>We refund it to where it came from, and email you when it is sent.</p>
        {children}
      </>
    );
  }
  if (onItsWayCents > 0) {
    return (
      <>
        <Amount title="On its way by card" cents={onItsWayCents} />
        <p>
          You completed this payment, and we are waiting for Stripe to tell us that it has arrived. You don’t need to
          pay it again.
          {balanceCents > onItsWayCents &&
            ` After it, ${formatMoney(balanceCents - onItsWayCents)} is still to pay. This page shows how once it is here.`}
        </p>
        {children}
      </>
    );
  }
  const [first, ...others] = open;
  const again = owedAgain(balanceCents, open);
  if (!first && pay && again > 0) {
    return (
      <>
        <Amount title="Still to pay" cents={again} />
        <p>{owedAgainText(again)}</p>
        {children}
        <ByTransfer payment={pay} amountCents={again} />
      </>
    );
  }
  if (!first || !pay) {
    return (
      <>
        <h2 className="text-xl">{paidCents > 0 ? 'Paid' : 'Nothing to pay'}</h2>
        <p className="mt-1">
          {documents.length > 0
            ? 'Nothing is owed.'
            : 'You owe nothing. We’ll email your tax invoice when the course has a date.'}
        </p>
        {children}
      </>
    );
  }
  if (choosing || waitsForChoice(open)) {
    return (
      <>
        <Amount title="On the invoice" cents={balanceCents} />
        <p>Choose first. You don’t pay for a cancelled date.</p>
        {children}
      </>
    );
  }
  return (
    <>
      <Amount title="Still to pay" cents={balanceCents} />
      {others.length > 0 || first.choosingCents > 0 ? (
        <ul className="tabular mt-2 grid gap-2">
          {open.map((invoice) => (
            <li key={invoice.number}>
              <b>{invoice.number}</b>: {dueShort(invoice, today)}.
            </li>
          ))}
        </ul>
      ) : duesOf(first).length > 1 ? (
        <Instalments dues={duesOf(first)} today={today} />
      ) : (
        <p className="font-semibold">{due(first, today)}</p>
      )}
      {again > 0 && <p className="mt-1">{owedAgainText(again)}</p>}
      {children}
      <ByTransfer payment={pay} amountCents={nextPayment(first, today)} />
    </>
  );
}

function ByTransfer(facts: ComponentProps<typeof PayFacts>) {
  return (
    <>
      <h3 className="sr-only">Pay by bank transfer</h3>
      <div className="mt-3 border-t border-line">
        <PayFacts {...facts} />
      </div>
    </>
  );
}

/** The agreed instalments (P83). */
function Instalments({ dues, today }: { dues: ReturnType<typeof duesOf>; today: Day }) {
  return (
    <>
      <p className="mt-1">We agreed on these instalments:</p>
      <ul className="tabular mt-1 grid gap-1 font-semibold">
        {dues.map(({ dueOn, cents }) => (
          <li key={dueOn}>
            {formatMoney(cents)} {dueOn < today ? `was due on ${formatDay(dueOn)}` : `by ${formatDay(dueOn)}`}
          </li>
        ))}
      </ul>
    </>
  );
}

function Amount({ title, cents }: { title: string; cents: Cents }) {
  return (
    <>
      <h2 className="font-sans text-[0.9375rem] font-normal tracking-normal text-mute">{title}</h2>
      <p className="tabular">
        <b className="font-display text-4xl leading-tight">{formatMoney(cents)}</b>{' '}
        <span className="text-mute">incl. GST</span>
      </p>
    </>
  );
}

function due({ dueOn, printedDueOn }: MoneyRecords['open'][number], today: Day): string {
  if (dueOn === null) return `Nothing is due before the date is confirmed, and not before ${formatDay(printedDueOn)}.`;
  return dueOn < today ? `since ${formatDay(dueOn)}` : `by ${formatDay(dueOn)}`;
}
