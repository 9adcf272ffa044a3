import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { addressLink } from '#app/emails/accounts.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { moveMailsOfPerson } from '#app/outbox/withdraw-mail.server.ts';
import { addressLinkMinutes } from './sign-in-asks.server.ts';
import type { SignInServices } from './sign-in-context.ts';

const mostAddresses = 10;

/**
 * Mails a link that adds an address to a player's account (P50), in the caller's transaction. Whether somebody has the
 * address already is not told: who reads its mail decides.
 */
export async function askForAddress(
  trx: Db,
  { clock, academy, limit }: SignInServices,
  { personId, email, from }: { personId: number; email: string; from: string },
): Promise<{ ok: true } | { ok: false; reason: 'not-an-address' } | { ok: false; reason: 'too-many'; waitMs: number }> {
  const asked = emailAddressOf(email.trim())?.toLowerCase();
  if (!asked) return { ok: false, reason: 'not-an-address' };
  const at = clock.now();
  const room = await askForMail(trx, { limit, kind: 'address', to: asked, from }, at);
  if (!room.ok) return { ok: false, reason: 'too-many', waitMs: room.waitMs };
  await room.count();
  const token = makeToken();
  await trx
    .insertInto('address_asks')
    .values({ link_hash: hashOfToken(token), person_id: personId, email: asked, asked_at: at })
    .execute();
  await queueMail(trx, {
    kind: 'address-link',
    about: { kind: 'person', id: personId },
    secret: true,
    to: asked,
    replyTo: academy().email,
    staleAfter: new Date(at.getTime() + addressLinkMinutes * 60_000),
    ...addressLink({
      link: `${academy().url}${href('/account/address')}?token=${token}`,
      minutes: addressLinkMinutes,
      academy: academy(),
    }),
  });
  return { ok: true };
}

/**
 * Adds the address of a link to the account it was asked for, once, in the caller's transaction. What was bought or
 * attended under it comes along. Refused when it is staff's, or belongs to an account with further addresses or to one
 * that is about to be deleted (P58).
 */
export async function addAddress(
  trx: Db,
  { clock }: Pick<SignInServices, 'clock'>,
  { personId, token }: { personId: number; token: string },
): Promise<{ ok: true } | { ok: false; reason: 'none' | 'taken' | 'leaving' }> {
  const at = clock.now();
  const ask = await trx
    .deleteFrom('address_asks')
    .where('link_hash', '=', hashOfToken(token))
    .where('person_id', '=', personId)
    .where('asked_at', '>', new Date(at.getTime() - addressLinkMinutes * 60_000))
    .returning('email')
    .executeTakeFirst();
  if (!ask) return { ok: false, reason: 'none' };
  const { rows } = await sql<{ id: number | null }>`select person_of(${ask.email}) as id`.execute(trx);
  const other = rows[0]?.id ?? null;
  if (other === null || other === personId) return { ok: false, reason: 'none' };
  const addresses = trx.selectFrom('person_emails').select('email');
  const own = await addresses.where('person_id', '=', personId).execute();
  if (await isLeaving(trx, other)) return { ok: false, reason: 'leaving' };
  if (own.length >= mostAddresses || !(await joinPerson(trx, { from: other, to: personId }))) {
    return { ok: false, reason: 'taken' };
  }
  await trx.updateTable('person_emails').set({ verified_at: at }).where('email', '=', ask.email).execute();
  return { ok: true };
}

/** Whether a person's account was closed and is still to be deleted (P58). */
async function isLeaving(trx: Db, personId: number): Promise<boolean> {
  const closures = trx.selectFrom('account_closures').select('person_id').where('person_id', '=', personId);
  return (await closures.where('deleted_at', 'is', null).executeTakeFirst()) !== undefined;
}

/**
 * Tables in which `person_id` is the member of staff who acted and not the owner of the record. Some of them refuse
 * every update, even of no row.
 */
const writtenByStaff = ['audit_entries', 'planned_prices', 'promotions', 'work_marks'];

/**
 * Gives a person with one address to another, with all that names them, and deletes the row. False when the person has
 * done something as staff, or has further addresses.
 */
async function joinPerson(trx: Db, { from, to }: { from: number; to: number }): Promise<boolean> {
  await trx.selectFrom('people').select('id').where('id', 'in', [from, to]).orderBy('id').forUpdate().execute();
  const emails = await trx.selectFrom('person_emails').select('email').where('person_id', '=', from).execute();
  const { rows } = await sql<{ table: string; column: string }>`
    select relname as table, attname as column
    from pg_constraint join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'f' and confrelid = 'people'::regclass and relname <> 'players'
      and confdeltype = 'a'`.execute(trx);
  const isOwn = ({ table, column }: { table: string; column: string }) =>
    column === 'person_id' && !writtenByStaff.includes(table);
  const asStaff = [...rows.filter((one) => !isOwn(one)), { table: 'staff_roles', column: 'person_id' }];
  for (const { table, column } of asStaff) {
    const named = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${from} limit 1`.execute(trx);
    if (named.rows.length > 0) return false;
  }
  if (emails.length !== 1) return false;
  await trx.deleteFrom('players').where('person_id', '=', from).execute();
  for (const { table, column } of rows.filter(isOwn)) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(
      trx,
    );
  }
  // Mails about the former person may still wait.
  await moveMailsOfPerson(trx, { from, to });
  await trx.updateTable('people').set({ email: null }).where('id', '=', from).execute();
  await trx.updateTable('person_emails').set({ person_id: to }).where('person_id', '=', from).execute();
  // With the passkeys and factors by which they signed in.
  await trx.deleteFrom('people').where('id', '=', from).execute();
  return true;
}

/** Makes a proved address the main one, in the caller's transaction. Staff's stays: their role was granted to it (P52). */
export async function makeMain(
  trx: Db,
  { personId, email }: { personId: number; email: string },
): Promise<{ ok: boolean }> {
  const { numUpdatedRows } = await trx
    .updateTable('people')
    .set({ email })
    .where('id', '=', personId)
    .where('email', '<>', email)
    .where(({ exists, not, selectFrom }) =>
      exists(
        selectFrom('person_emails')
          .select('email')
          .where('person_id', '=', personId)
          .where('person_emails.email', '=', email)
          .where('verified_at', 'is not', null),
      ).and(not(exists(selectFrom('staff_roles').select('role').where('person_id', '=', personId)))),
    )
    .executeTakeFirstOrThrow();
  return { ok: numUpdatedRows === 1n };
}

/** Removes an address that is not the main one. What was bought or attended under it stays with the person. */
export async function removeAddress(
  trx: Db,
  { personId, email }: { personId: number; email: string },
): Promise<{ ok: boolean }> {
  const { numDeletedRows } = await trx
    .deleteFrom('person_emails')
    .where('person_id', '=', personId)
    .where('email', '=', email)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('people').select('id').where('id', '=', personId).where('people.email', '=', email))),
    )
    .executeTakeFirstOrThrow();
  return { ok: numDeletedRows === 1n };
}
