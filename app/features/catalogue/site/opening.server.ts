import { sql } from 'kysely';
import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { type LookAgain, lookAgain } from '#app/features/content/check/dated-texts.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import type { Day } from '#app/lib/dates.ts';
import { type OpeningFacts, type OpeningGroup, type OpeningSettings, openingList } from './opening.ts';

export const openingSettingsContext = createContext<OpeningSettings>();

/** The owner's open tasks before the opening, computed from the published content and the settings. */
export async function readOpening(db: Db, settings: OpeningSettings, today: Day): Promise<OpeningGroup[]> {
  const content = await readDocuments(db, ['site', 'claims', 'partners']);
  const { rows } = await sql<
    Pick<OpeningFacts, 'taken' | 'rated' | 'unprovedOriginalPrices' | 'own' | 'unwritten'>
  >`select
    (select count(*)::integer from courses where retired_at is null and learners > 0) as taken,
    (select count(*)::integer from courses where retired_at is null and rating > 0) as rated,
    (select count(*)::integer from courses join prices on course_id = courses.id
      where retired_at is null and until_at is null and original_cents is not null
      and proof = 'the brief') as "unprovedOriginalPrices",
    json_build_object(
      'courses', (select count(*) from courses where retired_at is null),
      'certifications', (select count(*) from certifications where retired_at is null),
      'instructors', (select count(*) from instructors),
      'learners', (select coalesce(sum(learners), 0) from courses where retired_at is null)) as own,
    (select coalesce(json_agg(json_build_object('title', title, 'modules', modules, 'written', written) order by title), '[]')
      from (select title, jsonb_array_length(details -> 'curriculum') as modules,
          (select count(*) from course_modules where course_id = courses.id and course_modules.retired_at is null) as written
        from courses where retired_at is null and guided) guided
      where written < modules) as unwritten`.execute(db);
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
