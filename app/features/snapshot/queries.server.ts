import type { Db } from '#app/db/client.server.ts';
import type { Promotion } from '#app/features/catalogue/promotions/promotion.ts';
import { type ComboRow, readComboRows, readPromotion } from '#app/features/catalogue/promotions/queries.server.ts';
import {
  type CatalogueFrame,
  type CourseRow,
  readCatalogueFrame,
  readCourseRows,
  readRevisions,
} from '#app/features/catalogue/queries.server.ts';
import { readBookingSettings, readSite, readTexts } from '#app/features/catalogue/site/queries.server.ts';
import type { BookingSettings, Site, Texts } from '#app/features/catalogue/site/site.ts';
import { readTermsId } from '#app/features/catalogue/site/terms.server.ts';
import type { KeptSeats } from '#app/features/course-dates/kept-seats.ts';
import {
  type CourseDateRow,
  readCourseDateRows,
  readSeats,
  type SeatsRow,
} from '#app/features/course-dates/queries.server.ts';
import { readKeptSeats } from '#app/features/course-dates/seats.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Versions } from './snapshot.ts';

/** The rows a snapshot is made of, with the version of each part. */
export type SnapshotRows = {
  versions: Versions;
  courses: ReadonlyMap<number, CourseRow>;
  seats: ReadonlyMap<number, SeatsRow>;
  kept: ReadonlyMap<number, KeptSeats>;
  frame: CatalogueFrame;
  courseDates: readonly CourseDateRow[];
  combos: readonly ComboRow[];
  promotion: Promotion;
  changes: ReadonlyMap<string, Date>;
  texts: Texts;
  site: Site;
  bookings: BookingSettings;
  termsId: number | null;
};

/** The current versions in the database; cheap enough to query every second. */
export async function readVersions(db: Db): Promise<Versions> {
  const rows = await db.selectFrom('snapshot_versions').selectAll().execute();
  const of = (part: keyof Versions) => {
    const row = rows.find((one) => one.part === part);
    if (!row) throw new Error(`snapshot_versions has no row for ${part}`);
    return row.version;
  };
  return { courses: of('courses'), seats: of('seats'), catalogue: of('catalogue') };
}

/**
 * Reads, in one transaction, the parts whose version changed since `previous`: of the courses only the changed ones,
 * of the course dates only those with their last day at `since` or later. A long history costs nothing (P27).
 */
export async function readSnapshotRows(db: Db, since: Day, previous?: SnapshotRows): Promise<SnapshotRows> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => readRowsIn(trx, since, previous));
}

/** The same as `readSnapshotRows`, in the caller's transaction. */
export async function readRowsIn(trx: Db, since: Day, previous?: SnapshotRows): Promise<SnapshotRows> {
  const versions = await readVersions(trx);
  const moved = (part: keyof Versions) => versions[part] !== previous?.versions[part];
  const courses = !previous || moved('courses') ? await readChangedCourses(trx, previous) : previous.courses;
  // A new course date adds seats.
  const seats = !previous || moved('seats') || moved('catalogue') ? await readSeats(trx, { since }) : previous.seats;
  const kept = !previous || moved('seats') ? await readKeptSeats(trx) : previous.kept;
  if (previous && !moved('catalogue')) return { ...previous, versions, courses, seats, kept };
  return {
    versions,
    courses,
    seats,
    kept,
    frame: await readCatalogueFrame(trx),
    courseDates: await readCourseDateRows(trx, { since }),
    combos: await readComboRows(trx),
    promotion: await readPromotion(trx),
    changes: await readChanges(trx, since),
    texts: await readTexts(trx),
    site: await readSite(trx),
    bookings: await readBookingSettings(trx),
    termsId: await readTermsId(trx),
  };
}

/** The instants of the last change of certifications, course dates and whole documents. */
async function readChanges(trx: Db, since: Day): Promise<ReadonlyMap<string, Date>> {
  const certifications = await trx.selectFrom('certifications').select(['slug', 'changed_at']).execute();
  const courseDates = await trx
    .selectFrom('course_dates')
    .select(['slug', 'changed_at'])
    .where('ends_on', '>=', since)
    .where('organisation_id', 'is', null)
    .execute();
  const documents = await trx.selectFrom('site_content').select(['name as slug', 'changed_at']).execute();
  const changes = new Map<string, Date>();
  for (const [kind, rows] of Object.entries({
    certification: certifications,
    courseDate: courseDates,
    document: documents,
  })) {
    for (const { slug, changed_at } of rows) changes.set(`${kind}:${slug}`, changed_at);
  }
  return changes;
}

/** Compares the revision of each course: the highest one seen so far would miss a transaction that committed late. */
async function readChangedCourses(trx: Db, previous?: SnapshotRows): Promise<ReadonlyMap<number, CourseRow>> {
  const revisions = await readRevisions(trx);
  const changed = revisions.filter(({ id, revision }) => previous?.courses.get(id)?.revision !== revision);
  const read = await readCourseRows(
    trx,
    changed.map(({ id }) => id),
  );
  const fresh = new Map(read.map((row) => [row.id, row]));
  const courses = new Map<number, CourseRow>();
  for (const { id } of revisions) {
    const row = fresh.get(id) ?? previous?.courses.get(id);
    if (row) courses.set(id, row);
  }
  return courses;
}
