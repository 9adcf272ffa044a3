import type { readMoney } from '#app/features/money/money-page.server.ts';
import type { Oddity } from '#app/features/money/payments-to-review.server.ts';
import type { Match, Nameable } from '#app/features/money/references.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { methodInWords } from './payment-list.tsx';
import { shownSuggestion } from './suggested.server.ts';

/** Why staff look at a payment, in words. */
export const oddities: Record<Oddity, string> = {
  unmatched: 'No enrolment found',
  'too-small': 'Too small',
  'too-large': 'Too large',
  double: 'Came twice',
  late: 'Came late',
  cancelled: 'Came after every place was cancelled',
};
/** An enrolment that a payment names, so that staff can tell whether its payer meant it. */
export const namedOne = ({ buyer, title }: Nameable) => showControlCharacters(`${buyer}, ${title}`);

/** Why the words of a payment lead to no enrolment alone; null when they name none. */
export function namedInWords(match: Match | null): string | null {
  if (match?.kind === 'one' || match?.kind === 'settled')
    return `Names ${match.enrolment.reference} of ${namedOne(match.enrolment)}: match it by hand`;
  if (match?.kind === 'several') return `Names ${match.enrolments.length} enrolments: divide it`;
  if (match?.kind === 'contradicting') return `Its references contradict each other: ${match.references.join(', ')}`;
  return null;
}

export function balanceInWords(cents: Cents): string {
  if (cents === 0) return 'Nothing owed';
  return cents > 0 ? `${formatExact(cents)} still owed` : `${formatExact(-cents)} too much`;
}

/** What staff have to do about a payment whose enrolment is known. */
export function todoInWords(balanceCents: Cents): string {
  if (balanceCents < 0) return `${formatExact(-balanceCents)} to refund`;
  return balanceCents === 0 ? 'All is settled' : balanceInWords(balanceCents);
}

/** `AU$2,299.00`; `USD 12.50` for other currencies. */
export const amountInWords = (cents: Cents, currency: string): string =>
  currency === 'AUD' ? formatExact(cents) : `${currency} ${(cents / 100).toFixed(2)}`;

/** Payments to look at, money that went out, and refunds to be sent, in words. */
export function shownMoney({
  odd,
  outgoing,
  skipped,
  refunds,
  next,
}: Omit<Awaited<ReturnType<typeof readMoney>>, 'seen'>) {
  return {
    odd: odd.payments.map(
      ({
        id,
        reference,
        amountCents,
        currency,
        receivedOn,
        words,
        balanceCents,
        buyer,
        setAsideWhy,
        why,
        named,
        suggestions,
      }) => ({
        id,
        reference,
        day: shortDate(receivedOn),
        amount: amountInWords(amountCents, currency),
        words: showControlCharacters(words ?? ''),
        isAside: setAsideWhy !== null,
        why:
          setAsideWhy !== null
            ? showControlCharacters(setAsideWhy)
            : (reference === null && namedInWords(named)) || why.map((name) => oddities[name]).join(', '),
        todo: reference ? todoInWords(balanceCents) : null,
        buyer: buyer && showControlCharacters(buyer),
        suggestions: suggestions.map(shownSuggestion),
      }),
    ),
    olderThan: odd.next,
    outgoing: outgoing.map(({ id, day, amountCents, words, reference, refundedOn }) => ({
      id,
      reference,
      day: shortDate(day),
      amount: formatExact(-amountCents),
      words: showControlCharacters(words),
      refundedOn,
    })),
    skipped: skipped.map(({ first, last, at }) => ({ first, last, at: formatMoment(at) })),
    refundsAfter: next,
    refunds: refunds.map(({ reference, buyer_name, organisation, balance_cents, payments, failed }) => ({
      reference,
      buyer: showControlCharacters(organisation ? `${buyer_name}, ${organisation}` : buyer_name),
      amount: formatExact(-balance_cents),
      sources: payments.map(({ id, method, received_on, leftCents, words }) => ({
        id,
        text: showControlCharacters(
          `${methodInWords(method)} of ${formatDay(received_on)}, ${formatExact(leftCents)} left${words ? `: ${words}` : ''}`,
        ),
      })),
      failed,
    })),
  };
}
export type ShownMoney = ReturnType<typeof shownMoney>;
