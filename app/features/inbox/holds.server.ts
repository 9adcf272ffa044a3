import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { rolesWith } from '#app/features/people/permissions.ts';
import type { ItemKind } from './inbox-address.ts';

/** Whether a person may still work in the inbox. Items held by a person without such a role count as nobody's. */
export const worksInInbox = (person: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from staff_roles where staff_roles.person_id = ${person}
    and staff_roles.role = any(${rolesWith('inbox:work')}::text[]))`;

/** Something in the inbox, by the id of its row. */
export type Item = { kind: ItemKind; id: number };

const reads = { enquiry: 'enquiries:read', conversation: 'conversations:read', booking: 'bookings:read' } as const;
const columns = { enquiry: 'enquiry_id', conversation: 'conversation_id', booking: 'booking_id' } as const;

/** Locks the row of a subject such as `enquiry:BB-7KQ2MX` until the transaction ends; null when it is gone. */
export async function findItem(trx: Trx, subject: string): Promise<Item | null> {
  const [kind, name = ''] = subject.split(':');
  if (kind === 'conversation') {
    const query = trx.selectFrom('conversations').select('id').where('id', '=', Number(name)).forUpdate();
    const row = await query.executeTakeFirst();
    return row ? { kind, id: row.id } : null;
  }
  if (kind !== 'enquiry' && kind !== 'booking') return null;
  const table = kind === 'enquiry' ? 'enquiries' : 'bookings';
  const row = await trx.selectFrom(table).select('id').where('reference', '=', name).forUpdate().executeTakeFirst();
  return row ? { kind, id: row.id } : null;
}

/** Somebody else took it since the page was read; null: nobody holds it any more. */
export type HeldMeanwhile = { ok: false; by: string | null };

/**
 * Lets somebody have something in hand, or nobody (P81): take, give and put back. `was` is who held it on the page,
 * null for nobody; when that has changed nothing is done. The item's row is locked.
 */
export async function holdItem(
  trx: Trx,
  item: Item,
  { was, to, actor, now }: { was: number | null; to: number | null; actor: StaffActor; now: Date },
): Promise<{ ok: true } | HeldMeanwhile> {
  requirePermission(actor, 'inbox:work');
  const holder = await holderOf(trx, item);
  if ((holder?.id ?? null) !== was && (holder?.id ?? null) !== to) return { ok: false, by: holder?.name ?? null };
  await keep(trx, item, { held_by: to, held_at: to === null ? null : now });
  return { ok: true };
}

/** Puts something off until an instant; null brings it back. */
export async function snoozeItem(
  trx: Trx,
  item: Item,
  { until, actor, now }: { until: Date | null; actor: StaffActor; now: Date },
): Promise<void> {
  requirePermission(actor, 'inbox:work');
  await keep(trx, item, { snoozed_until: until, snoozed_at: until && now });
}

/** Marks a booking as done with. Enquiries and chats are closed instead. */
export async function finishBooking(
  trx: Trx,
  item: Item & { kind: 'booking' },
  { actor, now }: { actor: StaffActor; now: Date },
): Promise<void> {
  requirePermission(actor, 'inbox:work');
  await keep(trx, item, { done_at: now, done_by: actor.person.id });
}

/** A person who answers something that nobody holds has it in hand from then on. */
export async function holdIfNobody(trx: Trx, item: Item, { actor, now }: { actor: StaffActor; now: Date }) {
  if (!(await holderOf(trx, item))) await keep(trx, item, { held_by: actor.person.id, held_at: now });
}

/** Who has it in hand, for the line below its title (P81); null for nobody. */
export async function holderText(db: Db, actor: StaffActor, item: Item): Promise<string | null> {
  requirePermission(actor, reads[item.kind]);
  const holder = await holderOf(db, item);
  if (!holder) return null;
  return holder.id === actor.person.id ? 'You have it in hand.' : `${holder.name} has it in hand.`;
}

/** The person who holds it and still works in the inbox. */
async function holderOf(trx: Db, { kind, id }: Item): Promise<{ id: number; name: string | null } | null> {
  const row = await trx
    .selectFrom('inbox_holds')
    .innerJoin('people', 'people.id', 'held_by')
    .select(['people.id', 'people.name'])
    .where(columns[kind], '=', id)
    .where(worksInInbox(sql.ref('people.id')))
    .executeTakeFirst();
  return row ?? null;
}

type Kept = {
  held_by?: number | null;
  held_at?: Date | null;
  snoozed_until?: Date | null;
  snoozed_at?: Date | null;
  done_at?: Date;
  done_by?: number;
};

async function keep(trx: Trx, { kind, id }: Item, kept: Kept): Promise<void> {
  await trx
    .insertInto('inbox_holds')
    .values({ [columns[kind]]: id, ...kept })
    .onConflict((conflict) => conflict.column(columns[kind]).doUpdateSet(kept))
    .execute();
}
