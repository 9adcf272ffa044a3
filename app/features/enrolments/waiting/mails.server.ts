import { href } from 'react-router';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type OverWhy, waitingJoined, waitingOffer, waitingOver } from '#app/emails/waiting-list.ts';

import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { courseDateWhen, shownDate } from '#app/features/enrolments/words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { formatDayAndMonth } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { claimAcknowledgement, nextAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { type Filling, isOf, makeLink } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { offerEnd } from './offer-end.server.ts';
import { readEntry } from './queries.server.ts';
import { confirmDays, untilText, type WaitingCourseDate, type WaitingEntry, waitingPath } from './rules.ts';

/** Mails an offer; returns the id of the mail, from whose delivery on its time runs. */
export async function queueOffer(
  trx: Trx,
  {
    entry,
    offerId,
    courseDate,
    seats,
  }: { entry: WaitingEntry; offerId: number; courseDate: LockedCourseDate; seats: number },
  moment: Moment,
): Promise<string> {
  const { academy } = moment;
  const [link, until] = [offerLink(offerId), offerEndOf(offerId)];
  const { title, priceCents } = await readCourse(trx, entry.courseId);
  const { when, day, where } = await readWaitingCourseDate(trx, courseDate.id);
  const id = await queueMail(trx, {
    kind: 'waiting-offer',
    about: { kind: 'waiting-entry', id: entry.id },
    to: entry.email,
    replyTo: academy.email,
    links: [link, until],
    ...waitingOffer({
      reference: entry.reference,
      title,
      when,
      day,
      where,
      seats,
      until: placeholderOf(until),
      price: entry.enrolmentId === null ? `${formatMoney(priceCents)} incl. GST` : null,
      link: placeholderOf(link),
      academy,
    }),
  });
  if (id === null) throw new Error('an offer has no key by which it could have been queued before');
  return id;
}

/** Says that an offer or the waiting is over; `courseDateId` is the course date concerned, null for the list of a course. */
export async function queueOver(
  trx: Db,
  entry: WaitingEntry,
  { why, courseDateId, waits }: { why: OverWhy; courseDateId: number | null; waits: boolean },
  { academy }: Pick<Moment, 'academy'>,
): Promise<void> {
  const { title, slug } = await readCourse(trx, entry.courseId);
  const courseDate = courseDateId === null ? null : await readWaitingCourseDate(trx, courseDateId);
  // A retired course has no page to book from.
  const courseLink = why === 'retired' ? href('/courses') : href('/course/:courseId', { courseId: slug });
  await queueMail(trx, {
    kind: 'waiting-over',
    about: { kind: 'waiting-entry', id: entry.id },
    to: entry.email,
    replyTo: academy.email,
    links: waits ? [waitingLink(entry.id)] : [],
    ...waitingOver({
      why,
      reference: entry.reference,
      title,
      when: courseDate?.when ?? null,
      day: courseDate?.day ?? null,
      waits,
      link: waits ? placeholderOf(waitingLink(entry.id)) : academy.url + courseLink,
      academy,
    }),
  });
}

/** A course that is waited for, with a price and its period. */
type WaitedCourse = { id: number; title: string; slug: string; priceId: number; priceCents: number };

/** A course with the lowest price since an offer of it was made (P28); without an offer, today's. */
export async function readCourse(db: Db, id: number, offeredAt: Date | null = null): Promise<WaitedCourse> {
  return db
    .selectFrom('courses')
    .innerJoin('prices', 'prices.course_id', 'courses.id')
    .select(['courses.id', 'title', 'slug', 'prices.id as priceId', 'amount_cents as priceCents'])
    .where('courses.id', '=', id)
    .where((eb) => eb.or([eb('until_at', 'is', null), eb('until_at', '>', offeredAt)]))
    .orderBy('amount_cents')
    .orderBy('prices.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** A course date in words. */
export async function readWaitingCourseDate(db: Db, id: number): Promise<WaitingCourseDate> {
  const row = await db
    .selectFrom('course_dates')
    .select(['id', 'slug', 'starts_on', 'ends_on', 'starts_at', 'ends_at', 'zone', 'delivery', 'venue'])
    .select('enrolment_ends_on')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const courseDate = {
    ...row,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    startsAt: row.starts_at.slice(0, 5),
    endsAt: row.ends_at.slice(0, 5),
  };
  return {
    id,
    slug: row.slug,
    when: courseDateWhen(courseDate),
    day: formatDayAndMonth(row.starts_on),
    where: deliveryText(courseDate),
    shown: shownDate(courseDate),
    enrolmentEndsOn: row.enrolment_ends_on,
  };
}

/** Entries that one mail lists at most; the others follow in the next hour. */
const mostListed = 20;

/**
 * Mails the private link of a new entry to its address, with all other entries not mailed to it yet, if no such mail
 * went to it within the hour (P24). Otherwise `tellJoined` mails it when the hour is over, unless the entry was mailed
 * before.
 */
export async function queueJoined(
  trx: Trx,
  entry: WaitingEntry,
  { again }: { again: boolean },
  moment: Moment,
): Promise<void> {
  const { now } = moment;
  const others = await lockUntold(trx, entry.email);
  if (await claimAcknowledgement(trx, entry.email, now)) {
    await queueList(trx, [entry.id, ...others.filter((id) => id !== entry.id)], moment);
  } else if (!again) {
    await putOff(trx, [entry.id], entry.email, now);
  }
}

/**
 * The periodic job: when the hour of an address is over, mails it all lists that it has joined since, in one mail.
 * Several processes may run it at once. Returns how many mails it queued.
 */
export async function tellJoined(db: Db, moment: Moment): Promise<number> {
  const { now } = moment;
  const items = await untold(db)
    .select('id')
    .distinctOn('mailbox')
    .where('tell_from', '<=', now)
    .orderBy('mailbox')
    .orderBy('id')
    .limit(limitOf(job, 200))
    .execute();
  const keyOf = ({ id }: { id: number }) => `waiting-entry:${id}`;
  return eachItem(db, { job, items, keyOf, at: now }, async (trx, { id }) => {
    const entry = await readEntry(trx, id);
    const ids = entry ? await lockUntold(trx, entry.email) : [];
    // None when another process is faster.
    if (!entry || ids.length === 0) return false;
    if (await claimAcknowledgement(trx, entry.email, now)) {
      await queueList(trx, ids, moment);
      return true;
    }
    await putOff(trx, ids, entry.email, now);
    return false;
  });
}

const job = 'tell of waiting lists';

const untold = (db: Db) =>
  db
    .selectFrom('waiting_entries')
    .where('tell_from', 'is not', null)
    .where('confirmed_at', 'is', null)
    .where('closed_at', 'is', null);

/**
 * The entries that an address was not told of, oldest first. Links go only to the address that was typed, never to
 * another spelling of its mailbox. Entries that somebody else changes at this moment are told of later.
 */
async function lockUntold(trx: Trx, email: string): Promise<number[]> {
  const rows = await untold(trx)
    .select('id')
    .where((row) => row(row.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .orderBy('id')
    .limit(mostListed)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

async function putOff(trx: Trx, ids: readonly number[], email: string, at: Date): Promise<void> {
  const from = await nextAcknowledgement(trx, email, at);
  await trx.updateTable('waiting_entries').set({ tell_from: from }).where('id', 'in', ids).execute();
}

async function queueList(trx: Trx, ids: readonly number[], { academy, now }: Moment): Promise<void> {
  const entries = [];
  const links: string[] = [];
  let to = '';
  for (const id of ids.slice(0, mostListed)) {
    const entry = await readEntry(trx, id);
    if (!entry) continue;
    to ||= entry.email;
    const { title } = await readCourse(trx, entry.courseId);
    const courseDate = entry.courseDateId === null ? null : await readWaitingCourseDate(trx, entry.courseDateId);
    const { reference, seats, confirmed } = entry;
    const link = placeholderOf(waitingLink(id));
    links.push(waitingLink(id));
    entries.push({
      id,
      reference,
      title,
      when: courseDate?.when ?? null,
      day: courseDate?.day ?? null,
      seats,
      confirmed,
      link,
    });
    await trx.updateTable('waiting_entries').set({ tell_from: null, told_at: now }).where('id', '=', id).execute();
  }
  const [first, ...others] = entries;
  if (!first) return;
  await queueMail(trx, {
    kind: 'waiting-joined',
    about: { kind: 'waiting-entry', id: first.id },
    to,
    replyTo: academy.email,
    links,
    ...waitingJoined({
      entries: [first, ...others],
      days: confirmDays,
      academy,
    }),
  });
}

/** Makes a further private link to an entry and returns its token, as enrolments do. */
export const makeWaitingToken = (trx: Db, entryId: number): Promise<string> =>
  makeLink(trx, { waiting_entry_id: entryId });

/** The name by which mails ask for the link to an entry. */
export const waitingLink = (entryId: number): string => `waiting:${entryId}`;

/** The name of the link to an offer, while it is open. */
const offerLink = (offerId: number): string => `waiting-offer:${offerId}`;

/** The placeholder in the mail of an offer for its end, which counts from when the mail server took the mail. */
const offerEndOf = (offerId: number): string => `waiting-offer-end:${offerId}`;

/** The links of mails about an entry, as long as it is there. */
export const waitingFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('waiting_entries').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) => origin + waitingPath(await makeWaitingToken(trx, id)),
};

/** The links of the mail of an offer: one that is over is not told of. */
export const waitingOfferFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    return isOf((await standing(db, id).select('email').forShare().executeTakeFirst())?.email, recipient);
  },
  async make(trx, [id = 0], origin) {
    const { entryId } = await standing(trx, id).select('entry_id as entryId').executeTakeFirstOrThrow();
    return origin + waitingPath(await makeWaitingToken(trx, entryId));
  },
};

/** The end of an offer whose mail is taken now. */
export const offerEndFilling = (clock: Clock): Filling => ({
  concerns: waitingOfferFilling.concerns,
  async make(trx, [id = 0]) {
    const courseDate = await standing(trx, id)
      .innerJoin('course_dates', 'course_dates.id', 'waiting_offers.course_date_id')
      .select(['enrolment_ends_on as enrolmentEndsOn', 'starts_on as startsOn'])
      .executeTakeFirstOrThrow();
    return untilText(offerEnd(clock.now(), courseDate));
  },
});

const standing = (db: Db, offerId: number) =>
  db
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .where('waiting_offers.id', '=', offerId)
    .where('ended_at', 'is', null);
