import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';

export type CalendarEvent = {
  /** Never changes for an event. */
  uid: string;
  /** Never decreases. */
  sequence: number;
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
  for (const { uid, days, ...event } of events) {
    days.forEach((day, at) => {
      calendar.createEvent({ ...event, ...day, stamp, id: `${uid}-day${at + 1}` });
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
};

/**
 * The calendar part of a mail that asks to enter an appointment or to take it out again (RFC 5546), times in UTC. What
 * was asked before under the same UID is replaced, because SEQUENCE is higher (P49).
 */
export function appointmentFile(
  method: 'REQUEST' | 'CANCEL',
  stamp: Date,
  { uid, attendee, ...appointment }: Appointment,
): string {
  const calendar = ical({ method: ICalCalendarMethod[method], prodId: '//Bowerbird Academy//Bookings//EN' });
  calendar.createEvent({
    ...appointment,
    id: uid,
    stamp,
    status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    attendees: [{ email: attendee, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false }],
  });
  return calendar.toString();
}
