import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventRepeatingFreq,
  ICalEventStatus,
} from 'ical-generator';

export type CalendarEvent = {
  /** Never changes for an event. */
  uid: string;
  /** Never decreases. */
  sequence: number;
  status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';
  summary: string;
  description: string;
  location: string;
  url: string;
  /** The parts of the event, one a day, as instants. */
  days: { start: Date; end: Date }[];
};

/** An iCalendar file (RFC 5545), times in UTC: an event for each day of each session (P15). */
export function calendarFile(name: string, stamp: Date, events: CalendarEvent[]): string {
  const calendar = ical({ name, method: ICalCalendarMethod.PUBLISH, prodId: '//Bowerbird Academy//Training//EN' });
  for (const { uid, days, status, ...event } of events) {
    days.forEach((day, at) => {
      calendar.createEvent({ ...event, ...day, stamp, status: ICalEventStatus[status], id: `${uid}-day${at + 1}` });
    });
  }
  return calendar.toString();
}

export type Appointment = {
  /** Never changes for an appointment. */
  uid: string;
  /** Rises with every change. */
  sequence: number;
  summary: string;
  description: string;
  start: Date;
  end: Date;
  organizer: { name: string; email: string };
  attendee: string;
  /** Whether it does not take place any more. */
  cancelled?: boolean;
};

/**
 * An appointment as the calendar part of a mail, which asks to enter it or to take it out again, or as a file to
 * download (PUBLISH, which names no attendee); RFC 5546, times in UTC. What a calendar has under the same UID is
 * replaced, because SEQUENCE is higher (P49).
 */
export function appointmentFile(
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH',
  stamp: Date,
  { uid, attendee, cancelled = method === 'CANCEL', ...appointment }: Appointment,
): string {
  const calendar = ical({ method: ICalCalendarMethod[method], prodId: '//Bowerbird Academy//Bookings//EN' });
  calendar.createEvent({
    ...appointment,
    id: uid,
    stamp,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    attendees:
      method === 'PUBLISH'
        ? []
        : [{ email: attendee, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false }],
  });
  return calendar.toString();
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
  { uid, attendee, cancelled = method === 'CANCEL', days, ...appointment }: DailyAppointment,
): string {
  const [first] = days;
  if (!first) throw new Error('an appointment needs a day');
  const calendar = ical({ method: ICalCalendarMethod[method], prodId: '//Bowerbird Academy//Enrolments//EN' });
  const event = {
    ...appointment,
    id: uid,
    stamp,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    attendees:
      method === 'PUBLISH'
        ? []
        : [{ email: attendee, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false }],
  };
  const repeating = days.length > 1 ? { freq: ICalEventRepeatingFreq.DAILY, count: days.length } : null;
  calendar.createEvent({ ...event, start: first.start, end: first.end, repeating });
  if (method === 'CANCEL') return calendar.toString();
  days.forEach(({ start, end }, at) => {
    const recurrenceId = new Date(first.start.getTime() + at * dayMs);
    if (start.getTime() !== recurrenceId.getTime()) calendar.createEvent({ ...event, start, end, recurrenceId });
  });
  return calendar.toString();
}

const dayMs = 24 * 60 * 60 * 1000;
