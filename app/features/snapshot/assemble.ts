import { assembleCatalogue } from '#app/features/catalogue/assemble.ts';
import { assembleCombos } from '#app/features/catalogue/promotions/assemble.ts';
import { assembleCourseDates } from '#app/features/course-dates/assemble.ts';
import type { SnapshotRows } from './queries.server.ts';
import type { Snapshot } from './snapshot.ts';

/** Builds the snapshot from its rows. When only seats changed since `before`, the catalogue's objects are reused. */
export function assembleSnapshot(rows: SnapshotRows, before?: { rows: SnapshotRows; snapshot: Snapshot }): Snapshot {
  const sameCourses = before && before.rows.courses === rows.courses && before.rows.frame === rows.frame;
  const catalogue = sameCourses
    ? before.snapshot
    : assembleCatalogue([...rows.courses.values()], rows.frame, before?.snapshot);
  return {
    ...catalogue,
    ...assembleCourseDates(rows.courseDates, rows.seats, catalogue, rows.kept),
    ...assembleCombos(rows.combos, catalogue),
    versions: rows.versions,
    changes: rows.changes,
    promotion: rows.promotion,
    texts: rows.texts,
    site: rows.site,
    bookings: rows.bookings,
    termsId: rows.termsId,
  };
}
