import { addDays, type Day } from '#app/lib/dates.ts';

/** A business day: Monday to Friday, no public holiday of Queensland. */
function isBusinessDay(day: Day, holidays: ReadonlySet<Day>): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday >= 1 && weekday <= 5 && !holidays.has(day);
}

/** The day that lies so many business days before another. */
function businessDaysBefore(day: Day, count: number, holidays: ReadonlySet<Day>): Day {
  let [at, left] = [day, count];
  while (left > 0) {
    at = addDays(at, -1);
    if (isBusinessDay(at, holidays)) left--;
  }
  return at;
}

/**
 * The day by which an invoice is to be paid (P39): 14 days after issue, or two business days before the first day of
 * what it is for, whichever is earlier, never before it is issued. `firstDay` is null when nothing of it has a first day.
 */
export function dueOn(issuedOn: Day, firstDay: Day | null, holidays: ReadonlySet<Day>): Day {
  const usual = addDays(issuedOn, 14);
  if (firstDay === null) return usual;
  const before = businessDaysBefore(firstDay, 2, holidays);
  if (before >= usual) return usual;
  return before < issuedOn ? issuedOn : before;
}

/**
 * From when an invoice is due in fact (P39): its due date, or the day on which the last of its sessions was confirmed
 * when that is later. Null while one is still tentative: nothing is due then. Cancelled sessions do not count.
 */
export function effectiveDue(
  due: Day,
  sessions: readonly { state: 'tentative' | 'confirmed' | 'cancelled'; confirmedOn: Day | null }[],
): Day | null {
  const running = sessions.filter(({ state }) => state !== 'cancelled');
  if (running.some(({ state }) => state === 'tentative')) return null;
  return running.reduce((latest, { confirmedOn }) => (confirmedOn && confirmedOn > latest ? confirmedOn : latest), due);
}

/** `INV-00042`. */
export const invoiceNumber = (number: number) => `INV-${String(number).padStart(5, '0')}`;

/** `ADJ-00042`. */
export const noteNumber = (number: number) => `ADJ-${String(number).padStart(5, '0')}`;

/**
 * What the buyer writes on a bank transfer: `INV00042 BB7KQ2MX`. Without hyphens, because a transfer between Australian
 * banks carries 18 characters of reference only.
 */
export function paymentReference(number: number, enrolmentReference: string): string {
  return `${invoiceNumber(number)} ${enrolmentReference}`.replaceAll('-', '');
}
