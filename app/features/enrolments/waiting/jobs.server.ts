import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { lockCourseDates, setHoldEnd, takesEnrolmentsOn } from '#app/features/course-dates/seats.server.ts';
import { lockEnrolment } from '#app/features/enrolments/lock-enrolment.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { eachItem, eachPart, limitOf } from '#app/jobs/each-item.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { closeEntry, followBuyer, lockEntry, offeredCourseDates } from './entries.server.ts';
import { queueOver } from './mails.server.ts';
import { offerEnd } from './offer-end.server.ts';
import { offerInTurn, untoldOffers } from './offers.server.ts';
import { readEntry } from './queries.server.ts';
import { offerMs } from './rules.ts';

/**
 * Keeps the waiting lists (P48), about every second in every process. It starts the time of offers whose mail was
 * delivered and ends offers whose mail failed. It closes entries of dates that can no longer be booked, tells people
 * that their offers are over, and offers free seats in order. `seats_reserved` keeps these seats from the public, so
 * the job may run late. A fault with one entry or offer is recorded for staff, and the others go on.
 */
export async function keepWaitingLists(db: Db, moment: Moment): Promise<void> {
  await eachPart(db, job, moment.now, {
    'offers whose message was taken': () => timeOffers(db, moment),
    'lists of dates that are over': () => closeOver(db, moment),
    'offers that are over': () => tellOver(db, moment),
    'places bought without a date': () => syncPlaces(db, job, moment),
    'free seats': () => offerFreeSeats(db, moment),
  });
}

const job = 'keep waiting lists';
const offerKey = ({ id }: { id: number }) => `waiting-offer:${id}`;

/**
 * How long an offer waits for staff to send its message again, once no mail server took it for as long as it was tried.
 */
const againMs = offerMs;

/**
 * Starts the time of offers when the mail server has taken their message. One that it refused ends its offer at once;
 * one that was never handed over, or nobody knows, does so when staff have not sent it again within 72 hours.
 */
async function timeOffers(db: Db, moment: Moment): Promise<void> {
  const { now } = moment;
  const items = await db
    .selectFrom('waiting_offers')
    .leftJoin('mails', 'mails.id', 'mail_id')
    .select(['waiting_offers.id', 'entry_id as entryId', 'mails.state', 'settled_at as settledAt'])
    .where('ended_at', 'is', null)
    .where('mailed_at', 'is', null)
    .where((row) =>
      row.or([
        row('mails.id', 'is', null),
        row('mails.state', 'in', ['sent', 'dropped']),
        row.and([
          row('mails.state', '=', 'failed'),
          row.or([refused, row('settled_at', '<', new Date(now.getTime() - againMs))]),
        ]),
      ]),
    )
    .orderBy('waiting_offers.id')
    .execute();
  await eachItem(db, { job, items, keyOf: offerKey, at: now }, async (trx, { id, entryId, state, settledAt }) => {
    const locked = await lockEntry(trx, entryId, now);
    if (!locked.ok || locked.entry.offer?.id !== id || locked.entry.offer.until !== null) return false;
    const { entry, courseDates } = locked;
    const { offer } = entry;
    const courseDate = offer && courseDates.get(offer.courseDateId);
    if (state !== 'sent' || !settledAt) {
      await closeEntry(trx, locked, 'undeliverable', now);
      return true;
    }
    if (!offer || !courseDate) return false;
    const until = offerEnd(settledAt, courseDate);
    await setHoldEnd(trx, offer.holdId, until);
    await trx.updateTable('waiting_offers').set({ mailed_at: settledAt }).where('id', '=', id).execute();
    return true;
  });
}

/** Whether the last attempt at a mail was refused for good. */
const refused = sql<boolean>`(select attempt.outcome = 'refused' from mail_attempts attempt
  where attempt.mail_id = mails.id order by attempt.number desc limit 1)`;

/**
 * Closes the lists of dates that are cancelled, retired or closed for enrolment, and of retired courses, and tells
 * those on them.
 */
async function closeOver(db: Db, moment: Moment): Promise<void> {
  const { today, now } = moment;
  const items = await db
    .selectFrom('waiting_entries')
    .innerJoin('courses', 'courses.id', 'waiting_entries.course_id')
    .leftJoin('course_dates', 'course_dates.id', 'course_date_id')
    .select(['waiting_entries.id', 'course_date_id as courseDateId', 'course_dates.state'])
    .select('courses.retired_at as courseRetiredAt')
    .where('closed_at', 'is', null)
    .where((row) =>
      row.or([
        // A course is not retired while places that were bought wait for its next date.
        row.and([row('courses.retired_at', 'is not', null), row('enrolment_id', 'is', null)]),
        sql<boolean>`not ${takesEnrolmentsOn(today)}`,
      ]),
    )
    .orderBy('waiting_entries.id')
    .limit(limitOf(job, 100))
    .execute();
  await eachItem(
    db,
    { job, items, keyOf: entryKey, at: now },
    async (trx, { id, courseDateId, state, courseRetiredAt }) => {
      const locked = await lockEntry(trx, id, now);
      if (!locked.ok || locked.entry.closedAt !== null) return false;
      await closeEntry(trx, locked, 'over', now);
      await trx
        .updateTable('waiting_offers')
        .set({ told_at: now })
        .where('entry_id', '=', id)
        .where('told_at', 'is', null)
        .execute();
      // The address was never confirmed, so it gets no mail.
      if (!locked.entry.confirmed) return true;
      const why = courseRetiredAt ? 'retired' : state === 'cancelled' ? 'cancelled' : 'closed';
      await queueOver(trx, locked.entry, { why, courseDateId, waits: false }, moment);
      return true;
    },
  );
}

/**
 * Mails the people whose offer ran out or was withdrawn. Entries for the next date stay on the list when the academy
 * cancels the date they were offered.
 */
async function tellOver(db: Db, moment: Moment): Promise<void> {
  const { now } = moment;
  const items = await untoldOffers(db)
    .select('waiting_offers.id')
    .orderBy('waiting_offers.id')
    .limit(limitOf(job, 100))
    .execute();
  await eachItem(db, { job, items, keyOf: offerKey, at: now }, async (trx, { id }) => {
    const offer = await untoldOffers(trx)
      .innerJoin('course_dates', 'course_dates.id', 'course_date_id')
      .select(['entry_id as entryId', 'course_date_id as courseDateId', 'ended', 'state'])
      .where('waiting_offers.id', '=', id)
      .forUpdate('waiting_offers')
      .skipLocked()
      .executeTakeFirst();
    if (!offer) return false;
    const { entryId, courseDateId, ended, state } = offer;
    await trx.updateTable('waiting_offers').set({ told_at: now }).where('id', '=', id).execute();
    const cancelled = state === 'cancelled' && ended === 'withdrawn';
    if (cancelled) {
      await trx.updateTable('waiting_entries').set({ paused_at: null }).where('id', '=', entryId).execute();
    }
    const entry = await readEntry(trx, entryId);
    if (!entry || entry.closedWhy === 'bought' || entry.closedWhy === 'left') return false;
    // Places that were bought wait again as soon as their offer is over.
    const waits = entry.closedAt === null || entry.enrolmentId !== null;
    const why = cancelled ? 'cancelled' : ended === 'lapsed' ? 'lapsed' : 'withdrawn';
    await queueOver(trx, entry, { why, courseDateId, waits }, moment);
    return true;
  });
}

/** Offers free seats to everybody whose turn it is, each in a transaction of its own and in their order. */
async function offerFreeSeats(db: Db, moment: Moment): Promise<void> {
  const { today, now } = moment;
  const { rows: courseDates } = await sql<{ id: number }>`
    select id from course_dates s
    where ${takesEnrolmentsOn(today, 's')}
      and exists (select from waiting_entries w where w.course_id = s.course_id and w.closed_at is null and w.paused_at is null)
      and exists (select from waiting_turns(s.id))
    order by id`.execute(db);
  for (const { id: courseDateId } of courseDates) {
    // Read again for each course date: an entry with an offer for one date is not offered another.
    const { rows: items } = await sql<{ id: number }>`
      select entry_id as id from waiting_turns(${courseDateId})`.execute(db);
    await eachItem(db, { job, items, keyOf: entryKey, at: now }, async (trx, { id }) => {
      const courseDate = (await lockCourseDates(trx, [courseDateId], now)).get(courseDateId);
      if (!courseDate || courseDate.state === 'cancelled') return false;
      return offerInTurn(trx, courseDate, id, moment);
    });
  }
}

/**
 * Gives places that were bought without a date their entry on the course's list, with as many seats as there are places,
 * and closes it when none is left. After a date that was declined or lapsed they wait again, behind the others. An entry
 * has the address that its buyer has now.
 */
async function syncPlaces(db: Db, job: string, moment: Moment): Promise<void> {
  await addMissing(db, job, moment);
  await correctSeats(db, job, moment);
  await correctAddresses(db, job, moment);
}

type Missing = { enrolment_id: number; course_id: number; seats: number; name: string; email: string; since: Date };

async function addMissing(db: Db, job: string, { now }: Moment): Promise<void> {
  const { rows: items } = await sql<Missing>`
    select p.enrolment_id, p.course_id, count(*)::integer as seats, e.buyer_name as name, e.email,
      case when exists (select from waiting_entries w where w.enrolment_id = p.enrolment_id and w.course_id = p.course_id)
        then ${now} else min(p.placed_at) end as since
    from places p join enrolments e on e.id = p.enrolment_id
    where p.way = 'next-date' and p.state = 'active' and not exists (
      select from waiting_entries w
      where w.enrolment_id = p.enrolment_id and w.course_id = p.course_id and w.closed_at is null)
    group by p.enrolment_id, p.course_id, e.buyer_name, e.email
    order by since`.execute(db);
  const keyOf = ({ enrolment_id, course_id }: Missing) => `enrolment:${enrolment_id}:course:${course_id}`;
  await eachItem(db, { job, items, keyOf, at: now }, async (trx, row) => {
    await trx
      .insertInto('waiting_entries')
      .values({
        reference: newReference(),
        course_id: row.course_id,
        seats: row.seats,
        name: row.name,
        email: row.email,
        mailbox: mailboxOf(row.email),
        enrolment_id: row.enrolment_id,
        joined_at: row.since,
      })
      // Another process did it at this moment.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  });
}

type Changed = { id: number; places: number };

async function correctSeats(db: Db, job: string, { now }: Moment): Promise<void> {
  const { rows: items } = await sql<Changed>`
    select w.id, count(p.id)::integer as places
    from waiting_entries w left join places p on p.enrolment_id = w.enrolment_id and p.course_id = w.course_id
      and p.way = 'next-date' and p.state = 'active'
    where w.enrolment_id is not null and w.closed_at is null
    group by w.id having count(p.id) <> w.seats order by w.id`.execute(db);
  await eachItem(db, { job, items, keyOf: entryKey, at: now }, async (trx, { id, places }) => {
    const locked = await lockEntry(trx, id, now);
    if (!locked.ok || locked.entry.closedAt !== null) return false;
    if (places === 0) await closeEntry(trx, locked, 'left', now);
    else if (locked.entry.offer) return false;
    else await trx.updateTable('waiting_entries').set({ seats: places }).where('id', '=', id).execute();
    return true;
  });
}

/**
 * An address that was corrected while its entry was added, or before entries followed their buyers: the former one may
 * hold a link that binds.
 */
async function correctAddresses(db: Db, job: string, moment: Moment): Promise<void> {
  const { rows: items } = await sql<{ id: number }>`
    select distinct e.id from waiting_entries w join enrolments e on e.id = w.enrolment_id
    where w.closed_at is null and w.email <> e.email order by e.id`.execute(db);
  const keyOf = ({ id }: { id: number }) => `enrolment:${id}`;
  await eachItem(db, { job, items, keyOf, at: moment.now }, async (trx, { id }) => {
    const courseDates = await offeredCourseDates(trx, id);
    const locked = await lockEnrolment(trx, id, moment.now, courseDates);
    if (!locked.ok) return false;
    await followBuyer(trx, { enrolmentId: id, email: locked.enrolment.email, courseDates }, moment);
    return true;
  });
}

/** The key of an entry in the record of faults. */
const entryKey = ({ id }: { id: number }) => `waiting-entry:${id}`;
