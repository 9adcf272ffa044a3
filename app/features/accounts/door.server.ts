import { sql } from 'kysely';
import { createContext, href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { signInLink } from '#app/emails/sign-in-link.ts';
import { countAttempt, type FormLimit } from '#app/http/form-limit.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { findStaff } from './queries.server.ts';
import { linkMinutes, type SignIns } from './sign-ins.server.ts';
import type { Staff } from './staff.ts';

/** What asking for a link to sign in needs of the process. */
export type Door = {
  db: Db;
  signIns: SignIns;
  academy: () => MailAcademy;
  trueNow: () => Date;
  /** How many links one network address may ask for. */
  limit: FormLimit;
  /** How many links are sent to one e-mail address. */
  limitOfEmail: FormLimit;
};
export const doorContext = createContext<Door>();

/**
 * Notes that a link to sign in was asked for; `sendRequestedLinks` mails it if the address is one of staff. What is done
 * here and its result are the same for every address that could be one, so that nobody learns who is staff; too many
 * requests from one network are refused.
 */
export async function requestLink(
  door: Door,
  { email, to, from }: { email: string; to: string; from: string },
): Promise<{ ok: true } | { ok: false; reason: 'not-an-address' | 'too-many' }> {
  const asked = emailAddressOf(email.trim())?.toLowerCase();
  if (!asked) return { ok: false, reason: 'not-an-address' };
  const now = door.trueNow();
  const counted = await door.db.transaction().execute(async (trx) => ({
    network: await countAttempt(trx, door.limit, from, now),
    email: await countAttempt(trx, door.limitOfEmail, asked, now),
  }));
  if (!counted.network) return { ok: false, reason: 'too-many' };
  // Nothing of what follows the answer is done here: the time it takes would tell who is staff.
  if (counted.email) await door.db.insertInto('sign_in_requests').values({ email: asked, leads_to: to }).execute();
  return { ok: true };
}

/**
 * The periodic job: mails a link to each of staff who asked for one; forgets what others asked for, and what nobody
 * could send in time. Returns how many it mailed.
 */
export async function sendRequestedLinks(door: Omit<Door, 'limit' | 'limitOfEmail'>): Promise<number> {
  const { db, trueNow } = door;
  await db
    .deleteFrom('sign_in_requests')
    .where('requested_at', '<', sql<Date>`now() - make_interval(mins => ${linkMinutes})`)
    .execute();
  const items = await db.selectFrom('sign_in_requests').select('id').orderBy('id').limit(100).execute();
  const keyOf = ({ id }: { id: number }) => `sign-in-request:${id}`;
  return eachItem(db, { job: 'send links to sign in', items, keyOf, at: trueNow() }, async (trx, { id }) => {
    const asked = await trx
      .deleteFrom('sign_in_requests')
      .where('id', '=', id)
      .returning(['email', 'leads_to'])
      .executeTakeFirst();
    const staff = asked && (await findStaff(trx, asked.email));
    if (staff) await queueLink(trx, door, { staff, to: asked.leads_to });
    return Boolean(staff);
  });
}

/** Makes a link to sign in, mails it and returns it. */
export function mailLink(
  door: Pick<Door, 'db' | 'signIns' | 'academy' | 'trueNow'>,
  staff: Staff,
  to: string,
): Promise<string> {
  return door.db.transaction().execute((trx) => queueLink(trx, door, { staff, to }));
}

async function queueLink(
  trx: Db,
  { signIns, academy, trueNow }: Pick<Door, 'signIns' | 'academy' | 'trueNow'>,
  { staff, to }: { staff: Staff; to: string },
): Promise<string> {
  const query = new URLSearchParams({ token: await signIns.createToken(staff.email), to });
  const link = `${academy().url}${href('/staff/sign-in/confirm')}?${query}`;
  await queueMail(trx, {
    kind: 'sign-in-link',
    secret: true,
    to: staff.email,
    replyTo: academy().email,
    staleAfter: new Date(trueNow().getTime() + linkMinutes * 60_000),
    ...signInLink({ link, minutes: linkMinutes, academy: academy() }),
  });
  return link;
}
