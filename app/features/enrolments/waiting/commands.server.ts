import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import type { Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { closeEntry, endOffer, lockEntry, type NoEntry } from './entries.server.ts';

type By = { actor: Actor; reason: string };
export type Refused = NoEntry | Meanwhile | { ok: false; reason: 'no-offer' | 'closed' | 'bought' };

/**
 * Staff withdraw an offer (P48): its seats go to the next, the person is told, and the entry keeps its place on the
 * list but is not offered seats by itself any more.
 */
export async function withdrawOffer(
  trx: Trx,
  entryId: number,
  { actor, reason }: By,
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | Refused> {
  requirePermission(actor, 'waiting:change');
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry } = locked;
  if (!entry.offer) return { ok: false, reason: 'no-offer' };
  await endOffer(trx, locked, 'withdrawn', { at: now, reason });
  await trx.updateTable('waiting_entries').set({ paused_at: now }).where('id', '=', entryId).execute();
  await record(trx, { actor, at: now, action: 'withdraw-offer', reference: entry.reference });
  return { ok: true };
}

/** Staff take an entry off its list (P48); places that were bought stay on it. */
export async function removeEntry(
  trx: Trx,
  entryId: number,
  { actor }: Pick<By, 'actor'>,
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | Refused> {
  requirePermission(actor, 'waiting:change');
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry } = locked;
  if (entry.closedAt !== null) return { ok: false, reason: 'closed' };
  if (entry.enrolmentId !== null) return { ok: false, reason: 'bought' };
  await closeEntry(trx, locked, 'staff', now);
  await record(trx, { actor, at: now, action: 'remove-waiting', reference: entry.reference });
  return { ok: true };
}

/** Staff let an entry have its turn again after its offer was withdrawn. */
export async function resumeEntry(
  trx: Trx,
  entryId: number,
  { actor }: Pick<By, 'actor'>,
  { now }: Pick<Moment, 'now'>,
): Promise<{ ok: true } | Refused> {
  requirePermission(actor, 'waiting:change');
  const locked = await lockEntry(trx, entryId, now);
  if (!locked.ok) return locked;
  const { entry } = locked;
  if (entry.closedAt !== null) return { ok: false, reason: 'closed' };
  await trx.updateTable('waiting_entries').set({ paused_at: null }).where('id', '=', entryId).execute();
  if (entry.pausedAt !== null) {
    await record(trx, { actor, at: now, action: 'resume-waiting', reference: entry.reference });
  }
  return { ok: true };
}

/** Writes the audit entry of an act on an entry. The offer has the reason, because that may name people. */
export function record(
  trx: Trx,
  { actor, at, action, reference }: { actor: Actor; at: Date; action: string; reference: string },
): Promise<void> {
  return writeAuditEntry(trx, { at, personId: personIdOf(actor), action, subject: `waiting-entry:${reference}` });
}
