import type { NotNull } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { detailsInWords } from './details-in-words.ts';

/**
 * The audit entries of a subject, oldest first; of a renamed one under all its names. A form of its page sends `seen`, the
 * number of the last entry that the page showed.
 */
export async function readEntriesOf(db: Db, subjects: readonly string[], actionInWords: (action: string) => string) {
  const rows = await db
    .selectFrom('audit_entries')
    .leftJoin('people', 'people.id', 'person_id')
    .select(['audit_entries.id', 'people.name as by', 'at', 'action', 'details'])
    .where('subject', 'in', subjects)
    .orderBy('audit_entries.id')
    .execute();
  return {
    seen: rows.at(-1)?.id ?? 0,
    entries: rows.map(({ id, by, at, action, details }) => ({
      id,
      by: by ?? 'The program',
      did: actionInWords(action),
      details: detailsInWords(details),
      at: formatMoment(at),
    })),
  };
}

/** The latest act of a person on a subject after the entry that the page showed. */
export function findEntryAfter(trx: Db, subject: string, seen: number) {
  return (
    trx
      .selectFrom('audit_entries')
      .innerJoin('people', 'people.id', 'person_id')
      .select(['audit_entries.id as seen', 'people.name as by', 'at', 'action'])
      // Staff always have a name.
      .$narrowType<{ by: NotNull }>()
      .where('subject', '=', subject)
      .where('audit_entries.id', '>', seen)
      .orderBy('audit_entries.id', 'desc')
      .executeTakeFirst()
  );
}

/** The number of the latest entry, whatever it is about; 0 before the first. */
export async function lastEntry(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('last'))
    .executeTakeFirstOrThrow();
  return last;
}
