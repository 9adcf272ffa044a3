import { sql } from 'kysely';
import { createContext, href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { signInLink } from '#app/emails/sign-in-link.ts';
import { networksOf } from '#app/http/client-address.server.ts';
import { askLimits, type FormLimit } from '#app/http/form-limit.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { findStaff, type Staff } from './queries.server.ts';
import { linkMinutes, type SignIns } from './sign-ins.server.ts';

/** The services behind sign-in pages and links. */
export type SignIn = {
  db: Db;
  signIns: SignIns;
  academy: () => MailAcademy;
  clock: Clock;
  /** How many links one network address may ask for. */
  limit: FormLimit;
  /** How many links are sent to one email address at the request of one network, and of all. */
  limitOfEmail: { byNetwork: FormLimit; inAll: FormLimit };
};
export const signInContext = createContext<SignIn>();

/**
 * Notes a request for a link to sign in; `sendRequestedLinks` mails the link if the address belongs to staff. The work
 * and the result here are the same for every address, so that nobody learns who is staff. Too many requests from one
 * network are refused.
 */
export async function requestLink(
  signIn: SignIn,
  { email, to, from }: { email: string; to: string; from: string },
): Promise<{ ok: true } | { ok: false; reason: 'not-an-address' | 'too-many' }> {
  const asked = emailAddressOf(email.trim())?.toLowerCase();
  if (!asked) return { ok: false, reason: 'not-an-address' };
  const now = signIn.clock.now();
  const room = await signIn.db.transaction().execute((trx) => countLink(trx, signIn, { asked, from, now }));
  if (room === 'too-many-of-network') return { ok: false, reason: 'too-many' };
  // The mail is not written here: the time it takes would tell who is staff.
  if (room === 'within')
    await signIn.db.insertInto('sign_in_requests').values({ email: asked, leads_to: to }).execute();
  return { ok: true };
}

/**
 * Counts a request for a link unless its network, or the address over all networks, has reached a limit. A refused
 * network does not count against the address. One network can use up only its own share of an address, so its owner can
 * still ask from another network. If several networks use up the whole limit, the mailed links outlast it.
 */
async function countLink(
  trx: Db,
  { limit, limitOfEmail }: SignIn,
  { asked, from, now }: { asked: string; from: string; now: Date },
): Promise<'within' | 'too-many-of-network' | 'too-many-in-all'> {
  const room = await askLimits(
    trx,
    [
      { limit, by: from },
      { limit: limitOfEmail.byNetwork, by: `${asked} from ${networksOf(from).site}` },
      { limit: limitOfEmail.inAll, by: asked },
    ],
    now,
  );
  if (!room.ok) return room.reached.limit === limitOfEmail.inAll ? 'too-many-in-all' : 'too-many-of-network';
  await room.count();
  return 'within';
}

/**
 * The periodic job: mails a link to each member of staff who asked for one. It deletes requests of other people, and
 * requests that are too old. Returns how many links it mailed.
 */
export async function sendRequestedLinks(signIn: Omit<SignIn, 'limit' | 'limitOfEmail'>): Promise<number> {
  const { db, clock } = signIn;
  await db
    .deleteFrom('sign_in_requests')
    .where('requested_at', '<', sql<Date>`now() - make_interval(mins => ${linkMinutes})`)
    .execute();
  const items = await db.selectFrom('sign_in_requests').select('id').orderBy('id').limit(100).execute();
  const keyOf = ({ id }: { id: number }) => `sign-in-request:${id}`;
  return eachItem(db, { job: 'send links to sign in', items, keyOf, at: clock.now() }, async (trx, { id }) => {
    const asked = await trx
      .deleteFrom('sign_in_requests')
      .where('id', '=', id)
      .returning(['email', 'leads_to'])
      .executeTakeFirst();
    const staff = asked && (await findStaff(trx, asked.email));
    if (staff) await queueLink(trx, signIn, { staff, to: asked.leads_to });
    return Boolean(staff);
  });
}

/** Makes a link to sign in, mails it and returns it. */
export function mailLink(
  signIn: Pick<SignIn, 'db' | 'signIns' | 'academy' | 'clock'>,
  staff: Staff,
  to: string,
): Promise<string> {
  return signIn.db.transaction().execute((trx) => queueLink(trx, signIn, { staff, to }));
}

async function queueLink(
  trx: Db,
  { signIns, academy, clock }: Pick<SignIn, 'signIns' | 'academy' | 'clock'>,
  { staff, to }: { staff: Staff; to: string },
): Promise<string> {
  const query = new URLSearchParams({ token: await signIns.createToken(staff.email), to });
  const link = `${academy().url}${href('/staff/sign-in/confirm')}?${query}`;
  await queueMail(trx, {
    kind: 'sign-in-link',
    about: { kind: 'person', id: staff.id },
    secret: true,
    to: staff.email,
    replyTo: academy().email,
    staleAfter: new Date(clock.now().getTime() + linkMinutes * 60_000),
    ...signInLink({ link, minutes: linkMinutes, academy: academy() }),
  });
  return link;
}
