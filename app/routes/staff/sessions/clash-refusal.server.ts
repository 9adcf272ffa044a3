import { type InTheWay, nameOfShown } from '#app/features/sessions/plan.server.ts';
import type { Refused } from '#app/routes/staff/act.server.ts';
import { clashFault } from './clash-words.ts';

/**
 * The refusal of what clashes, until staff tick the box under these very clashes (P77); null when they did, or nothing
 * clashes. `sure` is the value of the ticked box: it names what was in the way when the box was shown.
 */
export function clashRefusal(inTheWay: readonly InTheWay[], sure: string | undefined): Refused | null {
  const clashes = nameOfShown(inTheWay);
  if (inTheWay.length === 0 || sure === clashes) return null;
  return { ok: false, reason: 'refused', errors: { sure: clashFault(inTheWay) }, values: { clashes } };
}
