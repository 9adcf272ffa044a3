import type { Db, Trx } from '#app/db/client.server.ts';
import { moveEnrolments } from '#app/features/enrolments/organisation.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { managersOf } from './queries.server.ts';

type Joining = {
  /** The organisation that ends. */
  from: number;
  /** The one into which it goes. */
  into: number;
};

/** Two organisations and what moves when the first is joined into the second (P118), said before it is done. */
export async function readJoining(db: Db, actor: StaffActor, { from, into }: Joining) {
  requirePermission(actor, 'companies:change');
  const rows = await db
    .selectFrom('organisations')
    .select(['id', 'legal_name', 'abn'])
    .where('id', 'in', [from, into])
    .execute();
  const [ends, stays] = [from, into].map((id) => rows.find((row) => row.id === id));
  if (!ends || !stays || from === into) return null;
  const count = async (table: 'enrolments' | 'offers') => {
    const query = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('rows'));
    return Number((await query.where('organisation_id', '=', from).executeTakeFirstOrThrow()).rows);
  };
  return {
    ends: { name: ends.legal_name, abn: ends.abn },
    stays: { name: stays.legal_name, abn: stays.abn },
    enrolments: await count('enrolments'),
    quotes: await count('offers'),
    managers: (await managersOf(db, from)).map(({ name, email }) => name ?? email),
  };
}

/**
 * Joins one organisation into another (P118): enrolments, quotes, dates held for it, managers, questions of buyers and what
 * was done move; what is agreed stays as the other has it, and its ABN too, unless it has none. False when one of them is
 * not there any more.
 */
export async function joinOrganisations(
  trx: Trx,
  { from, into, actor, at }: Joining & { actor: StaffActor; at: Date },
): Promise<boolean> {
  requirePermission(actor, 'companies:change');
  const locked = await trx
    .selectFrom('organisations')
    .select(['id', 'abn'])
    .where('id', 'in', [from, into])
    .orderBy('id')
    .forUpdate()
    .execute();
  if (locked.length !== 2) return false;
  const abn = locked.find(({ id }) => id === from)?.abn ?? null;
  await moveEnrolments(trx, { from, into });
  // Who manages both manages the other once.
  await trx
    .updateTable('organisation_managers')
    .set({ ended_at: at })
    .where('organisation_id', '=', from)
    .where('ended_at', 'is', null)
    .where('person_id', 'in', (query) =>
      query
        .selectFrom('organisation_managers as other')
        .select('other.person_id')
        .where('other.organisation_id', '=', into)
        .where('other.ended_at', 'is', null),
    )
    .execute();
  const others = ['offers', 'course_dates', 'organisation_managers', 'organisation_asks', 'organisation_acts'] as const;
  for (const table of others)
    await trx.updateTable(table).set({ organisation_id: into }).where('organisation_id', '=', from).execute();
  await trx.deleteFrom('organisations').where('id', '=', from).execute();
  await trx.updateTable('organisations').set({ abn }).where('id', '=', into).where('abn', 'is', null).execute();
  return true;
}
