import { sql } from 'kysely';
import { href } from 'react-router';
import { everyEntry, readActors, readTrace, type TraceEntry, type TraceFilter } from '#app/audit/trace.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { kindInAddress } from '#app/features/content/form/kinds.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';

/** A page of the trace of all acts (P69). */
export async function readTraceForStaff(
  db: Db,
  actor: StaffActor,
  filter: TraceFilter,
  page: { before: number | null; limit: number },
): Promise<TraceEntry[]> {
  requirePermission(actor, 'trace:read');
  return readTrace(db, filter, page);
}

/** What people know a subject by, and the page of a record of content, by the subject; both only where there is one. */
export async function readSubjects(db: Db, actor: StaffActor, subjects: readonly string[]) {
  requirePermission(actor, 'trace:read');
  const about = (kind: string) =>
    subjects.flatMap((subject) => (subject.startsWith(`${kind}:`) ? subject.slice(kind.length + 1) : []));
  const ids = (kind: string) => about(kind).flatMap((id) => (/^\d{1,15}$/.test(id) ? Number(id) : []));
  const { rows } = await sql<{ subject: string; name: string | null; kind: RecordKind | null; id: number | null }>`
    select 'enrolment:' || reference as subject, coalesce(organisation, buyer_name) as name, null as kind, null::bigint as id
      from enrolments where reference = any(${about('enrolment')})
    union all select 'payment:' || payments.id, coalesce(organisation, buyer_name, words), null, null
      from payments left join enrolments on enrolments.id = enrolment_id where payments.id = any(${ids('payment')}::bigint[])
    union all select 'course-date:' || course_dates.slug, title || ', ' || to_char(starts_on, 'FMDD Mon YYYY'), null, null
      from course_dates join courses on courses.id = course_id where course_dates.slug = any(${about('course-date')})
    union all select 'course:' || slug, title, null, null from courses where slug = any(${about('course')})
    union all select 'conversation:' || id, name, null, null from conversations where id = any(${ids('conversation')}::bigint[])
    union all select 'enquiry:' || reference, first_name || ' ' || last_name, null, null
      from enquiries where reference = any(${about('enquiry')})
    union all select 'booking:' || reference, name, null, null from bookings where reference = any(${about('booking')})
    union all select 'waiting-entry:' || reference, name, null, null
      from waiting_entries where reference = any(${about('waiting-entry')})
    union all select 'organisation:' || id, legal_name, null, null
      from organisations where id = any(${ids('organisation')}::bigint[])
    union all select 'offer:' || id, coalesce(organisation, name), null, null
      from offers where id = any(${ids('offer')}::bigint[])
    union all select 'answer:' || answer.id, attendees.name, null, null
      from exercise_answers answer join places on places.id = place_id join attendees on attendees.id = attendee_id
      where answer.id = any(${ids('answer')}::bigint[])
    union all select 'content:' || content_records.id, coalesce(title, key), kind, content_records.id from content_records
      left join courses on kind = 'course' and slug = key where content_records.id = any(${ids('content')}::bigint[])`.execute(
    db,
  );
  return new Map(
    rows.map(({ subject, name, kind, id }) => [
      subject,
      {
        kind,
        name: kind ? `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${name}`.trim() : name,
        page: kind && href('/staff/content/:kind/:id', { kind: kindInAddress(kind), id: String(id) }),
      },
    ]),
  );
}

/** The same for a file, in pieces. */
export async function* everyEntryForStaff(db: Db, actor: StaffActor, filter: TraceFilter) {
  requirePermission(actor, 'trace:read');
  yield* everyEntry(db, filter);
}

/** The people by whom the trace is filtered. */
export async function readActorsForStaff(db: Db, actor: StaffActor) {
  requirePermission(actor, 'trace:read');
  return readActors(db);
}
