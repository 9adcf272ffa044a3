import path from 'node:path';
import type { Db } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { describePlan } from '#app/features/content/describe-plan.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { findImportDue, type ImportDue } from '#app/features/content/import-due.server.ts';
import type { ImportPlan } from '#app/features/content/plan.ts';
import { hashOfContent, readContent } from '#app/features/content/read-content.server.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';

const contentFolder = path.join(projectRoot, 'content');
const timeOf = (clock: Clock) => ({ now: clock.now(), today: academyToday(clock) });

/** Imports content/ into a database that holds no catalogue yet. */
export async function importOnFirstRun(db: Db, clock: Clock, progress: (line: string) => void): Promise<void> {
  const state = await db.selectFrom('import_state').select('imported_at').executeTakeFirstOrThrow();
  if (state.imported_at) return;
  progress('First run: reading content/');
  const read = await readContent(contentFolder);
  if (!read.ok) {
    const [first] = read.faults;
    const where = first ? `${first.file}:${first.line} ${first.field} ${first.message}` : '';
    throw new Error(`content/ has ${read.faults.length} faults, the first: ${where}. Run: npm run content -- check`);
  }
  progress(`Importing the catalogue: ${read.content.courses.length} courses`);
  const at = timeOf(clock);
  const agree = (plan: ImportPlan, shiftWeeks: number) => {
    const [, ...sums] = describePlan({ ...plan, added: [] }, shiftWeeks).split('\n');
    progress([`${plan.added.length} records`, ...sums].join('. '));
    return true;
  };
  const result = await importContent(db, read.content, at, agree, undefined, await hashOfContent(contentFolder));
  if (!result.ok) throw new Error('content/ could not be imported');
}

/** Content that an update of the program brought and nobody has imported yet; the start line and a page of staff name it. */
export function lookForImport(opened: { database: { db: Db }; clock: Clock }): Promise<ImportDue | null> {
  const { database, clock } = opened;
  return findImportDue(database.db, contentFolder, timeOf(clock));
}
