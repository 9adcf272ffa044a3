import ical, { ICalCalendarMethod } from 'ical-generator';

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
