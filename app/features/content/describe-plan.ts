import type { Plan, PlannedRecord } from './plan.ts';

const shownPerKind = 20;

/** The plan for a terminal: a line a record for what is new, changed or going, and the sums. */
export function describePlan(plan: Plan, shiftWeeks: number): string {
  const lines = [
    ...listed('+', plan.added),
    ...listed('~', plan.changed),
    ...listed('-', plan.retired),
    `${plan.added.length} added, ${plan.changed.length} changed, ${plan.retired.length} retired, ${plan.unchanged} unchanged`,
  ];
  if (shiftWeeks !== 0) lines.push(`Dates move by ${shiftWeeks} weeks from the calendar of asOf.`);
  return lines.join('\n');
}

function listed(sign: string, records: PlannedRecord[]): string[] {
  const shown = records.slice(0, shownPerKind).map(({ kind, key }) => `${sign} ${kind} ${key}`);
  const more = records.length - shown.length;
  return more > 0 ? [...shown, `${sign} and ${more} more`] : shown;
}
