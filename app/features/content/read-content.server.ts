import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { crossFaults } from './rules.ts';
import { type Content, type ContentFileName, type CourseContent, contentFiles, courseSchema } from './schema.ts';
import { type Fault, type Locate, readYaml } from './yaml.ts';

export type ContentResult = { ok: true; content: Content } | { ok: false; faults: Fault[] };

/** Reads and checks everything under `folder`; reports every fault at once, in the order of the files. */
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
  for (const file of await courseFileNames(folder)) {
    const course = await read(file, courseSchema);
    if (!course) continue;
    courses.push(course);
    courseFiles.push(file);
  }

  // References into a file that could not be read would only repeat its fault.
  if (Object.values(lists).every((list) => list !== undefined)) {
    const content = { ...lists, courses } as Content;
    for (const { file, path: at, message } of crossFaults(content, courseFiles)) {
      const name = 'name' in file ? contentFiles[file.name].file : (courseFiles[file.course] ?? '');
      const place = locators.get(name)?.(at) ?? { line: 1, field: '' };
      faults.push({ file: name, ...place, message });
    }
    if (faults.length === 0) return { ok: true, content };
  }
  return { ok: false, faults };
}

/** `courses/*.yaml` in alphabetical order, relative to the content folder. */
export async function courseFileNames(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'courses')).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => `courses/${name}`);
}
