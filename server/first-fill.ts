import path from 'node:path';
import type { Db } from '#app/db/client.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { readContent } from '#app/features/content/files.server.ts';
import { fillDatabase } from '#app/features/content/fill.server.ts';
import { hasContent } from '#app/features/content/revisions.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';

/** Fills a database that holds no content yet with content/, as `edit` changes it (P95). */
export async function fillOnFirstRun(
  db: Db,
  clock: Clock,
  progress: (line: string) => void,
  edit: (content: Content) => Content = (content) => content,
): Promise<void> {
  if (await hasContent(db)) return;
  const read = await readContent(path.join(projectRoot, 'content'));
  if (!read.ok) {
    const [first] = read.faults;
    const where = first ? `${first.file}:${first.line} ${first.field} ${first.message}` : '';
    throw new Error(`content/ has ${read.faults.length} faults, the first: ${where}. Run: npm run content -- check`);
  }
  progress(`Filling the database: ${read.content.courses.length} courses`);
  await fillDatabase(db, edit(read.content), { now: clock.now(), today: academyToday(clock) });
}
