import type { Db } from '#app/db/client.server.ts';
import type { AuditChange } from './changes.ts';

export type AuditEntry = {
  at: Date;
  /** The actor; null from the command line. */
  personId: number | null;
  /** The act, such as `answer`. */
  action: string;
  /** Kind and reference of the subject, such as `enquiry:BB-7KQ2MX`. */
  subject: string;
  /** References only, nothing that a person typed: entries outlive their subjects. */
  details?: Record<string, string | number>;
  /** The fields that the act changed, each once. */
  changes?: readonly AuditChange[];
};

/** Writes the audit entry of an act, in the transaction of the act. */
export function writeAuditEntry(trx: Db, entry: AuditEntry): Promise<void> {
  return writeAuditEntries(trx, [entry]);
}

/** Writes several audit entries in one statement. */
export async function writeAuditEntries(trx: Db, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ at, personId, action, subject, details = {} }) => ({
    at,
    person_id: personId,
    action,
    subject,
    details: JSON.stringify(details),
  }));
  const written = await trx.insertInto('audit_entries').values(rows).returning('id').execute();
  // Numbered in the order of the values.
  const ids = written.map(({ id }) => id).sort((a, b) => a - b);
  const changes = entries.flatMap(({ changes: its = [] }, at) =>
    its.map(({ field, before, after }) => ({
      entry_id: ids[at] ?? 0,
      field,
      before: jsonOf(before),
      after: jsonOf(after),
    })),
  );
  if (changes.length > 0) await trx.insertInto('audit_changes').values(changes).execute();
}

const jsonOf = (value: AuditChange['before']) => (value === null ? null : JSON.stringify(value));
