import { type Day, months } from './dates.ts';

/** A day as addresses and date fields write it; null for anything else, also for a day that no month has. */
export function dayOf(text: string): Day | null {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}

/**
 * A day as people type it: `26/11/2026`, `26 Nov`, `26 November 2026` or `2026-11-26`; null for anything else. Without a
 * year it is the latest that is not after today.
 */
export function dayTyped(text: string, today: Day): Day | null {
  const [, date, named = '', year] = /^(\d{1,2})[ /-]([a-z]{3,9}|\d{1,2})(?:[ /-](\d{4}))?$/i.exec(text.trim()) ?? [];
  if (!date) return dayOf(text.trim());
  const month = Number(named) || months.findIndex((name) => name.toLowerCase().startsWith(named.toLowerCase())) + 1;
  const inYear = (its: number) => dayOf(`${its}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`);
  if (year) return inYear(Number(year));
  const latest = inYear(Number(today.slice(0, 4)));
  return latest && latest > today ? inYear(Number(today.slice(0, 4)) - 1) : latest;
}
