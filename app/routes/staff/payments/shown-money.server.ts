import type { previewUpload, readMoney } from '#app/features/enrolments/desk/payments.server.ts';
import type { Oddity } from '#app/features/enrolments/money/accounts.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { undisguised } from '#app/lib/undisguised.ts';

const oddities: Record<Oddity, string> = {
  unmatched: 'No enrolment found',
  'too-small': 'Too small',
  'too-large': 'Too large',
  double: 'Came twice',
  late: 'Late',
  cancelled: 'Every place is cancelled',
};
const methods: Record<string, string> = { bank: 'Bank transfer', card: 'Card', other: 'Otherwise' };

function balanceInWords(cents: Cents): string {
  if (cents === 0) return 'Nothing owed';
  return cents > 0 ? `${formatMoney(cents)} still owed` : `${formatMoney(-cents)} too much`;
}

/** Payments to look at and refunds to be sent, in words. */
export function shownMoney({ odd, refunds }: Pick<Awaited<ReturnType<typeof readMoney>>, 'odd' | 'refunds'>) {
  return {
    odd: odd.map(({ id, reference, amountCents, receivedOn, words, balanceCents, why }) => ({
      id,
      reference,
      day: formatDay(receivedOn),
      amount: formatMoney(amountCents),
      words: undisguised(words ?? ''),
      why: why.map((name) => oddities[name]).join(', '),
      balance: reference ? balanceInWords(balanceCents) : null,
    })),
    refunds: refunds.map(({ reference, buyer_name, organisation, balance_cents, payments, failed }) => ({
      reference,
      buyer: undisguised(organisation ? `${buyer_name}, ${organisation}` : buyer_name),
      amount: formatMoney(-balance_cents),
      sources: payments.map(({ id, method, received_on, leftCents, words }) => ({
        id,
        text: undisguised(
          `${methods[method] ?? method} of ${formatDay(received_on)}, ${formatMoney(leftCents)} left${words ? `: ${words}` : ''}`,
        ),
      })),
      failed,
    })),
  };
}

/** What a bank statement would do, line by line, in words. */
export function shownPreview(preview: Awaited<ReturnType<typeof previewUpload>>) {
  if (!preview.ok) return preview;
  const { text, lines, outgoing, faults } = preview;
  const fresh = lines.filter(({ known }) => !known);
  return {
    ok: true as const,
    text,
    outgoing,
    faults: faults.map(({ line, why }) => ({ line, why: undisguised(why) })),
    newCount: fresh.length,
    unmatchedCount: fresh.filter(({ enrolment }) => !enrolment).length,
    total: formatMoney(fresh.reduce((sum, { amountCents }) => sum + amountCents, 0)),
    lines: lines.map(({ line, day, amountCents, words, known, enrolment, named, balanceAfterCents }) => ({
      line,
      day: formatDay(day),
      amount: formatMoney(amountCents),
      words: undisguised(words),
      known,
      reference: enrolment?.reference ?? null,
      what: known
        ? 'Recorded before'
        : enrolment
          ? balanceInWords(balanceAfterCents ?? 0)
          : named > 1
            ? `Names ${named} enrolments: assign it by hand`
            : 'Names no enrolment: assign it by hand',
    })),
  };
}
export type ShownPreview = Extract<ReturnType<typeof shownPreview>, { text: string }>;
