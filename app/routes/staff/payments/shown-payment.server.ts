import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { methodInWords } from './payment-list.tsx';
import type { readPayment } from './payment-page.server.ts';
import { amountInWords, balanceInWords } from './shown-money.server.ts';
import { shownSuggestion } from './suggested.server.ts';

type Payment = NonNullable<Awaited<ReturnType<typeof readPayment>>>;

/** A payment with its enrolments and the values of the fields for them. */
export function shownPayment({ root, arrivedCents, pieces, suggested, suggestions }: Payment) {
  const facts: (readonly [string, string])[] = [
    ['Came in on', formatDay(root.received_on)],
    ['How', methodInWords(root.method)],
    ['Payer’s description', showControlCharacters(root.words ?? '') || 'None'],
    ['Recorded', formatMoment(root.recorded_at)],
  ];
  const assigned = pieces.filter(({ enrolment_id }) => enrolment_id !== null);
  const shares =
    assigned.length > 0
      ? [...Map.groupBy(assigned, ({ reference }) => reference ?? '')].map(([reference, its]) => ({
          reference,
          cents: its.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
        }))
      : shareOut(suggested, arrivedCents);
  return {
    id: root.id,
    amount: amountInWords(arrivedCents, root.currency),
    suggestions: suggestions.map(shownSuggestion),
    facts,
    canDivide: root.currency === 'AUD' && root.set_aside_at === null,
    canSetAside:
      root.method === 'bank' && root.set_aside_at === null && pieces.length === 1 && pieces.every(isForNobody),
    setAside: root.set_aside_at && {
      why: showControlCharacters(root.set_aside_why ?? ''),
      at: formatMoment(root.set_aside_at),
    },
    suggests: assigned.length === 0 && suggested.length > 0,
    values: Object.fromEntries(
      shares.flatMap(({ reference, cents }, at) => [
        [`to${at}`, reference],
        [`amount${at}`, cents > 0 ? (cents / 100).toFixed(2) : ''],
      ]),
    ),
    pieces: pieces.map(({ id, reference, amount_cents, balanceCents, refunds }) => ({
      id,
      reference,
      amount: amountInWords(amount_cents, root.currency),
      balance: balanceCents === null ? null : balanceInWords(balanceCents),
      refunds: refunds.map((refund) => ({
        id: refund.id,
        what: `${formatExact(refund.amount_cents)} ${refund.state === 'sent' ? 'refunded' : 'refund failed'}, ${formatDay(refund.sent_on)}: ${showControlCharacters(refund.reason)}`,
      })),
    })),
  };
}

const isForNobody = ({ enrolment_id, refunds }: Payment['pieces'][number]) =>
  enrolment_id === null && refunds.length === 0;

/** The balance of each, up to the rest of the payment. */
function shareOut(suggested: Payment['suggested'], arrivedCents: Cents): { reference: string; cents: Cents }[] {
  let left = arrivedCents;
  return suggested.map(({ reference, owedCents }) => {
    const cents = Math.min(left, owedCents);
    left -= cents;
    return { reference, cents };
  });
}
