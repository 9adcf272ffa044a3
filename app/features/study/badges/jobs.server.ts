import { createHash, randomBytes, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { certificateOf, rows } from '#app/features/study/certificates/queries.server.ts';
import { eachItemAlone, limitOf } from '#app/jobs/each-item.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import type { Badges } from './badge.ts';
import { badgeDocument, statusListDocument } from './documents.ts';
import { makeFirstKey, signingKey } from './keys.server.ts';

/** The bits of a list. */
const listLength = 131_072;
/** A list that is half full gets no further badges, so that a free bit is found at once. */
const mostInList = listLength / 2;
/** Badges signed in one run: some ten seconds. */
const mostAtOnce = 100;
const job = 'sign badges';
const renewAfterMs = dayMs;

/**
 * Signs the badges that are not signed yet, or were signed for another public origin, and renews the status lists. Does
 * nothing without a public origin. Several processes may do so at once. Returns how many badges were signed.
 */
export async function signBadges(db: Db, badges: Badges, at: Date): Promise<number> {
  if (badges.origin === null) return 0;
  const { origin } = badges;
  const items = await dueBadges(db, origin);
  const lists = await db.selectFrom('badge_lists').select('id').executeTakeFirst();
  // The last one that signed may have been compromised.
  if (items.length > 0 || lists) await makeFirstKey(db, badges, at);
  const signed = await eachItemAlone(db, { job, items, keyOf: ({ id }) => `certificate:${id}`, at }, (item) =>
    signBadge(db, badges, { ...item, origin, at }),
  );
  await renewLists(db, badges, at);
  return signed;
}

async function dueBadges(db: Db, origin: string) {
  return db
    .selectFrom('certificates')
    .leftJoin('certificate_badges as badge', 'badge.certificate_id', 'certificates.id')
    .select(['certificates.id', 'certificates.holder_email'])
    .where('certificates.state', '=', 'issued')
    .where('certificates.holder_email', 'is not', null)
    .where(({ or, eb }) => or([eb('badge.origin', 'is', null), eb('badge.origin', '<>', origin)]))
    .orderBy('certificates.id')
    .limit(limitOf(job, mostAtOnce))
    .execute();
}

type Due = { id: number; holder_email: string | null; origin: string; at: Date };

async function signBadge(db: Db, badges: Badges, { id, holder_email, origin, at }: Due): Promise<boolean> {
  const key = await signingKey(db, origin);
  const row = await rows(db).where('certificates.id', '=', id).executeTakeFirst();
  if (!key || !row || holder_email === null) return false;
  const status = await placeInList(db, id);
  const document = badgeDocument({
    certificate: certificateOf(row),
    email: holder_email,
    salt: randomBytes(16).toString('hex'),
    status,
    origin,
  });
  const { keyId, ...opened } = key;
  const credential = await badges.do({ kind: 'sign', document, key: opened, at: at.toISOString() });
  const { numUpdatedRows } = await db
    .updateTable('certificate_badges')
    .set({ credential: JSON.stringify(credential), key_id: keyId, origin, signed_at: at })
    .where('certificate_id', '=', id)
    // Another process may have signed it since. A badge that was handed out does not change.
    .where(({ or, eb }) => or([eb('origin', 'is', null), eb('origin', '<>', origin)]))
    // And a key may have been found to be compromised, or the holder been erased.
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('badge_keys').select('id').where('id', '=', keyId).where('compromised_on', 'is', null)),
    )
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('certificates').select('id').where('id', '=', id).where('holder_email', 'is not', null)),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The bit of a badge: the one it has, or a free one at random, so that the order tells nothing about its holder. */
async function placeInList(db: Db, certificateId: number): Promise<{ listId: number; index: number }> {
  for (;;) {
    const known = await db
      .selectFrom('certificate_badges')
      .select(['list_id', 'list_index'])
      .where('certificate_id', '=', certificateId)
      .executeTakeFirst();
    if (known) return { listId: known.list_id, index: known.list_index };
    await db
      .insertInto('certificate_badges')
      .values({ certificate_id: certificateId, list_id: await openList(db), list_index: randomInt(listLength) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The list that takes further badges; of several processes one makes the next. */
async function openList(db: Db): Promise<number> {
  const known = await listWithRoom(db);
  if (known !== null) return known;
  return db.transaction().execute(async (trx) => {
    await sql`lock table badge_lists in share row exclusive mode`.execute(trx);
    const made = await listWithRoom(trx);
    if (made !== null) return made;
    return (await trx.insertInto('badge_lists').defaultValues().returning('id').executeTakeFirstOrThrow()).id;
  });
}

async function listWithRoom(db: Db): Promise<number | null> {
  const last = await db
    .selectFrom('badge_lists')
    .select('id')
    .select(({ selectFrom }) =>
      selectFrom('certificate_badges')
        .select(({ fn }) => fn.countAll<string>().as('taken'))
        .whereRef('list_id', '=', 'badge_lists.id')
        .as('taken'),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last && Number(last.taken) < mostInList ? last.id : null;
}

/** Signs each status list again that changed, that has another key or origin now, or that is a day old. */
async function renewLists(db: Db, badges: Badges, at: Date): Promise<void> {
  const { origin } = badges;
  if (origin === null) return;
  const lists = await db.selectFrom('badge_lists').select(['id', 'signed_for', 'signed_at']).orderBy('id').execute();
  const key = lists.length > 0 ? await signingKey(db, origin) : null;
  if (!key) return;
  const { keyId, ...opened } = key;
  for (const { id, signed_for, signed_at } of lists) {
    const revoked = await revokedIn(db, id);
    const wanted = createHash('sha256')
      .update(JSON.stringify([origin, keyId, revoked]))
      .digest('hex');
    // A list signed a day ahead was signed by a wrong clock.
    const isOld = signed_at === null || Math.abs(at.getTime() - signed_at.getTime()) >= renewAfterMs;
    if (signed_for === wanted && !isOld) continue;
    const credential = await badges.do({
      kind: 'sign-list',
      document: statusListDocument({ listId: id, origin, at }),
      revoked,
      key: opened,
      at: at.toISOString(),
    });
    await db
      .updateTable('badge_lists')
      .set({ credential: JSON.stringify(credential), signed_for: wanted, signed_at: at })
      .where('id', '=', id)
      // The process that saw the later time knew more.
      .where(({ or, eb }) =>
        or([
          eb('signed_at', 'is', null),
          eb('signed_at', '<=', at),
          eb('signed_at', '>=', new Date(at.getTime() + renewAfterMs)),
        ]),
      )
      .execute();
  }
}

/** The bits that are set: of all that do not hold any more, in order. */
async function revokedIn(db: Db, listId: number): Promise<number[]> {
  const ended = await db
    .selectFrom('certificate_badges')
    .innerJoin('certificates', 'certificates.id', 'certificate_id')
    .select('list_index')
    .where('list_id', '=', listId)
    .where('state', '<>', 'issued')
    .orderBy('list_index')
    .execute();
  return ended.map(({ list_index }) => list_index);
}
