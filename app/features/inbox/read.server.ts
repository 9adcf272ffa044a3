import { type NotNull, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { type Permission, rolesWith } from '#app/features/people/permissions.ts';
import type { InboxView, ItemKind } from './inbox-address.ts';
import { bookingsSoon, chatsToAnswer, enquiriesToAnswer, type ReadItems } from './items.server.ts';
import type { Needs } from './need.ts';

type Read = (db: Db, actor: StaffActor, at: ReadItems) => Promise<Needs>;

const reads: readonly (readonly [ItemKind, Permission, Read])[] = [
  ['enquiry', 'enquiries:read', enquiriesToAnswer],
  ['conversation', 'conversations:read', chatsToAnswer],
  ['booking', 'bookings:read', bookingsSoon],
];

/** How many items of a kind are listed at most; the list of the kind has all. */
const mostListed = 100;

/**
 * The inbox (P81): what a person may read of it, the oldest promise first; of what is done the latest first. `lists`
 * leads to the kinds of which not all is listed.
 */
export async function readInbox(db: Db, actor: StaffActor, { now, view }: { now: Date; view: InboxView }) {
  requirePermission(actor, 'inbox:read');
  const holidays = await queenslandHolidays(db);
  const found: Needs[] = [];
  for (const [kind, permission, read] of reads) {
    if (!actor.can.has(permission) || (view.kind && view.kind !== kind)) continue;
    found.push(await read(db, actor, { now, holidays, whose: view.whose, show: view.show, most: mostListed }));
  }
  const items = found.flatMap(({ needs }) => needs.flatMap(({ hold, ...need }) => (hold ? [{ ...need, hold }] : [])));
  const orderOf = ({ hold, dueAt }: (typeof items)[number]) => (hold.done ? -hold.done.at.getTime() : dueAt.getTime());
  return {
    items: items.sort((a, b) => orderOf(a) - orderOf(b)),
    lists: found.flatMap(({ cut, list }) => (cut ? [list] : [])),
  };
}

async function queenslandHolidays(db: Db): Promise<ReadonlySet<string>> {
  const { holidays } = await readDocuments(db, ['holidays']);
  return new Set(holidays.filter(({ states }) => states.includes('QLD')).flatMap(({ days }) => days));
}

/** The people to whom an item can be given, by name. */
export async function inboxStaff(db: Db, actor: StaffActor): Promise<{ id: number; name: string }[]> {
  requirePermission(actor, 'inbox:work');
  return (
    db
      .selectFrom('people')
      .select(['id', 'name'])
      // Staff always have a name.
      .$narrowType<{ name: NotNull }>()
      .where(sql<boolean>`exists (select from staff_roles where person_id = people.id
      and role = any(${rolesWith('inbox:work')}))`)
      .orderBy('name')
      .orderBy('id')
      .execute()
  );
}
