import type { FormField } from '#app/features/content/form/field.ts';
import { type Typed, valueTyped } from '#app/features/content/form/typed.ts';
import { formatWall } from '#app/lib/short-dates.ts';

/** Unsaved entries of a form, as the browser keeps them. */
export type OnDevice = { at: string; typed: Typed };

const keyOf = (place: string) => `content-typed:${place}`;

/** The kept entries of a form; null when there are none, or when the browser has no storage. */
export function onDevice(place: string): OnDevice | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null');
    if (typeof found !== 'object' || found === null || !('typed' in found) || !('at' in found)) return null;
    const texts = Object.entries(found.typed ?? {}).filter(([, text]) => typeof text === 'string');
    return { at: String(found.at), typed: Object.fromEntries(texts) };
  } catch {
    return null;
  }
}

export function keepOnDevice(place: string, typed: Typed): void {
  // By the device's own clock and zone: it says when this device kept it.
  const now = new Date();
  const at = formatWall(new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString());
  try {
    localStorage.setItem(keyOf(place), JSON.stringify({ at, typed }));
  } catch {
    // Full or not allowed: then only the page has the typed text.
  }
}

export function forgetOnDevice(place: string): void {
  try {
    localStorage.removeItem(keyOf(place));
  } catch {
    // As above.
  }
}

/** Whether two forms say the same of a record, such as a price of `1290` and `1,290.00`. */
export const sameTyped = (fields: readonly FormField[], a: Typed, b: Typed): boolean =>
  JSON.stringify(valueTyped(fields, a)) === JSON.stringify(valueTyped(fields, b));
