import { formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';

/** What staff did, in words that follow a name. */
const actions: Record<string, string> = {
  'make-session': 'made this session',
  'move-session': 'changed its dates, times or place',
  'resize-session': 'changed its seats',
  'confirm-session': 'confirmed it',
  'cancel-session': 'cancelled it',
  'set-way-in': 'set its room or link',
  'hold-anyway': 'decided to hold it anyway',
  'hold-quote': 'held seats for a quote',
  'release-hold': 'released held seats',
  'place-enrolment': 'placed it for the buyer',
  'cancel-places': 'cancelled places',
  'cancel-unpaid': 'cancelled it, because it was unpaid',
  'transfer-place': 'moved a place to another date',
  'change-attendee': 'changed an attendee',
  'add-attendee': 'added an attendee',
  credit: 'lowered the price',
  'change-buyer': 'corrected the buyer’s details',
  'record-payment': 'recorded a payment',
  'assign-payment': 'assigned a payment',
  'record-statement': 'recorded a bank statement',
  'divide-payment': 'said for which enrolments it is',
  'unassign-payment': 'took a payment off it',
  'payment-taken-back': 'recorded that the bank took a payment back',
  'dismiss-line': 'set a line of the bank statement aside',
  'record-refund': 'recorded a refund',
  'refund-failed': 'recorded that a refund failed',
  'send-links': 'sent the links again',
  remind: 'sent a reminder of what is due',
  'give-date': 'gave it a date',
  'offer-seats': 'offered it seats',
  'withdraw-offer': 'withdrew its offer',
  'resume-waiting': 'let it have its turn again',
  'remove-waiting': 'took it off the list',
  'send-again': 'sent it again',
  'send-now': 'sent it at once',
};

/** `moved it`; an action without words of its own by its name. */
export const actionInWords = (action: string): string => actions[action] ?? action.replaceAll('-', ' ');

/** The details of an entry, such as `from 15 September 2025, to 22 September 2025`; what stayed the same is left out. */
export function detailsInWords(details: unknown): string {
  const { from, to, ...others } = typeof details === 'object' && details !== null ? (details as Details) : {};
  const entries = [...(from === to ? [] : [['from', from] as const, ['to', to] as const]), ...Object.entries(others)];
  return entries
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => detailInWords(name, value))
    .join(', ');
}
type Details = Record<string, unknown>;

function detailInWords(name: string, value: unknown): string {
  if (name.endsWith('Cents') && typeof value === 'number') return formatMoney(value);
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return `${words(name)} ${formatDays(value, value)}`;
  return `${words(name)} ${value}`;
}

// References such as BB-7KQ2MX keep their hyphen.
const words = (name: string) => (/^BB-/.test(name) ? name : name.replaceAll('-', ' '));
