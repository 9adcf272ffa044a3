import { calendarLinks } from '#app/lib/calendar-links.ts';
import { bookingKinds } from './kinds.ts';
import type { Booking } from './queries.server.ts';

/** A booking as links to calendars on the web. */
export const bookingLinks = (kind: Booking['kind'], { startsAt, endsAt }: Pick<Booking, 'startsAt' | 'endsAt'>) =>
  calendarLinks({ title: bookingKinds[kind].title, where: '', days: [{ start: startsAt, end: endsAt }] });
