import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import type { KeptSeats } from '#app/features/seats/kept-seats.ts';
import type { SeatsRow, SessionRow } from './queries.server.ts';
import type { CalendarRecord, TrainingSession } from './session.ts';

export type Sessions = {
  /** Ordered by start. */
  sessions: readonly TrainingSession[];
  /** Former slug of a session to its slug now (P3). */
  sessionAliases: ReadonlyMap<string, string>;
  /** By the id of the session. */
  calendarRecords: ReadonlyMap<number, CalendarRecord>;
};

/** Training sessions of courses that are offered. */
export function assembleSessions(
  rows: readonly SessionRow[],
  seats: ReadonlyMap<number, SeatsRow>,
  { byId, instructors }: Catalogue,
  kept: ReadonlyMap<number, KeptSeats>,
): Sessions {
  return {
    sessions: rows.flatMap(
      ({ courseId, instructorSlug, aliases: _, calendarId: __, madeAt: ___, ...row }): TrainingSession[] => {
        const course = byId.get(courseId)?.card;
        const taken = seats.get(row.id);
        if (!course || !taken) return [];
        const instructor = instructors.get(instructorSlug)?.name ?? instructorSlug;
        const counted = { seatsAvailable: taken.left, seatsSold: taken.sold, kept: kept.get(row.id) ?? null };
        return [{ ...row, course, instructor, ...counted, state: taken.state }];
      },
    ),
    sessionAliases: new Map(
      rows.flatMap(({ slug, aliases }) => aliases.map((alias): [string, string] => [alias, slug])),
    ),
    calendarRecords: new Map(
      rows.flatMap(({ id, calendarId, madeAt }): [number, CalendarRecord][] => {
        const counted = seats.get(id);
        if (!counted) return [];
        const { revision, changedAt } = counted;
        return [[id, { calendarId, madeAt, revision, changedAt }]];
      }),
    ),
  };
}
