import type { Db } from '#app/db/client.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import type { ModuleStandings } from '#app/features/enrolments/modules.ts';
import { isOverdue } from '#app/features/money/open-invoices.server.ts';
import { readHolidays } from '#app/features/money/parties.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { handedOutBy } from './asked-modules.server.ts';
import { readModuleTexts } from './module-text.server.ts';

/** Which modules of a guided place have a text, which were asked for, and whether its invoice is overdue (P105). */
export async function readModuleStandings(
  db: Db,
  { id, courseId, modules }: Place,
  { enrolmentId, today }: { enrolmentId: number; today: Day },
): Promise<ModuleStandings> {
  const texts = await readModuleTexts(db, { courseId, titles: modules.map(({ title }) => title) });
  const requests = await db
    .selectFrom('module_requests')
    .select(['module', 'asked_at'])
    .where('place_id', '=', id)
    .execute();
  const holidays = await readHolidays(db);
  return {
    written: new Set(modules.flatMap(({ number }) => (texts[number - 1] == null ? [] : number))),
    asked: new Map(requests.map(({ module, asked_at }) => [module, handedOutBy(asked_at, holidays)])),
    overdue: await isOverdue(db, enrolmentId, today),
  };
}
