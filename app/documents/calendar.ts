import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  type ICalCalendar,
  ICalCalendarMethod,
  ICalEventRepeatingFreq,
  ICalEventStatus,
} from 'ical-generator';
import { dayMs } from '#app/lib/durations.ts';

type Organizer = { name: string; email: string };
type EventStatus = 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';

/** The UID of an entry: by the random id that its row was given, so that no other database has it (RFC 5545, 3.8.4.7). */
export const calendarUid = (kind: 'course-date' | 'place' | 'booking' | 'live-hour', calendarId: string): string =>
  `${kind}-${calendarId}@bowerbird-academy`;

export type CalendarEvent = {
  /** Never changes for an event. */
  uid: string;
  /** Never decreases. */
  sequence: number;
  /** The instant of its last change. */
  stamp: Date;
  status: EventStatus;
  summary: string;
  description: string;
  location: string;
  url: string;
  /** The parts of the event, one a day, as instants. */
  days: { start: Date; end: Date }[];
};

/**
 * An iCalendar file to read or subscribe to (RFC 5545), times in UTC: an event for each day of each course date (P15). The
 * same events give the same bytes. `refreshMinutes` is how often a subscriber should ask again.
 */
export function calendarFile(
  name: string,
  organizer: Organizer,
  events: CalendarEvent[],
  { refreshMinutes }: { refreshMinutes?: number } = {},
): string {
  const calendar = ical({
    name,
    method: ICalCalendarMethod.PUBLISH,
    prodId: '//Bowerbird Academy//Training//EN',
    ...(refreshMinutes && { ttl: refreshMinutes * 60 }),
  });
  for (const { uid, days, status, stamp, ...event } of events) {
    const common = { ...event, organizer, stamp, lastModified: stamp, status: ICalEventStatus[status] };
    days.forEach((day, at) => {
      calendar.createEvent({ ...common, ...day, id: `${uid}-day${at + 1}` });
    });
  }
  return textOf(calendar);
}

export type Appointment = {
  /** Never changes for an appointment. */
  uid: string;
  /** Rises with every change. */
  sequence: number;
  /** Whether it goes ahead for certain; a CANCEL always says CANCELLED. */
  status: EventStatus;
  summary: string;
  description: string;
  start: Date;
  end: Date;
  organizer: Organizer;
  attendee: string;
};

/**
 * An appointment as the calendar part of a mail, which asks to enter it or to take it out again, or as a file to
 * download (PUBLISH, which names no attendee); RFC 5546, times in UTC. What a calendar has under the same UID is
 * replaced, because SEQUENCE is higher (P49).
 */
export function appointmentFile(
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH',
  stamp: Date,
  { uid, attendee, status, ...appointment }: Appointment,
): string {
  const calendar = ical({ method: ICalCalendarMethod[method], prodId: '//Bowerbird Academy//Bookings//EN' });
  calendar.createEvent({
    ...appointment,
    id: uid,
    stamp,
    status: ICalEventStatus[method === 'CANCEL' ? 'CANCELLED' : status],
    attendees: attendeesOf(method, attendee),
  });
  return textOf(calendar);
}

/** An appointment on several days, the same wall-clock time on each, as instants. */
export type DailyAppointment = Omit<Appointment, 'start' | 'end'> & {
  location: string;
  days: readonly { start: Date; end: Date }[];
};

/**
 * A course on consecutive days as one entry with one UID, which RFC 5546 (3.2.2) asks of a REQUEST: it repeats daily,
 * and days whose instants differ because daylight saving begins or ends are written as exceptions.
 */
export function dailyAppointmentFile(
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH',
  stamp: Date,
  { uid, attendee, status, days, ...appointment }: DailyAppointment,
): string {
  const [first] = days;
  if (!first) throw new Error('an appointment needs a day');
  const calendar = ical({ method: ICalCalendarMethod[method], prodId: '//Bowerbird Academy//Enrolments//EN' });
  const event = {
    ...appointment,
    id: uid,
    stamp,
    status: ICalEventStatus[method === 'CANCEL' ? 'CANCELLED' : status],
    attendees: attendeesOf(method, attendee),
  };
  const repeating = days.length > 1 ? { freq: ICalEventRepeatingFreq.DAILY, count: days.length } : null;
  calendar.createEvent({ ...event, start: first.start, end: first.end, repeating });
  if (method === 'CANCEL') return textOf(calendar);
  days.forEach(({ start, end }, at) => {
    const recurrenceId = new Date(first.start.getTime() + at * dayMs);
    if (start.getTime() !== recurrenceId.getTime()) calendar.createEvent({ ...event, start, end, recurrenceId });
  });
  return textOf(calendar);
}

function attendeesOf(method: 'REQUEST' | 'CANCEL' | 'PUBLISH', email: string) {
  if (method === 'PUBLISH') return [];
  return [{ email, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false }];
}

/** Every line ends with CRLF, the last one too (RFC 5545, 3.1); the generator leaves that one out. */
const textOf = (calendar: ICalCalendar) => `${calendar.toString().trimEnd()}\r\n`;
