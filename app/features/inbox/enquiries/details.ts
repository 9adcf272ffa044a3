import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { interests } from './options.ts';

/**
 * The fields of the kind of an enquiry, in words for staff, on their pages and in mail to them; empty ones are left
 * out. Enquiries from before times could be booked have a day and a time.
 */
export function detailRows(details: Record<string, unknown>): (readonly [label: string, text: string])[] {
  const { label, item, aboutLabel, about, interest, day, time, ways, typed, priceCents, attendees, payer, company } =
    details;
  const rows = [
    ['Asked for', textOf(label ?? item)],
    ['About', textOf(aboutLabel ?? about)],
    ['Interested in', interests.find(({ value }) => value !== '' && value === interest)?.label ?? ''],
    ['Time', day && time ? `${formatDay(textOf(day))}, ${textOf(time)} Brisbane time` : ''],
    ['How', textOf(ways)],
    ['Price a person', typeof priceCents === 'number' ? `${formatMoney(priceCents)} incl. GST` : ''],
    ['People', textOf(attendees)],
    ['Also typed', textOf(typed)],
    ['Paid by', payer === 'employer' ? textOf(company) : payer ? 'the person' : ''],
  ] as const;
  return rows.filter(([, text]) => text !== '');
}

/** The course or thing that an enquiry is about, as its form called it; '' where it names none. */
export const subjectOf = ({ aboutLabel, label }: Record<string, unknown>): string => textOf(aboutLabel ?? label);

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
