import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** Characters of references (P23). */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Writes the history of an academy: so many course dates of five days, all over before a day, each with three
 * people of one enrolment, one of whom cancelled and one seat of a hold that ran out. Straight into the tables, without
 * their triggers, which takes seconds for 100,000; needs a superuser, as the program's own database has.
 */
export async function writePastCourseDates(db: Db, count: number, before: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`create temporary table past on commit drop as
      select n, course.id as course_id, ${before}::date - 60 - (n % 3000) as day, course.instructor_slug,
        (select coalesce(max(id), 0) from course_dates) + n as course_date_id,
        (select coalesce(max(id), 0) from enrolments) + n as enrolment_id,
        (select coalesce(max(id), 0) from seat_holds) + n as hold_id,
        (select coalesce(max(id), 0) from places) + n * 3 as place_id
      from generate_series(1, ${count}) n
        join (select id, instructor_slug, row_number() over (order by id) - 1 as at, count(*) over () as courses from courses) course
          on course.at = n % course.courses`.execute(trx);
    await sql`insert into course_dates (id, slug, course_id, starts_on, ends_on, enrolment_ends_on, starts_at, ends_at,
        zone, delivery, instructor_slug, capacity, state)
      overriding system value
      select course_date_id, 'past-' || n, course_id, day, day + 4, day - 1, '09:00', '17:00', 'Australia/Brisbane', 'online',
        instructor_slug, 12, 'confirmed'
      from past`.execute(trx);
    await sql`insert into course_date_seats select course_date_id, 2, 0, 0 from past`.execute(trx);
    await sql`insert into enrolments (id, reference, title, buyer_name, email, mailbox, payer,
        terms_id, placed_at, changed_at) overriding system value
      select enrolment_id, 'BB-' || (select string_agg(substr(${letters}, ((n >> (5 * digit)) & 31) + 1, 1), '') from generate_series(0, 5) digit),
        'A course', 'Somebody', 'past' || n || '@example.com', 'past' || n || '@example.com', 'person',
        (select max(id) from terms_versions), day - 40, day - 40
      from past`.execute(trx);
    await sql`insert into attendees (id, enrolment_id, name) overriding system value
      select place_id - person, enrolment_id, 'Somebody' from past, generate_series(0, 2) person`.execute(trx);
    await sql`insert into places (id, enrolment_id, attendee_id, course_id, way,
        course_date_id, price_cents, placed_at, state, cancelled_at, cancelled_why) overriding system value
      select place_id - person, enrolment_id, place_id - person, course_id, 'date', course_date_id, 100000, day - 40,
        case when person = 0 then 'cancelled' else 'active' end, case when person = 0 then day - 30 end,
        case when person = 0 then 'buyer' end
      from past, generate_series(0, 2) person`.execute(trx);
    await sql`insert into seat_holds (id, course_date_id, seats, purpose, made_at,
        expires_at, ended_at, ended) overriding system value
      select hold_id, course_date_id, 1, 'enrolment', day - 41, day - 41, day - 41, 'expired' from past`.execute(trx);
    await sql`insert into seat_movements (course_date_id, kind, seats, hold_id, place_id, at)
      select course_date_id, kind, seats, case when place is null then hold_id end, place_id - place, day - 40
      from past, (values ('hold', 1, null), ('release', -1, null), ('sale', 1, 0), ('sale', 1, 1), ('sale', 1, 2),
        ('cancellation', -1, 0)) movement (kind, seats, place)`.execute(trx);
    for (const table of ['course_dates', 'enrolments', 'attendees', 'places', 'seat_holds']) {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 1) from ${sql.table(table)}))`.execute(
        trx,
      );
    }
  });
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);
}
