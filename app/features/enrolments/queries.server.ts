import { type Selectable, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Enrolments } from '#app/db/schema.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Attendee, Enrolment, Place, PlaceCourseDate, PlaceModule } from './enrolment.ts';

/** An enrolment with all its places; throws when there is none. */
export async function readEnrolment(db: Db, id: number): Promise<Enrolment> {
  const [enrolment] = await readEnrolments(db, [id]);
  if (!enrolment) throw new Error(`there is no enrolment ${id}`);
  return enrolment;
}

/** Enrolments with all their places, in the order of the ids; unknown ids are left out. */
export async function readEnrolments(db: Db, ids: readonly number[]): Promise<Enrolment[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('enrolments')
    .selectAll('enrolments')
    .select(accountsConfirmed)
    .where('enrolments.id', 'in', ids)
    .execute();
  const places = await readPlaces(db, ids);
  const read = new Map(rows.map((row) => [row.id, enrolmentOf(row, places.get(row.id) ?? [])]));
  return ids.flatMap((id) => read.get(id) ?? []);
}

type EnrolmentRow = Selectable<Enrolments> & { accounts_confirmed: boolean };

function enrolmentOf(row: EnrolmentRow, places: Place[]): Enrolment {
  return {
    id: row.id,
    reference: row.reference,
    title: row.title,
    comboId: row.combo_id,
    buyerName: row.buyer_name,
    email: row.email,
    phone: row.phone,
    payer: row.payer,
    organisation: row.organisation,
    abn: row.abn,
    address: row.address,
    purchaseOrder: row.purchase_order,
    accountsEmail: row.accounts_email,
    accountsConfirmed: row.accounts_confirmed,
    organisationId: row.organisation_id,
    termsId: row.terms_id,
    placedAt: row.placed_at,
    sequence: row.sequence,
    changedAt: row.changed_at,
    places,
  };
}

/** Whether a reader of the address named for an enrolment's invoices agreed to get them (P30). */
export const accountsConfirmed = sql<boolean>`exists (
  select from accounts_addresses named where named.enrolment_id = enrolments.id
    and named.email = lower(enrolments.accounts_email) and named.confirmed_at is not null)`.as('accounts_confirmed');

/** The places of enrolments, by enrolment. */
async function readPlaces(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, Place[]>> {
  const rows = await db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .selectAll('places')
    .select(['courses.title as course_title', 'courses.slug as course_slug'])
    .where('enrolment_id', 'in', enrolmentIds)
    .orderBy('places.attendee_id')
    .orderBy('places.id')
    .execute();
  const attendees = await readAttendees(db, enrolmentIds);
  const courseDates = await readPlaceCourseDates(
    db,
    rows.flatMap(({ course_date_id }) => course_date_id ?? []),
  );
  const openings = await readOpenings(
    db,
    rows.flatMap(({ id, way }) => (way === 'guided' ? id : [])),
  );
  const origins = new Map<number, Origin>();
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    origins.set(row.id, (row.transferred_from !== null && origins.get(row.transferred_from)) || originOf(row));
  }
  const placeOf = (row: (typeof rows)[number]): Place => {
    const attendee = attendees.get(row.attendee_id);
    if (!attendee) throw new Error(`place ${row.id} has no attendee`);
    const place = {
      id: row.id,
      attendee,
      courseId: row.course_id,
      courseTitle: row.course_title,
      courseSlug: row.course_slug,
      amountCents: row.price_cents - row.discount_cents,
      priceCents: row.price_cents,
      priceId: row.price_id,
      discountCents: row.discount_cents,
      discount: row.discount,
      state: row.state,
      cancelledWhy: row.cancelled_why,
      endedOn: row.cancelled_at && academyDay(row.cancelled_at),
      modules: modulesOf(row.modules, openings.get(row.id)),
      transferredFrom: row.transferred_from,
      ...(origins.get(row.id) ?? originOf(row)),
      moveCap: row.move_cap as Place['moveCap'],
      chooseBy: row.choose_by,
      chooseWhy: row.choose_why as Place['chooseWhy'],
    };
    if (row.way === 'guided' && row.guided_from) {
      return { ...place, way: 'guided', courseDate: null, guidedFrom: row.guided_from };
    }
    const courseDate = courseDates.get(row.course_date_id ?? 0);
    if (courseDate) return { ...place, way: 'date', courseDate, guidedFrom: null };
    return { ...place, way: 'next-date', courseDate: null, guidedFrom: null };
  };
  const places = new Map<number, Place[]>();
  for (const row of rows) places.set(row.enrolment_id, [...(places.get(row.enrolment_id) ?? []), placeOf(row)]);
  return places;
}

type Origin = Pick<Place, 'boundAt' | 'calendarId'>;

const originOf = (row: { placed_at: Date; dated_at: Date | null; calendar_id: string }): Origin => ({
  boundAt: row.dated_at ?? row.placed_at,
  calendarId: row.calendar_id,
});

/** The modules as placing fixed them, each with when it was opened. */
function modulesOf(stored: unknown, opened: ReadonlyMap<number, Date> | undefined): PlaceModule[] {
  // Its trigger writes the curriculum of a course, which has this form.
  const modules = (stored ?? []) as { module: string; topics: string[] }[];
  return modules.map(({ module: title, topics }, at) => ({
    number: at + 1,
    title,
    topics,
    openedAt: opened?.get(at + 1) ?? null,
  }));
}

async function readOpenings(db: Db, placeIds: readonly number[]): Promise<Map<number, Map<number, Date>>> {
  const openings = new Map<number, Map<number, Date>>();
  if (placeIds.length === 0) return openings;
  const rows = await db.selectFrom('module_openings').selectAll().where('place_id', 'in', placeIds).execute();
  for (const { place_id, module, opened_at } of rows) {
    openings.set(place_id, (openings.get(place_id) ?? new Map()).set(module, opened_at));
  }
  return openings;
}

async function readAttendees(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, Attendee>> {
  const rows = await db.selectFrom('attendees').selectAll().where('enrolment_id', 'in', enrolmentIds).execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        seat: row.parted_from ?? row.id,
        name: row.name,
        email: row.email,
        needs: row.needs,
        under18: row.under_18,
        guardianName: row.guardian_name,
        guardianEmail: row.guardian_email,
        told: row.told,
      },
    ]),
  );
}

async function readPlaceCourseDates(db: Db, ids: readonly number[]): Promise<Map<number, PlaceCourseDate>> {
  const rows = await db
    .selectFrom('course_dates')
    .innerJoin('course_date_seats', 'course_date_seats.course_date_id', 'course_dates.id')
    .leftJoin('instructors', 'instructors.slug', 'instructor_slug')
    .selectAll('course_dates')
    .select('sold')
    .select('instructors.name as instructor')
    .where('course_dates.id', 'in', [0, ...ids])
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        slug: row.slug,
        state: row.state,
        startsOn: row.starts_on,
        endsOn: row.ends_on,
        startsAt: row.starts_at.slice(0, 5),
        endsAt: row.ends_at.slice(0, 5),
        zone: row.zone,
        delivery: row.delivery,
        venue: row.venue,
        room: row.room,
        street: row.street,
        joiningLink: row.joining_link,
        instructor: row.instructor ?? row.instructor_slug,
        minimum: row.minimum,
        privateSold: row.organisation_id === null ? null : row.sold,
        decidedBy: row.decided_by,
        confirmedOn: row.confirmed_on,
      },
    ]),
  );
}

/** The enrolments that hold places in a course date, oldest first. */
export async function enrolmentsIn(db: Db, courseDateId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('places')
    .select('enrolment_id')
    .distinct()
    .where('course_date_id', '=', courseDateId)
    .where('state', '=', 'active')
    .orderBy('enrolment_id')
    .execute();
  return rows.map(({ enrolment_id }) => enrolment_id);
}

/** The reference of an enrolment; null for an unknown one. */
export async function findReference(db: Db, enrolmentId: number): Promise<string | null> {
  const row = await db.selectFrom('enrolments').select('reference').where('id', '=', enrolmentId).executeTakeFirst();
  return row?.reference ?? null;
}
