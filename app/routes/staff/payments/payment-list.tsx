import { href } from 'react-router';
import type { ListedPayment } from '#app/features/money/payment-list.server.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { shortDate } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { defineList } from '#app/ui/staff/define-list.ts';
import { oneOf } from '#app/ui/staff/list-address.ts';
import { RecordLink, TextLink } from '#app/ui/staff/typography.tsx';

/** The parts of the page about payments, in the order of its tabs. */
export const parts = {
  match: 'To match',
  all: 'All payments',
  late: 'Late, or after a cancellation',
  aside: 'Set aside',
  refunds: 'Refunds to send',
} as const;
const readPart = oneOf(parts);

const methods: Readonly<Record<string, string>> = { bank: 'Bank transfer', card: 'Card', other: 'Other' };
export const methodInWords = (method: string): string => methods[method] ?? method;

/** Of a course's title in a list. */
const mostTitle = 28;

export const paymentList = defineList({
  title: 'Payments',
  path: href('/staff/payments'),
  show: ({
    amountCents,
    currency,
    receivedOn,
    words,
    buyer,
    title,
    setAside,
    balanceCents,
    ...row
  }: ListedPayment) => ({
    ...row,
    day: shortDate(receivedOn),
    amount: `${currency === 'AUD' ? '' : `${currency} `}${formatCents(amountCents)}`,
    words: showControlCharacters(words ?? ''),
    buyer: buyer && showControlCharacters(buyer),
    title: title && nameWithin(title, mostTitle),
    whole: [buyer, title].filter(Boolean).join(', '),
    state: stateInWords({ setAside, balanceCents }),
    waits: row.reference === null && !setAside,
  }),
  usual: 'received',
  filters: { show: (text: string) => readPart(text) ?? 'match' },
  columns: {
    received: {
      title: 'Received',
      cell: ({ day }) => day,
      csv: ({ receivedOn }) => receivedOn,
      sort: { name: 'received', kind: 'day', descending: true },
      width: 'sm:w-28',
    },
    amount: {
      title: 'Amount, AU$',
      cell: ({ id, amount }) => <RecordLink to={href('/staff/payments/:id', { id: String(id) })}>{amount}</RecordLink>,
      csv: { Currency: ({ currency }) => currency, Amount: ({ amountCents }) => ({ cents: amountCents }) },
      sort: { name: 'amount', kind: 'whole', descending: true },
      right: true,
      width: 'sm:w-28',
    },
    words: {
      title: 'Words of the transfer',
      cell: ({ words }) => words,
      cut: ({ words }) => words,
      csv: ({ words }) => words,
      width: 'sm:w-[28%]',
    },
    buyer: {
      title: 'For',
      cell: ({ buyer, title }) =>
        buyer && (
          <>
            {buyer} <span className="text-mute">{title}</span>
          </>
        ),
      cut: ({ whole }) => whole,
      csv: { Buyer: ({ buyer }) => buyer, Course: ({ title }) => title },
      width: 'sm:w-[34%]',
    },
    enrolment: {
      title: 'Enrolment',
      cell: ({ reference }) =>
        reference && <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>,
      csv: ({ reference }) => reference,
      width: 'sm:w-28',
    },
    method: {
      title: 'How',
      cell: ({ method }) => <span className="text-mute">{methodInWords(method)}</span>,
      csv: ({ method }) => methodInWords(method),
      width: 'sm:w-28',
      wide: true,
    },
    state: {
      title: 'Now',
      cell: ({ state, waits }) => <span className={waits ? 'font-semibold' : 'text-mute'}>{state}</span>,
      csv: {
        'Owed now, AU$': ({ balanceCents }) => (balanceCents === null ? null : { cents: balanceCents }),
        Now: stateInWords,
      },
      width: 'sm:w-24 lg:w-36',
    },
  },
});

/** `2,299.00 owed`, or where the payment waits. */
function stateInWords({ setAside, balanceCents }: Pick<ListedPayment, 'setAside' | 'balanceCents'>): string {
  if (balanceCents === null) return setAside ? parts.aside : parts.match;
  if (balanceCents === 0) return 'Settled';
  return balanceCents > 0 ? `${formatCents(balanceCents)} owed` : `${formatCents(-balanceCents)} too much`;
}
