import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import { readContent } from '#app/features/content/files.server.ts';

/** The day as of which content/ is written: a database that is filled on it has its dates as they are. */
export const openingDay = { now: new Date('2025-09-08T09:00:00+10:00'), today: '2025-09-08' };

export const contentFolder = path.join(projectRoot, 'content');

/** Published courses: one file each (P12). */
export const courseCount = readdirSync(path.join(contentFolder, 'courses')).length;

/** The academy's own content; throws with every fault when it has any. */
export async function readAcademy() {
  const result = await readContent(contentFolder);
  if (!result.ok) throw new Error(JSON.stringify(result.faults, null, 2));
  return result.content;
}
