import { formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';

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
