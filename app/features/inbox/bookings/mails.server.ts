import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { type Appointment, appointmentFile, calendarUid } from '#app/documents/calendar.ts';
import {
  bookingCancelled,
  bookingConfirmation,
  bookingMoved,
  bookingNotice,
  bookingReminder,
} from '#app/emails/bookings.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDayAndMonth } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { reserveAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { withdrawMail } from '#app/outbox/withdraw-mail.server.ts';
import { bookingKinds } from './kinds.ts';
import { bookingLink } from './links.server.ts';
import { type Booking, bookingColumns, bookingOf } from './queries.server.ts';
import { formatAcademySpan } from './zones.ts';

/** The change that a mail reports; a move also names the former start and end. */
export type BookingEvent =
  | { event: 'booked' | 'cancelled'; booking: Booking }
  | { event: 'moved'; booking: Booking; previous: Booking };

/**
 * Queues the mails about a booking in the transaction that makes or changes it: one to its holder with a calendar part,
 * and a notice to the academy (P20, P49). A confirmation waits if the address got one within the hour (P24). Withdraws
 * an outdated reminder. `staff` is the name of who did it for the holder.
 */
export async function queueBookingMails(
  trx: Db,
  change: BookingEvent,
  { academy, at, staff = null }: { academy: MailAcademy; at: Date; staff?: string | null },
): Promise<void> {
  const { event, booking } = change;
  const { kind, reference, email } = booking;
  const { title } = bookingKinds[kind];
  const when = whenOf(booking);
  const previously = change.event === 'moved' ? whenOf(change.previous) : null;
  if (event !== 'booked') {
    await withdrawMail(trx, reminderKey(booking.id, booking.sequence - 1), at, `The booking was ${event}`);
  }
  const props = { reference, title, when, day: subjectDay(booking), academy, byStaff: staff !== null };
  const own =
    event === 'cancelled'
      ? bookingCancelled({ ...props, bookAgain: academy.url + href('/book/:kind', { kind }) })
      : linkedMail(booking, props, previously);
  const method = event === 'cancelled' ? 'CANCEL' : 'REQUEST';
  await queueMail(trx, {
    about: { kind: 'booking', id: booking.id },
    kind: { booked: 'booking-confirmation', moved: 'booking-moved', cancelled: 'booking-cancelled' }[event],
    to: email,
    replyTo: academy.email,
    links: event === 'cancelled' ? [] : [bookingLink(booking.id)],
    afterSeconds: event === 'booked' && staff === null ? await reserveAcknowledgement(trx, email, at) : 0,
    ...own,
    calendar: { method, content: appointmentFile(method, at, appointmentOf(booking, academy)) },
  });
  const { name, about, note } = booking;
  await queueMail(trx, {
    kind: 'booking-notice',
    about: { kind: 'booking', id: booking.id },
    to: academy.email,
    replyTo: email,
    ...bookingNotice({ ...props, event, previously, name, email, about, note, by: staff ?? name }),
  });
}

function linkedMail(
  booking: Booking,
  props: { reference: string; title: string; when: string; day: string; academy: MailAcademy; byStaff: boolean },
  previously: string | null,
) {
  const link = placeholderOf(bookingLink(booking.id));
  return previously === null ? bookingConfirmation({ ...props, link }) : bookingMoved({ ...props, link, previously });
}

const job = 'remind of bookings';

/**
 * Queues a reminder of each booking that starts within a day, once for each of its times; none where the last email
 * about it is younger than that. Several processes may do so at once. Returns how many.
 */
export async function queueReminders(db: Db, academy: MailAcademy, now: Date): Promise<number> {
  const items = await toRemind(db, now).select('id').orderBy('starts_at').limit(limitOf(job, 100)).execute();
  const keyOf = ({ id }: { id: number }) => `booking:${id}`;
  return eachItem(db, { job, items, keyOf, at: now }, async (trx, { id }) => {
    const row = await toRemind(trx, now)
      .select(bookingColumns)
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return false;
    const booking = bookingOf(row);
    const { reference, email, sequence, startsAt, kind } = booking;
    await queueMail(trx, {
      kind: 'booking-reminder',
      about: { kind: 'booking', id },
      links: [bookingLink(id)],
      to: email,
      replyTo: academy.email,
      ...bookingReminder({
        reference,
        title: bookingKinds[kind].title,
        when: whenOf(booking),
        day: subjectDay(booking),
        link: placeholderOf(bookingLink(id)),
        academy,
      }),
      staleAfter: startsAt,
      dedupeKey: reminderKey(id, sequence),
    });
    await trx.updateTable('bookings').set({ reminded_of: startsAt }).where('id', '=', id).execute();
    return true;
  });
}

const toRemind = (db: Db, now: Date) =>
  db
    .selectFrom('bookings')
    .where('cancelled_at', 'is', null)
    .where('starts_at', '>', now)
    .where('starts_at', '<=', new Date(now.getTime() + dayMs))
    .where(sql<boolean>`changed_at <= starts_at - interval '1 day'`)
    .where('reminded_of', 'is distinct from', (row) => row.ref('starts_at'));

/** One reminder for each state of a booking: a change gives the booking a new sequence, and so a new key. */
const reminderKey = (id: number, sequence: number) => `booking-reminder:${id}:${sequence}`;

const whenOf = ({ startsAt, endsAt }: Booking) => formatAcademySpan({ start: startsAt, end: endsAt });

const subjectDay = ({ startsAt }: Booking) => formatDayAndMonth(academyDay(startsAt));

/** A booking as a calendar file for its holder (P49). */
export function bookingFile(booking: Booking, academy: MailAcademy): string {
  return appointmentFile('PUBLISH', booking.changedAt, appointmentOf(booking, academy));
}

/** The entry in the holder's calendar. It holds no link that could change the booking: calendars are shared. */
function appointmentOf(booking: Booking, academy: MailAcademy): Appointment {
  const { kind, email, reference, sequence, startsAt, endsAt } = booking;
  return {
    uid: calendarUid('booking', booking.calendarId),
    sequence,
    status: booking.cancelledAt === null ? 'CONFIRMED' : 'CANCELLED',
    summary: `${bookingKinds[kind].title}, ${academy.name}`,
    description: `Reference ${reference}. Declining in your calendar does not cancel: use the link in the email, or call ${academy.phone}.`,
    start: startsAt,
    end: endsAt,
    organizer: { name: academy.name, email: academy.email },
    attendee: email,
  };
}
