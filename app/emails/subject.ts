import { nameWithin } from '#app/lib/short-name.ts';

/** How many characters of a subject mail programs show (RFC 5322, 2.1.1 asks for lines of at most 78). */
const most = 78;

/**
 * `Enrolled: CISSP, 18 January (BB-7KQ2MX)`: what happened, to which course and date. `day` is empty for what has no
 * date. It has only our own words, never text that somebody typed (P49).
 */
export function subjectOf(
  what: string,
  { title, day = '', reference }: { title: string; day?: string | null | undefined; reference: string },
): string {
  const date = day ? `, ${day}` : '';
  return `${what}: ${nameWithin(title, most - `${what}: ${date} (${reference})`.length)}${date} (${reference})`;
}
