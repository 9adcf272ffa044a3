import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import { type Audience, forgetSignIns } from './sign-ins.server.ts';

/** Ends the links and codes of a person that were not used, of one audience or of both. */
export async function endAsks(trx: Db, personId: number, audience?: Audience): Promise<void> {
  await trx
    .deleteFrom('sign_in_asks')
    .where('email', 'in', trx.selectFrom('person_emails').select('email').where('person_id', '=', personId))
    .$if(audience !== undefined, (query) => query.where('audience', '=', sql<Audience>`${audience}`))
    .execute();
}

/**
 * Ends every sign-in, and every link and code to sign in or to add an address: after a backup was restored, which has
 * those again that people or owners ended since. Returns how many sign-ins.
 */
export async function endAllSignIns(trx: Db): Promise<number> {
  await trx.deleteFrom('sign_in_asks').execute();
  await trx.deleteFrom('address_asks').execute();
  const { numDeletedRows } = await trx.deleteFrom('sign_ins').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes the rows that have ended, as the periodic job does for requests to sign in. */
export async function forgetEnded(services: Pick<SignInServices, 'db' | 'clock'>): Promise<void> {
  const { db, clock } = services;
  const at = clock.now();
  await forgetSignIns(db, at);
  const ago = (minutes: number) => new Date(at.getTime() - minutes * 60_000);
  await db.deleteFrom('address_asks').where('asked_at', '<=', ago(addressLinkMinutes)).execute();
  await db
    .deleteFrom('account_changes')
    .where('made_at', '<=', ago(undoDays * 24 * 60))
    .execute();
}

/** The life of the link that proves a further address, and of the one that takes a change back (P54). */
export const addressLinkMinutes = 60;
export const undoDays = 7;
