import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CourseContent } from './course-schema.ts';
import { type ModuleContent, moduleInFile, moduleSchema } from './module-schema.ts';
import type { Fault } from './yaml.ts';

/** Files of modules in their order, relative to the content folder; there may be none. */
export async function moduleFileNames(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'modules'), { recursive: true }).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `modules/${name.split(path.sep).join('/')}`)
    .sort();
}

/** Reads the modules. Faults name file and line, as with the other files. */
export async function readModules(
  folder: string,
  courses: readonly CourseContent[],
): Promise<{ modules: ModuleContent[]; faults: Fault[] }> {
  const modules: ModuleContent[] = [];
  const faults: Fault[] = [];
  for (const file of await moduleFileNames(folder)) {
    const fault = (line: number, field: string, message: string) => void faults.push({ file, line, field, message });
    const [, slug, number] = /^modules\/([a-z0-9-]+)\/(\d\d)\.md$/.exec(file) ?? [];
    if (slug === undefined || number === undefined) {
      fault(1, '', 'is not named as modules/<course>/<NN>.md');
      continue;
    }
    const found = moduleInFile(await readFile(path.join(folder, file), 'utf8'));
    if (!found) {
      fault(1, '', 'does not begin with "---", "title: …" and "---"');
      continue;
    }
    const parsed = moduleSchema.safeParse({ course: slug, number: Number(number), ...found });
    for (const { path: at, message } of parsed.error?.issues ?? []) {
      const field = String(at[0]);
      fault(field === 'title' ? 2 : field === 'body' ? 4 : 1, field, message);
    }
    if (!parsed.success) continue;
    const module = courses.find((course) => course.slug === slug)?.curriculum[Number(number) - 1];
    if (!module) fault(1, 'course', `is of no module: ${slug} has none of that number`);
    else if (module.module !== parsed.data.title) fault(2, 'title', `is not the curriculum's: "${module.module}"`);
    else modules.push(parsed.data);
  }
  return { modules, faults };
}
