import { dailyAppointmentFile } from '#app/documents/calendar.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Mail } from '#app/outbox/mail.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { placeEntry } from './words.ts';

/** The calendar part of a mail to `attendee` that puts a place into their calendar, or takes it out. */
export function calendarPart(
  method: 'REQUEST' | 'CANCEL',
  enrolment: Enrolment,
  place: Place & { way: 'date' },
  attendee: string,
  { academy, now }: Moment,
): Pick<Mail, 'calendar'> {
  const content = dailyAppointmentFile(
    method,
    now,
    placeEntry(enrolment, place, { academy, attendee, leaving: method === 'CANCEL' }),
  );
  return { calendar: { method, content } };
}
