import type { Plan, PlannedRecord } from './plan.ts';

const shownPerKind = 20;

/** The plan for a terminal: a line a record for what is new, changed, going, kept or in conflict, and the sums. */
export function describePlan(plan: Plan, shiftWeeks: number): string {
  const { added, changed, retired, unchanged, kept, withPeople, conflicts } = plan;
  const lines = [
    ...listed('+', added),
    ...listed('~', changed),
    ...listed('-', retired),
    ...listed('=', kept, ({ fields }) => `: the database's ${fields ? fields.join(', ') : 'decision'} kept`),
    ...listed('=', withPeople, peopleKept),
    ...listed('!', conflicts, ({ field }) => `${field ? ` ${field}` : ''}: changed in files and database`),
    `${added.length} added, ${changed.length} changed, ${retired.length} retired, ${unchanged} unchanged`,
  ];
  if (conflicts.length > 0) {
    const count = conflicts.length === 1 ? '1 conflict is' : `${conflicts.length} conflicts are`;
    lines.push(`${count} left as the database has it: --theirs takes the files' side, --ours settles for this one.`);
  }
  if (shiftWeeks !== 0) lines.push(`Dates move by ${shiftWeeks} weeks from the calendar of asOf.`);
  return lines.join('\n');
}

/** That people keep a training session as it is, and what staff can do instead. */
function peopleKept({ key, fields, people }: Plan['withPeople'][number]): string {
  const who = `${people} ${people === 1 ? 'person is' : 'people are'} in it or wait for it`;
  const page = `/staff/sessions/${key}`;
  return fields
    ? ` kept: ${who}, so the files do not change its ${fields.join(', ')}. Change it at ${page}, then they are told or asked`
    : ` kept: ${who}, so the files do not retire it. Cancel it at ${page}, then they are asked`;
}

function listed<T extends PlannedRecord>(sign: string, records: T[], more: (record: T) => string = () => ''): string[] {
  const shown = records.slice(0, shownPerKind).map((record) => `${sign} ${record.kind} ${record.key}${more(record)}`);
  const rest = records.length - shown.length;
  return rest > 0 ? [...shown, `${sign} and ${rest} more`] : shown;
}
