import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';

/** How many buyers are offered at most; with more, staff have to type another word. */
const most = 8;

/** Buyers of earlier enrolments whose words fit, each once by their mailbox, the latest first. */
export async function findBuyers(db: Db, actor: StaffActor, search: string) {
  requirePermission(actor, 'enrolments:read');
  const named = wordsFit(search);
  if (!named) return [];
  const { rows } = await sql<{ reference: string; name: string; email: string; organisation: string | null }>`
    select reference, buyer_name as name, email, organisation from (
      select distinct on (mailbox) enrolments.* from enrolments
      where id in (select enrolment_id from enrolment_list where ${named} limit 500)
      order by mailbox, id desc
    ) as latest order by id desc limit ${most}`.execute(db);
  return rows;
}

/** The buyer of an earlier enrolment, as the fields of a new one; null when there is none. */
export async function buyerOf(db: Db, actor: StaffActor, reference: string) {
  requirePermission(actor, 'enrolments:read');
  const row = await db
    .selectFrom('enrolments')
    .select(['buyer_name', 'email', 'phone', 'organisation', 'abn', 'address', 'accounts_email'])
    .where('reference', '=', reference)
    .executeTakeFirst();
  if (!row) return null;
  const { buyer_name: buyerName, accounts_email: accountsEmail, ...rest } = row;
  return { buyerName, accountsEmail, ...rest };
}
