import { clashFault } from '#app/features/course-dates/clash-words.ts';
import { type InTheWay, nameOfShown } from '#app/features/course-dates/plan.server.ts';
import type { Refused } from '#app/features/people/staff-act.server.ts';

/**
 * The refusal of what clashes or is `odd` (`oddDays`), until staff tick the box under exactly that (P77); null when they
 * did, or there is nothing. `sure` is the value of the ticked box: it names what was asked when the box was shown.
 */
export function clashRefusal(
  inTheWay: readonly InTheWay[],
  sure: string | undefined,
  odd: readonly string[] = [],
): Refused | null {
  const asked = [...(inTheWay.length > 0 ? [clashFault(inTheWay)] : []), ...odd];
  const clashes = nameOfShown([...inTheWay, odd]);
  if (asked.length === 0 || sure === clashes) return null;
  const fault = [...asked, 'Tick this box if you mean it.'].join(' ');
  return { ok: false, reason: 'refused', errors: { sure: fault }, values: { clashes } };
}
