import type { Db } from '#app/db/client.server.ts';

export type AuditEntry = {
  at: Date;
  /** Who did it; null from the command line. */
  personId: number | null;
  /** What was done, such as `answer`. */
  action: string;
  /** Kind and reference of what it was done to, such as `enquiry:BB-7KQ2MX`. */
  subject: string;
  /** References only, nothing that a person typed: entries outlive what they are about. */
  details?: Record<string, string | number>;
};

/** Writes what was done, in the transaction that does it. */
export function writeAuditEntry(trx: Db, entry: AuditEntry): Promise<void> {
  return writeAuditEntries(trx, [entry]);
}

/** Writes many at once. */
export async function writeAuditEntries(trx: Db, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ at, personId, action, subject, details = {} }) => ({
    at,
    person_id: personId,
    action,
    subject,
    details: JSON.stringify(details),
  }));
  await trx.insertInto('audit_entries').values(rows).execute();
}
