import { createContext, href } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { signInLink } from '#app/emails/sign-in-link.ts';
import { networksOf } from '#app/http/client-address.server.ts';
import { askLimits, type FormLimit } from '#app/http/form-limit.server.ts';
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
  /** How many links are sent to one e-mail address at the request of one network, and of all. */
  limitOfEmail: { byNetwork: FormLimit; inAll: FormLimit };
};
export const doorContext = createContext<Door>();

const emailSchema = z.string().trim().max(254).pipe(z.email());

/**
 * Mails a link to sign in to the address if it is one of staff. The result is the same for every address that could
 * be one, so that nobody learns who is staff; too many requests from one network are refused.
 */
export async function requestLink(
  door: Door,
  { email, to, from }: { email: string; to: string; from: string },
): Promise<{ ok: true } | { ok: false; reason: 'not-an-address' | 'too-many' }> {
  const parsed = emailSchema.safeParse(email);
  if (!parsed.success) return { ok: false, reason: 'not-an-address' };
  const now = door.trueNow();
  const asked = parsed.data.toLowerCase();
  const room = await door.db.transaction().execute((trx) => countLink(trx, door, { asked, from, now }));
  if (room === 'too-many-of-network') return { ok: false, reason: 'too-many' };
  const staff = room === 'too-many-in-all' ? null : await findStaff(door.db, asked);
  if (staff) await mailLink(door, staff, to);
  return { ok: true };
}

/**
 * Counts a request for a link unless a limit was reached, of its network or of all for this address. A network that was refused uses up nothing of
 * the address. One that was not can use up its own share of an address only, so that its owner keeps a chance from
 * another network; and whoever uses up the whole had mail sent whose links hold longer than the limit lasts.
 */
async function countLink(
  trx: Db,
  { limit, limitOfEmail }: Door,
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

/** Makes a link to sign in, mails it and returns it. */
export async function mailLink(
  { db, signIns, academy, trueNow }: Pick<Door, 'db' | 'signIns' | 'academy' | 'trueNow'>,
  staff: Staff,
  to: string,
): Promise<string> {
  const query = new URLSearchParams({ token: await signIns.createToken(staff.email), to });
  const link = `${academy().url}${href('/staff/sign-in/confirm')}?${query}`;
  await db.transaction().execute((trx) =>
    queueMail(trx, {
      kind: 'sign-in-link',
      secret: true,
      to: staff.email,
      replyTo: academy().email,
      staleAfter: new Date(trueNow().getTime() + linkMinutes * 60_000),
      ...signInLink({ link, minutes: linkMinutes, academy: academy() }),
    }),
  );
  return link;
}
