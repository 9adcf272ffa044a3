import type { Trx } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { addressHash } from '#app/outbox/address-hash.server.ts';
import { countMail, countWithin, hasRoom, type MailLimit, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import type { Enrolment, Place } from './enrolment.ts';

/** Limits on changes that a buyer makes by the private link. Staff have none. */

/** How many mails a day tell one mailbox that one buyer gave it a place; other buyers are counted apart. */
const mostGiven = 2;
const givenLimits: readonly MailLimit[] = [{ most: mostGiven, hours: 24 }];
/** How often one buyer has one mailbox asked in a day whether invoices may be sent to it. */
const mostAsked = 2;
export const askedLimits: readonly MailLimit[] = [{ most: mostAsked, hours: 24 }];
/** Corrections of one enrolment that issue its invoices anew (P30): in a day, and in all. */
const mostCorrectionsOfDay = 3;
const mostCorrections = 10;
/** Changes of one enrolment in a day that send mail to others; more for many attendees. */
const mostChanges = 10;

/** The private link has reached its limit for changes that send mail to others (P24); nothing was written. */
export type TooManyMails = {
  ok: false;
  reason: 'too-many-mails';
  of: 'changes' | 'given' | 'asked' | 'corrections' | 'all-corrections';
  most: number;
};
const tooMany = (of: TooManyMails['of'], most: number): TooManyMails => ({
  ok: false,
  reason: 'too-many-mails',
  of,
  most,
});

type Limited = Pick<Enrolment, 'id' | 'email' | 'places'>;

/** The key of a mailbox that this buyer gives places; null for nobody, and for the buyer's own. */
async function keyOfGiven(trx: Trx, { email }: Limited, address: string | null): Promise<string | null> {
  if (address === null || mailboxOf(address) === mailboxOf(email)) return null;
  return mailboxKey(trx, await givenBy(trx, 'place-given', email), address);
}

/** What a buyer does to others is counted by the buyer: a stranger uses up nothing of theirs. */
export const givenBy = async (trx: Trx, kind: 'place-given' | 'accounts-address', buyer: string): Promise<string> =>
  `${kind} by ${await addressHash(trx, mailboxOf(buyer))}`;

/**
 * Counts a buyer's change of a locked enrolment that sends mail to others. If the change gives somebody a place, it
 * also checks whether that address may get one more today.
 */
export async function countChange(
  trx: Trx,
  enrolment: Limited,
  address: string | null,
  at: Date,
): Promise<TooManyMails | null> {
  const given = await keyOfGiven(trx, enrolment, address);
  if (given && !(await hasRoom(trx, new Map([[given, { limits: givenLimits }]]), at))) {
    return tooMany('given', mostGiven);
  }
  const attendees = new Set(enrolment.places.flatMap(({ state, attendee }) => (state === 'active' ? attendee.id : [])));
  const most = Math.max(mostChanges, attendees.size * 2);
  const counted = await countWithin(trx, `enrolment-changes:${enrolment.id}`, [{ most, hours: 24 }], at);
  return counted ? null : tooMany('changes', most);
}

/** Counts that a place is given to an address, after `countChange`. */
export async function countGiven(trx: Trx, enrolment: Limited, address: string | null, at: Date): Promise<void> {
  const key = await keyOfGiven(trx, enrolment, address);
  if (key) await countMail(trx, key, at);
}

/**
 * Counts the addresses to which a new enrolment gives places, and returns the attendees who are not told by email
 * because their mailbox was given two within a day: the enrolment stands, and they get their link when they ask for it.
 */
export async function countAllGiven(
  trx: Trx,
  enrolment: Limited,
  places: readonly Place[],
  at: Date,
): Promise<Set<number>> {
  const attendees = new Map(places.map(({ attendee: { id, email } }) => [id, email]));
  const keys = new Map<number, string>();
  for (const [id, email] of attendees) {
    const key = await keyOfGiven(trx, enrolment, email);
    if (key) keys.set(id, key);
  }
  // All are locked in one order first.
  await hasRoom(trx, new Map([...keys.values()].map((key) => [key, { limits: [] }])), at);
  const untold = new Set<number>();
  for (const [id, key] of keys) if (!(await countWithin(trx, key, givenLimits, at))) untold.add(id);
  return untold;
}

/** Whether we may ask a mailbox again today whether invoices may be sent to it. */
export async function canBeAsked(
  trx: Trx,
  { address, buyer }: { address: string; buyer: string },
  at: Date,
): Promise<TooManyMails | null> {
  const key = await mailboxKey(trx, await givenBy(trx, 'accounts-address', buyer), address);
  return (await hasRoom(trx, new Map([[key, { limits: askedLimits }]]), at)) ? null : tooMany('asked', mostAsked);
}

/** Counts a buyer's correction that issues invoices of a locked enrolment anew. */
export async function countCorrection(trx: Trx, enrolmentId: number, at: Date): Promise<TooManyMails | null> {
  const { corrections } = await trx
    .selectFrom('enrolments')
    .select('corrections')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  if (corrections >= mostCorrections) return tooMany('all-corrections', mostCorrections);
  const key = `corrections:${enrolmentId}`;
  const limits = [{ most: mostCorrectionsOfDay, hours: 24 }];
  if (!(await hasRoom(trx, new Map([[key, { limits }]]), at))) return tooMany('corrections', mostCorrectionsOfDay);
  await countMail(trx, key, at);
  await trx
    .updateTable('enrolments')
    .set((row) => ({ corrections: row('corrections', '+', 1) }))
    .where('id', '=', enrolmentId)
    .execute();
  return null;
}
