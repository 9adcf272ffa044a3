import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import type { SeatsRow, SessionRow } from './queries.server.ts';
import type { TrainingSession } from './session.ts';

export type Sessions = {
  /** Ordered by start. */
  sessions: readonly TrainingSession[];
  /** Former slug of a session to its slug now (P3). */
  sessionAliases: ReadonlyMap<string, string>;
};

/** Training sessions of courses that are offered. */
export function assembleSessions(
  rows: readonly SessionRow[],
  seats: ReadonlyMap<number, SeatsRow>,
  { byId, instructors }: Catalogue,
): Sessions {
  return {
    sessions: rows.flatMap(({ courseId, instructorSlug, aliases: _, ...row }): TrainingSession[] => {
      const course = byId.get(courseId)?.card;
      const taken = seats.get(row.id);
      if (!course || !taken) return [];
      const instructor = instructors.get(instructorSlug)?.name ?? instructorSlug;
      return [{ ...row, course, instructor, seatsAvailable: taken.left, seatsSold: taken.sold, state: taken.state }];
    }),
    sessionAliases: new Map(
      rows.flatMap(({ slug, aliases }) => aliases.map((alias): [string, string] => [alias, slug])),
    ),
  };
}
