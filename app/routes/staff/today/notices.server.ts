import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { BackupState } from '#app/http/backup-state.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { mailHeldSince } from '#app/outbox/held-mail.server.ts';

export type Notices = {
  /** Since when mail is held after a restore. */
  heldSince: string | null;
  /** What is wrong with the backups; null for who may not see faults. */
  backup: { fault: string; newest: string | null; to: string } | null;
};

/** What stands above everything else on the first page: mail that is held, and a backup that is missing or not good. */
export async function readNotices(
  db: Db,
  actor: StaffActor,
  backups: () => Promise<BackupState | null>,
): Promise<Notices> {
  requirePermission(actor, 'todo:read');
  const [since, state] = await Promise.all([mailHeldSince(db), actor.can.has('faults:read') ? backups() : null]);
  return {
    heldSince: since && formatMoment(since),
    backup: state?.fault
      ? { fault: state.fault, newest: state.at && formatMoment(state.at), to: href('/staff/faults') }
      : null,
  };
}
