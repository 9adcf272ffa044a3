import { randomBytes } from 'node:crypto';
import type { Db } from '../../db/client.server.ts';
import { type EnquiryKind, enquiryKinds } from './schema.ts';

/** The kind of a stored enquiry, null when no enquiry has the reference. */
export async function findEnquiryKind(db: Db, reference: string): Promise<EnquiryKind | null> {
  if (!/^BB-[2-9A-HJ-NP-Z]{6}$/.test(reference)) return null;
  const row = await db.selectFrom('enquiries').select('kind').where('reference', '=', reference).executeTakeFirst();
  return enquiryKinds.find((kind) => kind === row?.kind) ?? null;
}

/** The reference of the enquiry a form has sent already (P25). */
export async function findByIdempotencyKey(db: Db, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('enquiries')
    .select('reference')
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row?.reference ?? null;
}

/** Every enquiry, oldest first; of one kind when it is given. */
export async function listEnquiries(db: Db, kind?: string) {
  let query = db.selectFrom('enquiries').selectAll().orderBy('id');
  if (kind) query = query.where('kind', '=', kind);
  return query.execute();
}

/** The key that signs forms, made once and shared by every process on the database. */
export async function formSecret(db: Db): Promise<string> {
  await db
    .insertInto('program_secrets')
    .values({ name: 'form', value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('program_secrets')
    .select('value')
    .where('name', '=', 'form')
    .executeTakeFirstOrThrow();
  return row.value;
}
