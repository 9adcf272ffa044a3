import type { ImportPlan, PlannedRecord } from './plan.ts';
import type { SessionsLeft } from './sessions-to-make.ts';

const shownPerKind = 20;

/** The plan for a terminal: a line a record for what is new, changed, going, kept or in conflict, and the sums. */
export function describePlan(plan: ImportPlan, shiftWeeks: number): string {
  const { added, changed, retired, unchanged, kept, sessions, conflicts } = plan;
  const lines = [
    ...listed('+', added),
    ...listed('~', changed),
    ...listed('-', retired),
    ...listed('=', kept, ({ fields }) => `: the database's ${fields ? fields.join(', ') : 'decision'} kept`),
    ...listed('=', sessions.differing, sessionLeft),
    ...elsewhere(sessions),
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

/** The fields in which a training session differs from the files; only staff change it (P46). */
function sessionLeft({ key, now, fields }: SessionsLeft['differing'][number]): string {
  if (now === 'held') return `: the files have another ${fields.join(', ')}. Staff change it at /staff/sessions/${key}`;
  return `: ${now === 'retired' ? 'it is not offered any more' : 'staff cancelled it'}. The files do not bring it back`;
}

function elsewhere({ elsewhere: count }: SessionsLeft): string[] {
  if (count === 0) return [];
  return [`= ${count === 1 ? '1 training session is' : `${count} training sessions are`} not in the files`];
}

function listed<T extends PlannedRecord>(sign: string, records: T[], more: (record: T) => string = () => ''): string[] {
  const shown = records.slice(0, shownPerKind).map((record) => `${sign} ${record.kind} ${record.key}${more(record)}`);
  const rest = records.length - shown.length;
  return rest > 0 ? [...shown, `${sign} and ${rest} more`] : shown;
}
