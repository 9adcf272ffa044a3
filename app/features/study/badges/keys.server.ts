import { hkdfSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { opened, sealedWith } from '#app/lib/sealed.server.ts';
import type { Badges, OpenKey } from './badge.ts';
import { didOf, type PublicKey } from './documents.ts';

/** All keys, the oldest first, as everybody may know them. */
export async function readKeys(db: Db): Promise<(PublicKey & { id: number })[]> {
  const rows = await db
    .selectFrom('badge_keys')
    .select(['id', 'name', 'public_key', 'made_at', 'compromised_on'])
    .orderBy('id')
    .execute();
  return rows.map(({ id, name, public_key, made_at, compromised_on }) => ({
    id,
    name,
    publicKey: public_key,
    madeAt: made_at,
    compromisedOn: compromised_on,
  }));
}

/** The key that signs now, opened; null before the first one was made. */
export async function signingKey(db: Db, origin: string): Promise<(OpenKey & { keyId: number }) | null> {
  const row = await db
    .selectFrom('badge_keys')
    .select(['id', 'name', 'public_key', 'sealed_key'])
    .where('compromised_on', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row?.sealed_key) return null;
  const controller = didOf(origin);
  return {
    keyId: row.id,
    id: `${controller}#${row.name}`,
    controller,
    publicKey: row.public_key,
    secretKey: opened(await sealingKey(db), row.sealed_key),
  };
}

/** Makes the first key, unless there is one that signs; of several processes one does. */
export async function makeFirstKey(db: Db, badges: Pick<Badges, 'do'>, at: Date): Promise<void> {
  if (await signs(db)) return;
  await addKey(db, badges, at, true);
}

/** Makes a further key, which signs from now on. The old ones go on proving what they signed. Returns its name. */
export const rotateKey = (db: Db, badges: Pick<Badges, 'do'>, at: Date): Promise<string | null> =>
  addKey(db, badges, at, false);

async function addKey(db: Db, badges: Pick<Badges, 'do'>, at: Date, onlyFirst: boolean): Promise<string | null> {
  const { publicKey, secretKey } = await badges.do({ kind: 'make-key' });
  const sealed = sealedWith(await sealingKey(db), secretKey);
  return db.transaction().execute(async (trx) => {
    await sql`lock table badge_keys in share row exclusive mode`.execute(trx);
    if (onlyFirst && (await signs(trx))) return null;
    const { count } = await trx
      .selectFrom('badge_keys')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    const name = `key-${Number(count) + 1}`;
    await trx
      .insertInto('badge_keys')
      .values({ name, public_key: publicKey, sealed_key: sealed, made_at: at })
      .execute();
    return name;
  });
}

const signs = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('badge_keys').select('id').where('compromised_on', 'is', null).executeTakeFirst()) !== undefined;

/**
 * Records that others may have had a key since a day. The key proves nothing any more, its private part is destroyed,
 * and the job signs its badges again. Returns the number of badges; null when no such key signs.
 */
export async function compromiseKey(db: Db, name: string, day: string): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    const key = await trx
      .updateTable('badge_keys')
      .set({ compromised_on: day, sealed_key: null })
      .where('name', '=', name)
      .where('compromised_on', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!key) return null;
    const again = await trx
      .updateTable('certificate_badges')
      .set({ credential: null, key_id: null, origin: null, signed_at: null })
      .where('key_id', '=', key.id)
      .returning('certificate_id')
      .execute();
    return again.length;
  });
}

async function sealingKey(db: Db): Promise<Uint8Array> {
  const secret = await programSecret(db, 'badge-keys');
  return new Uint8Array(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', 'keys of badges', 32));
}
