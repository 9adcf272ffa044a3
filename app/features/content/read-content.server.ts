import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { compareText } from '#app/lib/compare-text.ts';
import { type CourseContent, courseSchema } from './course-schema.ts';
import type { CrossFault, ReadableContent } from './faults.ts';
import { moduleFileNames, readModules } from './module-files.server.ts';
import { crossFaults, openingFaults } from './rules.ts';
import { type Content, type ContentFileName, contentFiles } from './schema.ts';
import { type Fault, type Locate, readYaml } from './yaml.ts';

export type ContentResult =
  /** `place` finds the lines of further faults, in the order of files. */
  { ok: true; content: Content; place: (faults: CrossFault[]) => Fault[] } | { ok: false; faults: Fault[] };

/** Reads and checks everything under `folder`; reports every fault at once, by file and line. */
export async function readContent(folder: string): Promise<ContentResult> {
  const faults: Fault[] = [];
  const locators = new Map<string, Locate>();

  const read = async <T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    let text: string;
    try {
      text = await readFile(path.join(folder, file), 'utf8');
    } catch {
      faults.push({ file, line: 1, field: '', message: 'is missing' });
      return undefined;
    }
    const result = readYaml(file, text, schema);
    if (!result.ok) {
      faults.push(...result.faults);
      return undefined;
    }
    locators.set(file, result.locate);
    return result.value;
  };

  const lists: Partial<Record<ContentFileName, unknown>> = {};
  for (const name of Object.keys(contentFiles) as ContentFileName[]) {
    const { file, schema } = contentFiles[name];
    lists[name] = await read<unknown>(file, schema);
  }

  const courses: CourseContent[] = [];
  const courseFiles: string[] = [];
  const unreadCourses: string[] = [];
  for (const file of await courseFileNames(folder)) {
    const course = await read(file, courseSchema);
    if (course) {
      courses.push(course);
      courseFiles.push(file);
    } else unreadCourses.push(path.basename(file, '.yaml'));
  }

  const { modules, faults: moduleFaults } = await readModules(folder, courses);
  faults.push(...moduleFaults);

  const place = (found: CrossFault[]): Fault[] =>
    inOrder(
      found.map(({ file, path: at, message }) => {
        const name = 'name' in file ? contentFiles[file.name].file : (courseFiles[file.course] ?? '');
        const { line, field } = locators.get(name)?.(at) ?? { line: 1, field: '' };
        return { file: name, line, field, message };
      }),
    );

  const content = { ...lists, courses, modules } as ReadableContent;
  faults.push(...place([...crossFaults(content, courseFiles, unreadCourses), ...openingFaults(content)]));
  if (faults.length === 0) return { ok: true, content: content as Content, place };
  return { ok: false, faults: inOrder(faults) };
}

function inOrder(faults: Fault[]): Fault[] {
  return faults.sort((a, b) => compareText(a.file, b.file) || a.line - b.line);
}

/** A hash of everything that `readContent` reads under `folder`, without looking into it. */
export async function hashOfContent(folder: string): Promise<string> {
  const lists = Object.values(contentFiles).map(({ file }) => file);
  const hash = createHash('sha256');
  for (const file of [...lists, ...(await courseFileNames(folder)), ...(await moduleFileNames(folder))]) {
    const bytes = await readFile(path.join(folder, file)).catch(() => '');
    hash.update(`${file}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** `courses/*.yaml` in the order of their slugs, as the database sorts them, relative to the content folder. */
export async function courseFileNames(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'courses')).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => path.basename(name, '.yaml'))
    .sort()
    .map((slug) => `courses/${slug}.yaml`);
}
