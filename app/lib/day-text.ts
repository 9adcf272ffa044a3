import type { Day } from './dates.ts';

/** A day as addresses and date fields write it; null for anything else, also for a day that no month has. */
export function dayOf(text: string): Day | null {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : text;
}
