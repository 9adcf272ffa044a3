import type { Db, Trx } from '#app/db/client.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { changeAccount, changerOf } from './account-changes.server.ts';
import type { Player } from './players.server.ts';
import { undoDays } from './sign-in-asks.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import { endSignInsOf } from './sign-ins.server.ts';

/** Why somebody cannot leave: staff first hand over their role, and the last owner to another one. */
export type MayNotLeave = 'staff' | 'last-owner';

/** Why a person may not close their account; null when they may. */
export async function mayNotLeave(db: Db, personId: number): Promise<MayNotLeave | null> {
  const roles = await db.selectFrom('staff_roles').select(['person_id', 'role']).execute();
  const own = roles.filter((one) => one.person_id === personId);
  if (own.length === 0) return null;
  const others = roles.some((one) => one.person_id !== personId && one.role === 'owner');
  return own.some(({ role }) => role === 'owner') && !others ? 'last-owner' : 'staff';
}

/**
 * Closes a player's account (P58): ends every sign-in and unused link, and mails every verified address, with a link
 * that opens it again within seven days (P54). After them `deleteAccounts` deletes it.
 */
export async function closeAccount({
  services,
  player,
  headers,
}: {
  services: SignInServices;
  player: Player;
  headers: Headers;
}): Promise<{ ok: true; deleteFrom: Date } | { ok: false; reason: MayNotLeave | 'closed' }> {
  const at = services.clock.now();
  const deleteFrom = new Date(at.getTime() + undoDays * dayMs);
  const personId = player.person.id;
  return services.db.transaction().execute(async (trx) => {
    const done = await changeAccount(trx, services, changerOf(player, headers), 'left', () =>
      noteClosure(trx, { personId, at, deleteFrom }),
    );
    if (done.ok) await endSignInsOf(trx, personId);
    return done;
  });
}

async function noteClosure(
  trx: Trx,
  { personId, at, deleteFrom }: { personId: number; at: Date; deleteFrom: Date },
): Promise<{ ok: true; deleteFrom: Date } | { ok: false; reason: MayNotLeave | 'closed' }> {
  const reason = await mayNotLeave(trx, personId);
  if (reason) return { ok: false, reason };
  const closed = { asked_at: at, delete_from: deleteFrom, deleted_at: null, looked_at: null };
  const noted = await trx
    .insertInto('account_closures')
    .values({ person_id: personId, ...closed })
    // Data of a closed account that is not erased yet.
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet(closed).where('account_closures.deleted_at', 'is not', null),
    )
    .returning('person_id')
    .executeTakeFirst();
  return noted ? { ok: true, deleteFrom } : { ok: false, reason: 'closed' };
}

/** Keeps an account that its owner closed, and that is not deleted yet. */
export async function keepAccount(trx: Db, personId: number): Promise<void> {
  await trx.deleteFrom('account_closures').where('person_id', '=', personId).where('deleted_at', 'is', null).execute();
}

/** The last day of a closed account, `Monday 15 September 2025`, in Brisbane. */
export const lastDay = (deleteFrom: Date): string => formatDay(academyDay(deleteFrom));
