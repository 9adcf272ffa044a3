import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import {
  common,
  firstSubmission,
  readStaffForm,
  type StaffFormResult,
  wasSubmitted,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { dayMs } from '#app/lib/durations.ts';
import { readStatement } from './bank-statement.server.ts';
import { numbersInWords, type RecordedStatement } from './recorded-statement.ts';
import { previewStatement, recordStatement } from './statements.server.ts';

/** The largest file of a statement, in bytes: about 25,000 lines. */
export const largestStatement = 2 * 1024 * 1024;
/** How long a file that nobody recorded is kept; /privacy says the same. */
export const uploadKeptMs = dayMs;

/** Keeps the file of a form until it is recorded; the key names it. Nothing of it is recorded yet. */
export async function keepUpload(
  { db, clock }: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<{ ok: true; key: string } | { ok: false; why: string }> {
  requirePermission(actor, 'money:record');
  const file = form?.get('file');
  if (!(file instanceof File) || file.size === 0) return { ok: false, why: 'Choose the file of a bank statement.' };
  if (file.size > largestStatement) return { ok: false, why: 'The file is over 2 MB. Download fewer months at once.' };
  const bytes = Buffer.from(await file.arrayBuffer());
  const statement = await readStatement(bytes, academyToday(clock));
  if (!statement.ok) return { ok: false, why: statement.why };
  const key = randomUUID();
  await db
    .insertInto('statement_uploads')
    .values({ key, bytes, uploaded_at: clock.now(), uploaded_by: actor.person.id })
    .execute();
  return { ok: true, key };
}

/** Erases the files that nobody recorded within a day. */
export async function forgetUploads(db: Db, at: Date): Promise<void> {
  const before = new Date(at.getTime() - uploadKeptMs);
  await db.deleteFrom('statement_uploads').where('uploaded_at', '<', before).execute();
}

async function readUpload({ db, clock }: Pick<Academy, 'db' | 'clock'>, key: string) {
  if (!z.uuid().safeParse(key).success) return null;
  const upload = await db.selectFrom('statement_uploads').select('bytes').where('key', '=', key).executeTakeFirst();
  const statement = upload && (await readStatement(upload.bytes, academyToday(clock)));
  return statement?.ok ? statement : null;
}

/** The effects of recording an upload; null when it was recorded or is a day old. Writes nothing. */
export async function previewUpload(academy: Pick<Academy, 'db' | 'clock'>, actor: StaffActor, key: string) {
  requirePermission(actor, 'money:read');
  const statement = await readUpload(academy, key);
  if (!statement) return null;
  const { lines, faults } = statement;
  return { lines: await previewStatement(academy.db, lines), faults, read: lines.length };
}

const uploadForm = z.object({ ...common, key: z.uuid() });

/**
 * Records the money of an upload, and erases it. It is done in several transactions: what a failure in the middle left
 * is recorded when the same is sent again, and nothing twice.
 */
export async function takeUpload(
  academy: Academy,
  { form, actor }: { form: FormData | null; actor: StaffActor },
): Promise<{ result: StaffFormResult; recorded: RecordedStatement | null }> {
  let recorded: RecordedStatement | null = null;
  const at = academy.clock.now();
  const subject = 'payments:statement';
  const result = await readStaffForm({ form, schema: uploadForm, subject, actor }, async (data, sent, refused) => {
    const statement = await readUpload(academy, data.key);
    if (!statement) {
      const fault = 'This statement was recorded already, or it was uploaded more than a day ago.';
      return (await wasSubmitted(academy.db, sent.key))
        ? { ok: true }
        : refused({ ok: false, reason: 'refused', fault });
    }
    const done = await recordStatement(academy.db, statement.lines, { actor, at });
    const faults = statement.faults.map(({ line }) => line);
    recorded = { ...done, faults };
    await academy.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('statement_uploads').where('key', '=', data.key).execute();
      if (!(await firstSubmission(trx, sent.key, at))) return;
      const { failed, ...counts } = done;
      const details = { ...counts, failed: withNumbers(failed), unreadable: withNumbers(faults) };
      await writeAuditEntry(trx, { at, personId: actor.person.id, action: 'record-statement', subject, details });
    });
    return { ok: true };
  });
  return { result, recorded };
}

/** Such as `2 (lines 3, 5)`. */
const withNumbers = (numbers: readonly number[]) =>
  numbers.length === 0 ? 0 : `${numbers.length} (lines ${numbersInWords(numbers)})`;
