import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { correctionsOf } from '#app/features/enrolments/buyer.server.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import { openingsOf } from '#app/features/enrolments/links.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { readNotes } from '#app/features/people/notes.server.ts';
import { readEmailsAbout } from './email/read.server.ts';

/** Everything that is known to have happened to an enrolment, apart from its mails: as rows, for `happeningsOf`. */
export async function readHappenings(db: Db, enrolment: Enrolment, actor: StaffActor, now: Date) {
  const { id, reference } = enrolment;
  const audit = await db
    .selectFrom('audit_entries')
    .leftJoin('people', 'people.id', 'person_id')
    .select(['audit_entries.id', 'people.name as by', 'at', 'action', 'details'])
    .where('subject', '=', `enrolment:${reference}`)
    .orderBy('audit_entries.id')
    .execute();
  // What staff did to a course date while the enrolment had a place in it.
  const dates = await db
    .selectFrom('course_dates as course_date')
    .innerJoin('audit_entries as act', (join) =>
      join
        .on(sql<boolean>`act.subject = 'course-date:' || course_date.slug`)
        .on('action', 'in', ['confirm-course-date', 'move-course-date', 'cancel-course-date']),
    )
    .leftJoin('people', 'people.id', 'act.person_id')
    .select(['act.id', 'people.name as by', 'act.at', 'act.action', 'act.details', 'course_date.slug'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('places')
          .select('places.id')
          .where('enrolment_id', '=', id)
          .whereRef('course_date_id', '=', 'course_date.id')
          .where(({ eb, fn, ref }) => eb(fn.coalesce('dated_at', 'placed_at'), '<=', ref('act.at')))
          .where(({ or, eb }) => or([eb('cancelled_at', 'is', null), eb('cancelled_at', '>', eb.ref('act.at'))])),
      ),
    )
    .orderBy('act.id')
    .execute();
  const places = await db
    .selectFrom('places')
    .select(['id', 'attendee_id', 'placed_at', 'cancelled_at', 'cancelled_why', 'transferred_from'])
    .where('enrolment_id', '=', id)
    .orderBy('id')
    .execute();
  const documents = await db
    .selectFrom('tax_invoices')
    .select(['id', 'created_at'])
    .select(sql<'tax-invoice' | 'adjustment-note'>`'tax-invoice'`.as('kind'))
    .select(sql<string>`facts ->> 'number'`.as('number'))
    .where('enrolment_id', '=', id)
    .unionAll(
      db
        .selectFrom('adjustment_notes as note')
        .innerJoin('tax_invoices as invoice', 'invoice.id', 'tax_invoice_id')
        .select(['note.id', 'note.created_at'])
        .select(sql<'tax-invoice' | 'adjustment-note'>`'adjustment-note'`.as('kind'))
        .select(sql<string>`note.facts ->> 'number'`.as('number'))
        .where('invoice.enrolment_id', '=', id),
    )
    .execute();
  const offers = await db
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .innerJoin('course_dates as course_date', 'course_date.id', 'waiting_offers.course_date_id')
    .leftJoin('people', 'people.id', 'waiting_offers.made_by')
    .select([
      'waiting_offers.id',
      'waiting_offers.made_at',
      'waiting_offers.ended',
      'waiting_offers.ended_at',
      'waiting_offers.seats',
    ])
    .select(['people.name as by', 'course_date.slug', 'course_date.starts_on', 'course_date.ends_on'])
    .where('enrolment_id', '=', id)
    .orderBy('waiting_offers.id')
    .execute();
  return {
    audit,
    dates,
    places,
    documents,
    offers,
    emails: await readEmailsAbout(db, actor, id),
    corrections: await correctionsOf(db, id),
    openings: await openingsOf(db, id),
    notes: await readNotes(db, { kind: 'enrolment', id }, actor, now),
  };
}

export type TimelineRows = Awaited<ReturnType<typeof readHappenings>>;
