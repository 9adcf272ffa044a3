import { nameWithin } from '#app/lib/short-name.ts';

/** What mail programs show of a subject (RFC 5322, 2.1.1 asks for lines of at most 78). */
const most = 78;

/**
 * `Enrolled: CISSP, 18 January (BB-7KQ2MX)`: what happened, to which course and date. `day` is empty for what has no date.
 * Only our own words stand in it, never what somebody typed (P49).
 */
export function subjectOf(
  what: string,
  { title, day = '', reference }: { title: string; day?: string | null | undefined; reference: string },
): string {
  const date = day ? `, ${day}` : '';
  return `${what}: ${nameWithin(title, most - `${what}: ${date} (${reference})`.length)}${date} (${reference})`;
}
