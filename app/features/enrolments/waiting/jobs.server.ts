import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import { lockSessions } from '#app/features/sessions/seats.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { closeEntry, lockEntry, readEntry } from './entries.server.ts';
import { offerEnd, queueOver } from './mails.server.ts';
import { offerSeats } from './offers.server.ts';

/**
 * Keeps the waiting lists (P48), about every second in every process: starts the time of offers whose message was taken,
 * ends those whose message failed, closes entries of dates that can no longer be booked, tells whose offers are over, and
 * offers what is free to those whose turn it is. Seats that are free for somebody on a list are not public before that
 * (`seats_reserved`), so nothing is lost when it comes late.
 */
export async function keepWaitingLists(db: Db, circumstances: Circumstances): Promise<void> {
  await timeOffers(db, circumstances);
  await closeOver(db, circumstances);
  await tellOver(db, circumstances);
  await syncPlaces(db, circumstances);
  await offerFreeSeats(db, circumstances);
}

/** Starts the time of offers when the mail server has taken their message; one that failed for good ends them. */
async function timeOffers(db: Db, circumstances: Circumstances): Promise<void> {
  const { at } = circumstances;
  const rows = await db
    .selectFrom('waiting_offers')
    .leftJoin('mails', 'mails.id', 'mail_id')
    .select(['waiting_offers.id', 'entry_id as entryId', 'mails.state', 'settled_at as settledAt'])
    .where('ended_at', 'is', null)
    .where('mailed_at', 'is', null)
    .where((row) => row.or([row('mails.state', '<>', 'queued'), row('mails.id', 'is', null)]))
    .orderBy('waiting_offers.id')
    .execute();
  for (const { id, entryId, state, settledAt } of rows) {
    await db.transaction().execute(async (trx) => {
      const locked = await lockEntry(trx, entryId, at);
      if (!locked.ok || locked.entry.offer?.id !== id || locked.entry.offer.until !== null) return;
      const { entry, sessions } = locked;
      const { offer } = entry;
      const session = offer && sessions.get(offer.sessionId);
      if (state !== 'sent' || !settledAt) return closeEntry(trx, locked, 'undeliverable', at);
      if (!offer || !session) return;
      const until = offerEnd(settledAt, session, circumstances);
      await trx.updateTable('seat_holds').set({ expires_at: until }).where('id', '=', offer.holdId).execute();
      await trx.updateTable('waiting_offers').set({ mailed_at: settledAt }).where('id', '=', id).execute();
    });
  }
}

/** Closes the lists of dates that are cancelled, retired or closed for enrolment, and tells those on them. */
async function closeOver(db: Db, circumstances: Circumstances): Promise<void> {
  const { today, at } = circumstances;
  const rows = await db
    .selectFrom('waiting_entries')
    .innerJoin('training_sessions', 'training_sessions.id', 'training_session_id')
    .select(['waiting_entries.id', 'training_session_id as sessionId', 'training_sessions.state'])
    .where('closed_at', 'is', null)
    .where((row) =>
      row.or([
        row('training_sessions.state', '=', 'cancelled'),
        row('retired_at', 'is not', null),
        row('enrolment_ends_on', '<', today),
        row('starts_on', '<', today),
      ]),
    )
    .orderBy('waiting_entries.id')
    .limit(100)
    .execute();
  for (const { id, sessionId, state } of rows) {
    await db.transaction().execute(async (trx) => {
      const locked = await lockEntry(trx, id, at);
      if (!locked.ok || locked.entry.closedAt !== null || sessionId === null) return;
      await closeEntry(trx, locked, 'over', at);
      await trx
        .updateTable('waiting_offers')
        .set({ told_at: at })
        .where('entry_id', '=', id)
        .where('told_at', 'is', null)
        .execute();
      // Nobody showed that the address is theirs, so it is not written to.
      if (!locked.entry.confirmed) return;
      const why = state === 'cancelled' ? 'cancelled' : 'closed';
      await queueOver(trx, locked.entry, { why, sessionId, waits: false }, circumstances);
    });
  }
}

/** Tells those whose offer ran out or was withdrawn. Who waits for the next date goes on when its date was cancelled. */
async function tellOver(db: Db, circumstances: Circumstances): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('waiting_offers')
      .innerJoin('training_sessions', 'training_sessions.id', 'training_session_id')
      .select(['waiting_offers.id', 'entry_id as entryId', 'training_session_id as sessionId', 'ended', 'state'])
      .where('ended', 'in', ['lapsed', 'withdrawn'])
      .where('told_at', 'is', null)
      .orderBy('waiting_offers.id')
      .limit(100)
      .forUpdate('waiting_offers')
      .skipLocked()
      .execute();
    for (const { id, entryId, sessionId, ended, state } of rows) {
      await trx.updateTable('waiting_offers').set({ told_at: circumstances.at }).where('id', '=', id).execute();
      const cancelled = state === 'cancelled' && ended === 'withdrawn';
      if (cancelled) {
        await trx.updateTable('waiting_entries').set({ paused_at: null }).where('id', '=', entryId).execute();
      }
      const entry = await readEntry(trx, entryId);
      if (!entry || entry.closedWhy === 'bought' || entry.closedWhy === 'left') continue;
      // Places that were bought wait again as soon as their offer is over.
      const waits = entry.closedAt === null || entry.enrolmentId !== null;
      const why = cancelled ? 'cancelled' : ended === 'lapsed' ? 'lapsed' : 'withdrawn';
      await queueOver(trx, entry, { why, sessionId, waits }, circumstances);
    }
  });
}

/**
 * Gives places that were bought without a date their entry on the course's list, with as many seats as there are places,
 * and closes it when none is left. After a date that was declined or lapsed they wait again, behind the others.
 */
async function syncPlaces(db: Db, { at }: Circumstances): Promise<void> {
  const { rows: missing } = await sql<{
    enrolment_id: number;
    course_id: number;
    seats: number;
    name: string;
    email: string;
    since: Date;
  }>`
    select p.enrolment_id, p.course_id, count(*)::integer as seats, e.buyer_name as name, e.email,
      case when exists (select from waiting_entries w where w.enrolment_id = p.enrolment_id and w.course_id = p.course_id)
        then ${at} else min(p.placed_at) end as since
    from places p join enrolments e on e.id = p.enrolment_id
    where p.way = 'next-date' and p.state = 'active' and not exists (
      select from waiting_entries w
      where w.enrolment_id = p.enrolment_id and w.course_id = p.course_id and w.closed_at is null)
    group by p.enrolment_id, p.course_id, e.buyer_name, e.email
    order by since`.execute(db);
  for (const row of missing) {
    await db
      .insertInto('waiting_entries')
      .values({
        reference: newReference(),
        course_id: row.course_id,
        seats: Math.min(20, row.seats),
        name: row.name,
        email: row.email,
        mailbox: mailboxOf(row.email),
        enrolment_id: row.enrolment_id,
        joined_at: row.since,
      })
      // Another process did it at this moment.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const { rows: changed } = await sql<{ id: number; places: number }>`
    select w.id, count(p.id)::integer as places
    from waiting_entries w left join places p on p.enrolment_id = w.enrolment_id and p.course_id = w.course_id
      and p.way = 'next-date' and p.state = 'active'
    where w.enrolment_id is not null and w.closed_at is null
    group by w.id having count(p.id) <> w.seats order by w.id`.execute(db);
  for (const { id, places } of changed) {
    await db.transaction().execute(async (trx) => {
      const locked = await lockEntry(trx, id, at);
      if (!locked.ok || locked.entry.closedAt !== null) return;
      if (places === 0) return closeEntry(trx, locked, 'left', at);
      if (!locked.entry.offer)
        await trx.updateTable('waiting_entries').set({ seats: places }).where('id', '=', id).execute();
    });
  }
}

/** Offers free seats in every session in which it is somebody's turn, each in a transaction of its own. */
async function offerFreeSeats(db: Db, circumstances: Circumstances): Promise<void> {
  const { today, at } = circumstances;
  const { rows } = await sql<{ id: number }>`
    select id from training_sessions s
    where retired_at is null and state <> 'cancelled' and enrolment_ends_on >= ${today} and starts_on >= ${today}
      and exists (select from waiting_entries w where w.course_id = s.course_id and w.closed_at is null and w.paused_at is null)
      and exists (select from waiting_turns(s.id))
    order by id`.execute(db);
  for (const { id } of rows) {
    await db.transaction().execute(async (trx) => {
      const session = (await lockSessions(trx, [id], at)).get(id);
      if (session && session.state !== 'cancelled') await offerSeats(trx, session, circumstances);
    });
  }
}
