import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { interests } from './options.ts';

const labels: Record<string, string> = {
  interest: 'Interested in',
  about: 'About',
  aboutLabel: 'About, in words',
  day: 'Day',
  time: 'Time (Brisbane)',
  item: 'Item',
  label: 'Item, in words',
  priceCents: 'Price when asked',
  attendees: 'Attendees',
  payer: 'Who pays',
  company: 'Organisation',
};

/** What only its kind has of an enquiry, in words for staff; what is empty is left out. */
export function detailRows(details: Record<string, unknown>): { label: string; text: string }[] {
  return Object.entries(details)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) => ({ label: labels[name] ?? name, text: textOf(name, value) }));
}

function textOf(name: string, value: unknown): string {
  if (name === 'priceCents' && typeof value === 'number') return formatMoney(value);
  if (name === 'day' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDay(value);
  if (name === 'interest') return interests.find((interest) => interest.value === value)?.label ?? String(value);
  return String(value);
}
