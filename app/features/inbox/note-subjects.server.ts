import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { NoteAbout } from '#app/features/people/notes.server.ts';

/** Where the record of each kind lies, and the column that its subject names. */
const records = {
  booking: ['bookings', 'reference'],
  conversation: ['conversations', 'id'],
  'course-date': ['course_dates', 'slug'],
  enquiry: ['enquiries', 'reference'],
  enrolment: ['enrolments', 'reference'],
  payment: ['payments', 'id'],
  person: ['people', 'id'],
} as const satisfies Record<NoteAbout['kind'], readonly [string, string]>;

/** A subject of notes (P83), such as `enrolment:BB-7KQ2MX`. */
export type NoteSubject = `${NoteAbout['kind']}:${string}`;

/** The record that a subject names; null when it is gone. */
export async function findNoteSubject(trx: Trx, subject: NoteSubject): Promise<NoteAbout | null> {
  const [kind, key = ''] = subject.split(/:(.*)/) as [NoteAbout['kind'], string];
  const [table, column] = records[kind];
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where ${sql.ref(column)} = ${key}`.execute(trx);
  return rows[0] ? { kind, id: rows[0].id } : null;
}
