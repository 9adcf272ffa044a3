import { sql } from 'kysely';
import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { type LookAgain, lookAgain } from '#app/features/content/check/dated-texts.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import type { Day } from '#app/lib/dates.ts';
import { type OpeningGroup, type OpeningSettings, openingList } from './opening.ts';

export const openingSettingsContext = createContext<OpeningSettings>();

/** The owner's open tasks before the opening, computed from the published content and the settings. */
export async function readOpening(db: Db, settings: OpeningSettings, today: Day): Promise<OpeningGroup[]> {
  const content = await readDocuments(db, ['site', 'claims', 'partners', 'pages']);
  const { rows } = await sql<
    Record<'taken' | 'rated' | 'unprovedOriginalPrices' | 'passRates' | 'instructors' | 'guidedWithoutHour', number>
  >`select
    (select count(*)::integer from courses where retired_at is null and learners > 0) as taken,
    (select count(*)::integer from courses where retired_at is null and rating > 0) as rated,
    (select count(*)::integer from courses join prices on course_id = courses.id
      where retired_at is null and until_at is null and original_cents is not null
      and proof = 'the brief') as "unprovedOriginalPrices",
    (select count(*)::integer from certifications where retired_at is null) as "passRates",
    (select count(*)::integer from instructors) as instructors,
    (select count(*)::integer from courses where retired_at is null and guided and not exists (
      select from live_hours where course_id = courses.id and last_on >= ${today}
        and (ended_from is null or ended_from > ${today}))) as "guidedWithoutHour"`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('counts have one row');
  return openingList({ content, settings, today, ...counts });
}

/** Published texts that are no longer true, or were not checked for too long; `today` is a day of the real calendar. */
export async function readLookAgain(db: Db, today: Day): Promise<LookAgain[]> {
  const { exams, holidays } = await readDocuments(db, ['exams', 'holidays']);
  const courses = await db
    .selectFrom('courses')
    .select(['title', sql<Content['courses'][number]['facts'] | null>`details->'facts'`.as('facts')])
    .where('retired_at', 'is', null)
    .where(sql<boolean>`details ? 'facts'`)
    .orderBy('title')
    .execute();
  const dated = courses.map(({ title, facts }) => ({ title, facts: facts ?? undefined }));
  return lookAgain({ courses: dated, exams, holidays }, today);
}
