import type { Db } from '#app/db/client.server.ts';
import { networksOf } from '#app/http/client-address.server.ts';
import { askLimits, type FormLimit, type Room } from '#app/http/form-limit.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';

type Asked = {
  /** Its window and key; the numbers are here. */
  limit: FormLimit;
  /** The kind of mail; each kind is counted apart. */
  kind:
    | 'player-sign-in'
    | 'staff-sign-in'
    | 'address'
    | 'enrolment-code'
    | 'claim-code'
    | 'enrolment-links'
    | 'draft-link'
    | 'manager';
  /** The address that was typed. */
  to: string;
  /** The network address that asks. */
  from: string;
  /** A private link by which it is asked, and how often a day: its users share a network, which then counts for nothing. */
  link?: { name: string; most: number } | null;
};

/**
 * Whether there is room for a mail that anybody can ask for by typing an address (P24): ten in ten minutes from one
 * network, and to one mailbox from one network three in ten minutes and ten in a day. All count by who asks, so nothing
 * that strangers send keeps a person on another network from theirs. A refused person must be told that nothing was
 * sent: it tells only what was asked from here, and nothing about the address.
 */
export function askForMail(trx: Db, { limit, kind, to, from, link = null }: Asked, at: Date): Promise<Room> {
  const most = (attempts: number, name: string, windowMs = limit.windowMs) => ({
    attempts,
    attemptsOfWideNetwork: attempts * 4,
    windowMs,
    key: `${limit.key}:${kind}:${name}`,
  });
  const pair = `${mailboxOf(to)} from ${networksOf(from).site}`;
  const limits = [
    link === null
      ? { limit: most(10, 'network'), by: from }
      : { limit: most(link.most, 'link', dayMs), by: `link ${link.name}` },
    { limit: most(3, 'mailbox'), by: pair },
    { limit: most(10, 'day', dayMs), by: pair },
  ];
  return askLimits(trx, limits, at);
}
