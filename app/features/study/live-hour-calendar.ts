import { type CalendarEvent, calendarFile, calendarUid } from '#app/documents/calendar.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import type { OwnHour } from './own-hours.ts';

/**
 * The live hours of a place as a calendar file: an event for each, under a UID of its own that stays (P60). Those on a
 * free day, after the end, and after the place was cancelled are cancelled, so that a calendar which has them takes them
 * out. SEQUENCE rises with the hour and with the enrolment. Like `placeEntry` it holds no private page, and the link to
 * the hour only where its owner may see it.
 */
export function liveHoursFile(
  hours: readonly OwnHour[],
  {
    title,
    enrolment,
    academy,
  }: { title: string; enrolment: Pick<Enrolment, 'reference' | 'sequence' | 'changedAt'>; academy: MailAcademy },
): string {
  const events = hours.flatMap(({ hour, calendarId, sequence, changedAt, link, occurrences }) =>
    occurrences.map(({ day, starts, ends, off }): CalendarEvent => {
      return {
        uid: calendarUid('live-hour', `${calendarId}-${day.replaceAll('-', '')}`),
        sequence: sequence + enrolment.sequence,
        stamp: new Date(Math.max(changedAt.getTime(), enrolment.changedAt.getTime())),
        status: off ? 'CANCELLED' : 'CONFIRMED',
        summary: `${title}, live hour`,
        description: `${link && !off ? `Join online: ${link}\n\n` : ''}With ${hour.instructor}. Reference ${enrolment.reference}.`,
        location: 'Online',
        url: academy.url,
        days: [{ start: starts, end: ends }],
      };
    }),
  );
  return calendarFile(`${title}, live hours`, { name: academy.name, email: academy.email }, events);
}
