import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Renames a course in a folder of content files: its files, its former slug, and every file that names it. */
export async function renameIn(folder: string, from: string, to: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.yaml')) continue;
    const file = path.join(folder, name);
    const before = await readFile(file, 'utf8');
    const text = before.replaceAll(new RegExp(`(?<=[ :-] )${from}$`, 'gm'), to);
    if (text !== before) await writeFile(file, text);
  }
  const file = path.join(folder, 'courses', `${to}.yaml`);
  await rename(path.join(folder, 'courses', `${from}.yaml`), file);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(`slug: ${to}\n`, `slug: ${to}\naliases:\n  - ${from}\n`));
  await rename(path.join(folder, 'modules', from), path.join(folder, 'modules', to));
}
