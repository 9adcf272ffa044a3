import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { XpEntries } from '#app/db/schema.ts';
import { xpEarned } from './rules.ts';
import { readStudy } from './study.server.ts';

/** The record that an entry cites: an attendance mark, the mark of an exercise, or a certificate. */
export type XpSource = { kind: 'attendance' | 'exercise' | 'certificate'; id: number };

/**
 * Locks a place until the transaction ends, so that its records are counted one after the other. Every writer of the
 * ledger begins with it. Throws when there is no such place.
 */
export async function lockPlace(trx: Trx, placeId: number): Promise<void> {
  await trx.selectFrom('places').select('id').where('id', '=', placeId).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/**
 * Writes the effect of a record of a locked place to the ledger (P62). It reverses the entries of records that no
 * longer count, then credits the record with the rounded total of the progress, less what the ledger has. The
 * certificate of a finished place is credited again with the rest, so that the sum stays the XP of the course.
 */
export async function creditPlace(
  trx: Trx,
  placeId: number,
  { source, withdrawn, at }: { source: XpSource; withdrawn: readonly XpSource[]; at: Date },
): Promise<void> {
  for (const record of withdrawn) {
    const entry = await standingEntry(trx, placeId, record);
    if (entry) await reverse(trx, entry, at);
  }
  const { courseXp, share } = await readStudy(trx, placeId);
  const { own, before } = await sumsOf(trx, placeId);
  const certificate = await standingEntry(trx, placeId, { kind: 'certificate' });
  const earned = own - (certificate?.points ?? 0);
  // XP earned before a move to another date is not earned again.
  const points = Math.max(0, xpEarned(courseXp, share) - before) - earned;
  if (points !== 0) await writeEntry(trx, placeId, { source, points, at });
  const rest = restOf(courseXp, before + earned + points);
  if (!certificate || rest === certificate.points) return;
  await reverse(trx, certificate, at);
  await writeEntry(trx, placeId, { source: { kind: 'certificate', id: certificate.source_id }, points: rest, at });
}

/** Credits the rest of a course's XP, because its certificate was issued: progress is 100 per cent now (P43, P61). */
export async function placeFinished(
  trx: Trx,
  placeId: number,
  { certificateId, at }: { certificateId: number; at: Date },
): Promise<void> {
  await lockPlace(trx, placeId);
  const { courseXp } = await readStudy(trx, placeId);
  const { own, before } = await sumsOf(trx, placeId);
  const source = { kind: 'certificate', id: certificateId } as const;
  await writeEntry(trx, placeId, { source, points: restOf(courseXp, own + before), at });
}

/**
 * Takes back the XP of a certificate that was undone or revoked; without an id, of all of the place's. A
 * repeat does nothing.
 */
export async function placeUnfinished(
  trx: Trx,
  placeId: number,
  { certificateId, at }: { certificateId?: number; at: Date },
): Promise<void> {
  await lockPlace(trx, placeId);
  const source = { kind: 'certificate', ...(certificateId !== undefined && { id: certificateId }) } as const;
  for (;;) {
    const entry = await standingEntry(trx, placeId, source);
    if (!entry) return;
    await reverse(trx, entry, at);
  }
}

/** Whether a certificate that was not taken back completes the place. */
export async function isFinished(db: Db, placeId: number): Promise<boolean> {
  return (await standingEntry(db, placeId, { kind: 'certificate' })) !== undefined;
}

const restOf = (courseXp: number, earned: number): number => Math.max(0, courseXp - earned);

type Entry = Pick<Selectable<XpEntries>, 'id' | 'place_id' | 'points' | 'source_kind' | 'source_id'>;

/** The entry of a record that was not reversed; without an id, of any record of the kind. */
function standingEntry(
  db: Db,
  placeId: number,
  { kind, id }: Pick<XpSource, 'kind'> & Partial<XpSource>,
): Promise<Entry | undefined> {
  return db
    .selectFrom('xp_entries as entry')
    .select(['id', 'place_id', 'points', 'source_kind', 'source_id'])
    .where('place_id', '=', placeId)
    .where('source_kind', '=', kind)
    .$if(id !== undefined, (query) => query.where('source_id', '=', id ?? 0))
    .where('reverses', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('xp_entries as taken').select('taken.id').whereRef('taken.reverses', '=', 'entry.id'))),
    )
    .executeTakeFirst();
}

async function reverse(trx: Trx, { id, points, ...entry }: Entry, at: Date): Promise<void> {
  await trx
    .insertInto('xp_entries')
    .values({ ...entry, points: -points, reverses: id, at })
    .execute();
}

async function writeEntry(
  trx: Trx,
  placeId: number,
  { source: { kind, id }, points, at }: { source: XpSource; points: number; at: Date },
): Promise<void> {
  await trx
    .insertInto('xp_entries')
    .values({ place_id: placeId, points, source_kind: kind, source_id: id, at })
    .execute();
}

/** Points of a place, and of the places that it was moved from. */
async function sumsOf(trx: Trx, placeId: number): Promise<{ own: number; before: number }> {
  const { rows } = await sql<{ own: number; before: number }>`
    with recursive chain as (
      select id, transferred_from from places where id = ${placeId}
      union all select places.id, places.transferred_from from places join chain on places.id = chain.transferred_from
    )
    select coalesce(sum(points) filter (where place_id = ${placeId}), 0)::int as own,
      coalesce(sum(points) filter (where place_id <> ${placeId}), 0)::int as before
    from xp_entries where place_id in (select id from chain)`.execute(trx);
  return rows[0] ?? { own: 0, before: 0 };
}
