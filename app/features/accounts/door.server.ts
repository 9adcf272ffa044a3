import { createContext, href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { signInLink } from '#app/emails/sign-in-link.ts';
import { countAttempt, type FormLimit } from '#app/http/form-limit.server.ts';
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
 * Mails a link to sign in to the address if it is one of staff. The result is the same for every address that could
 * be one, so that nobody learns who is staff; too many requests from one network are refused.
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
  const staff = counted.email ? await findStaff(door.db, asked) : null;
  if (staff) await mailLink(door, staff, to);
  return { ok: true };
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
