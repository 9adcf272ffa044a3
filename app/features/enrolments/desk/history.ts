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
};

/** `moved it`; an action without words of its own by its name. */
export const actionInWords = (action: string): string => actions[action] ?? action.replaceAll('-', ' ');

/** The details of an entry, such as `from 2025-09-15, to 2025-09-22`. */
export function detailsInWords(details: unknown): string {
  const entries = typeof details === 'object' && details !== null ? Object.entries(details) : [];
  return entries.map(([name, value]) => `${name.replaceAll('-', ' ')} ${value}`).join(', ');
}
