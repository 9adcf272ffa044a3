import { addDays, daysBetween } from '../../lib/dates.ts';
import type { TrainingSession } from '../catalogue/snapshot.ts';
import { instantOf } from './rules.ts';

/** A session as its days in UTC, for calendar files. The id follows from the slug, so it stays (P15). */
export function sessionEvent(session: TrainingSession, at: { baseUrl: string; version: number }) {
  const count = daysBetween(session.startDate, session.endDate) + 1;
  return {
    uid: `${session.slug}@bowerbird-academy`,
    // The catalogue's version rises with every change to it, this session's included.
    sequence: at.version,
    summary: session.course.title,
    description: `${session.mode}, with ${session.instructor}.`,
    location:
      session.mode === 'Online' ? 'Online' : session.mode.replace('In-Person ', '').replace('Online/', 'Online or '),
    url: `${at.baseUrl}/training-calendar/${session.slug}`,
    days: Array.from({ length: count }, (_, index) => {
      const day = addDays(session.startDate, index);
      return {
        start: instantOf(day, session.startTime, session.zone),
        end: instantOf(day, session.endTime, session.zone),
      };
    }),
  };
}
