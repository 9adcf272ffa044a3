import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { waitingJoined } from '#app/emails/waiting-joined.ts';
import { waitingOffer } from '#app/emails/waiting-offer.ts';
import { type OverWhy, waitingOver } from '#app/emails/waiting-over.ts';
import type { Circumstances } from '#app/features/enrolments/circumstances.ts';
import { sessionWhen } from '#app/features/enrolments/words.ts';
import type { LockedSession, SeatTrx } from '#app/features/sessions/seats.server.ts';
import { addDays, formatDayAndMonth } from '#app/lib/dates.ts';
import { type Delivery, deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { claimAcknowledgement, reserveAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { makeWaitingToken } from './links.server.ts';
import { confirmDays, offerMs, untilText, type WaitingEntry, type WaitingSession, waitingPath } from './waiting.ts';

/** How long a mail can wait for the hour of its address; later ones go out then as well. */
const mostSecondsLater = 7200;

/** Acknowledges an entry with its private link; when joining again, once an hour at most (P24). */
export async function queueJoined(
  trx: Db,
  entry: WaitingEntry,
  { academy, at }: Circumstances,
  { again }: { again: boolean },
): Promise<void> {
  if (again && !(await claimAcknowledgement(trx, entry.email, at))) return;
  const later = again ? 0 : await reserveAcknowledgement(trx, entry.email, at);
  const { title } = await readCourse(trx, entry.courseId);
  const session = entry.sessionId === null ? null : await readWaitingSession(trx, entry.sessionId);
  await queueMail(trx, {
    kind: 'waiting-joined',
    to: entry.email,
    replyTo: academy.email,
    secret: true,
    afterSeconds: Math.min(later, mostSecondsLater),
    ...waitingJoined({
      reference: entry.reference,
      title,
      when: session?.when ?? null,
      day: session?.day ?? null,
      seats: entry.seats,
      confirmed: entry.confirmed,
      days: confirmDays,
      link: await linkOf(trx, entry.id, academy.url),
      academy,
    }),
  });
}

/** Mails an offer; returns the id of the mail, from whose delivery on its time runs. */
export async function queueOffer(
  trx: SeatTrx,
  { entry, session, seats }: { entry: WaitingEntry; session: LockedSession; seats: number },
  circumstances: Circumstances,
): Promise<string> {
  const { academy, at } = circumstances;
  const { title, priceCents } = await readCourse(trx, entry.courseId);
  const { when, day, where } = await readWaitingSession(trx, session.id);
  const id = await queueMail(trx, {
    kind: 'waiting-offer',
    to: entry.email,
    replyTo: academy.email,
    secret: true,
    ...waitingOffer({
      reference: entry.reference,
      title,
      when,
      day,
      where,
      seats,
      until: untilText(offerEnd(at, session, circumstances)),
      price: entry.enrolmentId === null ? `${formatMoney(priceCents)} incl. GST` : null,
      link: await linkOf(trx, entry.id, academy.url),
      academy,
    }),
  });
  if (id === null) throw new Error('an offer has no key by which it could have been queued before');
  return id;
}

/**
 * When an offer ends whose message was taken at a true time: 72 hours later, but not beyond the end of enrolment (P48).
 * Both are true times; the academy's clock may stand on a fixed day.
 */
export function offerEnd(
  mailedAt: Date,
  { enrolmentEndsOn, startsOn }: Pick<LockedSession, 'enrolmentEndsOn' | 'startsOn'>,
  { now, at }: Pick<Circumstances, 'now' | 'at'>,
): Date {
  const last = enrolmentEndsOn < startsOn ? enrolmentEndsOn : startsOn;
  const closes = instantOf(addDays(last, 1), '00:00', 'Australia/Brisbane').getTime() - now.getTime() + at.getTime();
  return new Date(Math.min(mailedAt.getTime() + offerMs, closes));
}

/** Says that an offer or the waiting is over; `sessionId` is the session concerned. */
export async function queueOver(
  trx: Db,
  entry: WaitingEntry,
  { why, sessionId, waits }: { why: OverWhy; sessionId: number; waits: boolean },
  { academy }: Pick<Circumstances, 'academy'>,
): Promise<void> {
  const { title, slug } = await readCourse(trx, entry.courseId);
  const { when, day } = await readWaitingSession(trx, sessionId);
  await queueMail(trx, {
    kind: 'waiting-over',
    to: entry.email,
    replyTo: academy.email,
    secret: waits,
    ...waitingOver({
      why,
      reference: entry.reference,
      title,
      when,
      day,
      waits,
      link: waits
        ? await linkOf(trx, entry.id, academy.url)
        : academy.url + href('/course/:courseId', { courseId: slug }),
      academy,
    }),
  });
}

const linkOf = async (trx: Db, entryId: number, origin: string) =>
  origin + waitingPath(await makeWaitingToken(trx, entryId));

/** Title, slug and today's price of a course. */
export async function readCourse(db: Db, id: number): Promise<{ title: string; slug: string; priceCents: number }> {
  return db
    .selectFrom('courses')
    .select(['title', 'slug', 'price_cents as priceCents'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** A training session in words. */
export async function readWaitingSession(db: Db, id: number): Promise<WaitingSession> {
  const row = await db
    .selectFrom('training_sessions')
    .select(['id', 'slug', 'starts_on', 'ends_on', 'starts_at', 'ends_at', 'zone', 'delivery', 'venue'])
    .select('enrolment_ends_on')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    id,
    slug: row.slug,
    when: sessionWhen({
      startsOn: row.starts_on,
      endsOn: row.ends_on,
      startsAt: row.starts_at.slice(0, 5),
      endsAt: row.ends_at.slice(0, 5),
      zone: row.zone,
    }),
    day: formatDayAndMonth(row.starts_on),
    // The column's check constraint allows no other.
    where: deliveryText({ delivery: row.delivery as Delivery, venue: row.venue }),
    enrolmentEndsOn: row.enrolment_ends_on,
  };
}
