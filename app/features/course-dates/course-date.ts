import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import type { KeptSeats } from '#app/features/course-dates/kept-seats.ts';
import type { CourseDateState } from '#app/lib/course-date-state.ts';
import type { Delivery } from '#app/lib/delivery.ts';

/** Days and times are wall-clock in `zone`, an IANA name (P14). Price and level are the course's (P1). */
export type CourseDate = {
  id: number;
  slug: string;
  course: CourseCard;
  startDate: string;
  endDate: string;
  startTime: string;
  endTime: string;
  /** Minutes of breaks on each day. */
  breakMinutes: number;
  zone: string;
  delivery: Delivery;
  /** The city of the room, null when it is online only. */
  venue: string | null;
  /** The room or street in the city; null until it is set. The link to the live class is never here: this is public. */
  room: string | null;
  street: string | null;
  instructor: string;
  /** Seats neither sold, held nor offered (P27). */
  seatsAvailable: number;
  seatsSold: number;
  /** Seats that are neither sold nor available; null when there are none. */
  kept: KeptSeats | null;
  /** The stored state; `standingOf` computes the state on a day (P39). */
  state: CourseDateState;
  /** The least number of people for it to run. */
  minimum: number;
  /** The last day in Brisbane to decide whether it is held; null when it was confirmed from the start. */
  decidedBy: string | null;
  /** The last day of enrolment, in Brisbane. */
  enrolmentEnds: string;
};

/** When a course date is held. */
export type CourseDateTimes = Pick<CourseDate, 'startDate' | 'endDate' | 'startTime' | 'endTime' | 'zone'>;

/** A course date with the further fields for calendar files and search engines. */
export type CalendarRecord = {
  calendarId: string;
  /** Since when it can be booked. */
  madeAt: Date;
  /** How often it changed. */
  revision: number;
  /** When it last changed. */
  changedAt: Date;
};
