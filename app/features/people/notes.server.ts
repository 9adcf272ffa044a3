import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { requirePermission, type StaffActor } from './actor.ts';
import type { Permission } from './permissions.ts';
import { maySeeCourseDate } from './queries.server.ts';

/** The subject of a note; `id` is that of its row. */
export type NoteAbout = {
  kind: 'enrolment' | 'person' | 'course-date' | 'payment' | 'enquiry' | 'conversation' | 'booking';
  id: number;
};

/** The minutes in which its author can change or delete a note; from then on it is only added to. */
const noteMinutes = 15;

/** A note as a page shows it. `mine`: whether the reader wrote it and can still change it. */
export type Note = { id: number; by: string; text: string; at: Date; edited: boolean; mine: boolean };

/** Writes a note about something for colleagues (P83); it is never mailed. Returns its id. */
export async function writeNote(
  trx: Trx,
  { about, text, actor }: { about: NoteAbout; text: string; actor: StaffActor },
  { now }: { now: Date },
): Promise<number> {
  requirePermission(actor, 'notes:write');
  const { id } = await trx
    .insertInto('notes')
    .values({
      about_kind: about.kind,
      about_id: about.id,
      written_by: actor.person.id,
      body: text,
      written_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(trx, 'write-note', { id, actor }, now);
  return id;
}

/** Changes a note of one's own within 15 minutes; false when it is somebody else's, older, or gone. */
export async function changeNote(
  trx: Trx,
  { about, id, text, actor }: { about: NoteAbout; id: number; text: string; actor: StaffActor },
  { now }: { now: Date },
): Promise<boolean> {
  requirePermission(actor, 'notes:write');
  const { numUpdatedRows } = await trx
    .updateTable('notes')
    .set({ body: text, edited_at: now })
    .where(isOwn({ about, id, actor, now }))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await audit(trx, 'change-note', { id, actor }, now);
  return numUpdatedRows > 0n;
}

/** Deletes a note of one's own within 15 minutes; false as with `changeNote`. */
export async function deleteNote(
  trx: Trx,
  { about, id, actor }: { about: NoteAbout; id: number; actor: StaffActor },
  { now }: { now: Date },
): Promise<boolean> {
  requirePermission(actor, 'notes:write');
  const { numDeletedRows } = await trx.deleteFrom('notes').where(isOwn({ about, id, actor, now })).executeTakeFirst();
  if (numDeletedRows > 0n) await audit(trx, 'delete-note', { id, actor }, now);
  return numDeletedRows > 0n;
}

/** The permission to read notes about a kind of record: the same as for its page. */
const needed = {
  booking: 'bookings:read',
  conversation: 'conversations:read',
  enquiry: 'enquiries:read',
  enrolment: 'enrolments:read',
  payment: 'money:read',
  person: 'people:read',
  'course-date': 'course-dates:read',
} as const satisfies Record<NoteAbout['kind'], Permission>;

/** The notes about something, oldest first, as a member of staff sees them: of course dates an instructor's own only. */
export async function readNotes(db: Db, about: NoteAbout, actor: StaffActor, now: Date): Promise<Note[]> {
  requirePermission(actor, needed[about.kind]);
  if (about.kind === 'course-date' && !(await maySeeCourseDate(db, actor, about))) return [];
  const rows = await db
    .selectFrom('notes')
    .leftJoin('people', 'people.id', 'written_by')
    .select(['notes.id', 'people.name as by', 'body', 'written_at', 'edited_at', 'written_by'])
    .where('about_kind', '=', about.kind)
    .where('about_id', '=', about.id)
    .orderBy('notes.id')
    .execute();
  return rows.map(({ id, by, body, written_at: at, edited_at, written_by }) => ({
    id,
    by: by ?? 'A former colleague',
    text: body,
    at,
    edited: edited_at !== null,
    mine: written_by === actor.person.id && at > since(now) && actor.can.has('notes:write'),
  }));
}

/** Takes away the notes about records that are erased. */
export async function eraseNotesAbout(trx: Db, kind: NoteAbout['kind'], ids: readonly number[]): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('notes')
    .where('about_kind', '=', kind)
    .where('about_id', 'in', [0, ...ids])
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Notes about a person and about what is the person's. Those about enrolments and payments are erased with these,
 * because some are kept for a while; those about messages, chats and bookings go with them in the database.
 */
export const noteRecords: PersonalRecords = {
  name: 'notes',
  tables: ['notes'],
  async read(db, { id }) {
    const { rows } = await sql<{ about: string; body: string; written_at: Date; edited_at: Date | null }>`
      select about_kind as about, body, written_at, edited_at from notes
      where (about_kind = 'person' and about_id = ${id})
        or (about_kind = 'enrolment' and about_id in (select id from enrolments where person_id = ${id}))
        or (about_kind = 'payment' and about_id in (select payments.id from payments
          join enrolments on enrolments.id = enrolment_id where person_id = ${id}))
        or (about_kind = 'enquiry' and about_id in (select its.id from enquiries own
          join enquiries its on coalesce(its.corrects, its.reference) = coalesce(own.corrects, own.reference)
          where own.person_id = ${id}))
        or (about_kind = 'conversation' and about_id in (select id from conversations where person_id = ${id}))
        or (about_kind = 'booking' and about_id in (select id from bookings where person_id = ${id}))
      order by notes.id`.execute(db);
    return rows;
  },
  async erase(trx, { id }) {
    return { count: id === 0 ? 0 : await eraseNotesAbout(trx, 'person', [id]) };
  },
};

const since = (now: Date) => new Date(now.getTime() - noteMinutes * 60_000);

type Own = { about: NoteAbout; id: number; actor: StaffActor; now: Date };

/** A note of this author about this, written a short time ago. */
const isOwn = ({ about, id, actor, now }: Own) =>
  sql<boolean>`id = ${id} and about_kind = ${about.kind} and about_id = ${about.id}
    and written_by = ${actor.person.id} and written_at > ${since(now)}`;

/** The subject of the entry is the note, so that a note makes nobody's open page of its subject out of date. */
const audit = (trx: Trx, action: string, { id, actor }: { id: number; actor: StaffActor }, at: Date) =>
  writeAuditEntry(trx, { at, personId: actor.person.id, action, subject: `note:${id}` });
