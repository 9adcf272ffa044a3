import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';

/**
 * Enrolments with no place that is still to be taken up, and no choice still open: guided study is open for twelve
 * months, and the days to choose can end after the class that we cancelled.
 */
export const overEnrolments = (db: Db, today: Day) =>
  db
    .selectFrom('enrolments as ended')
    .select('ended.id')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('places')
            .leftJoin('course_dates as course_date', 'course_date.id', 'course_date_id')
            .select('places.id')
            .whereRef('places.enrolment_id', '=', 'ended.id')
            .where('places.state', '=', 'active')
            .where(({ or, eb }) =>
              or([
                eb('places.choose_by', 'is not', null),
                sql<boolean>`coalesce(course_date.ends_on, (places.guided_from + interval '1 year')::date - 1, 'infinity'::date) >= ${today}`,
              ]),
            ),
        ),
      ),
    );

/**
 * Enrolments that are over and settled. Money owed in either direction keeps the buyer (Australian Privacy Principle
 * 11.2): otherwise nobody could be reminded of a debt or get a refund. After seven years without an invoice or a
 * payment it no longer does; the books are kept as long (section 286 of the Corporations Act 2001).
 */
export const endedEnrolments = (db: Db, today: Day) => {
  const sevenYearsAgo = sql<string>`(${today}::date - interval '7 years')::date`;
  return overEnrolments(db, today).where(({ and, or, not, exists, selectFrom }) =>
    not(
      and([
        // An enrolment that the index does not know is kept.
        not(
          exists(
            selectFrom('enrolment_list')
              .select('enrolment_id')
              .whereRef('enrolment_id', '=', 'ended.id')
              .where('balance_cents', '=', 0),
          ),
        ),
        or([
          exists(
            selectFrom('tax_invoices')
              .select('enrolment_id')
              .whereRef('enrolment_id', '=', 'ended.id')
              .where('issued_on', '>', sevenYearsAgo),
          ),
          exists(
            selectFrom('payments')
              .select('enrolment_id')
              .whereRef('enrolment_id', '=', 'ended.id')
              .where('received_on', '>', sevenYearsAgo),
          ),
        ]),
      ]),
    ),
  );
};

/**
 * Enrolments that keep the name and address of a person who leaves (P58): enrolments that are not over, and for a buyer
 * also those that are not settled.
 */
export const goingOnFor = (db: Db, personId: number, today: Day) =>
  db
    .selectFrom('enrolments')
    .where(({ or, and, not, eb, ref, exists, selectFrom }) =>
      or([
        and([
          eb('enrolments.person_id', '=', personId),
          not(exists(endedEnrolments(db, today).where('ended.id', '=', ref('enrolments.id')))),
        ]),
        and([
          exists(
            selectFrom('attendees')
              .select('attendees.id')
              .whereRef('attendees.enrolment_id', '=', 'enrolments.id')
              .where('attendees.person_id', '=', personId),
          ),
          not(exists(overEnrolments(db, today).where('ended.id', '=', ref('enrolments.id')))),
        ]),
      ]),
    );
