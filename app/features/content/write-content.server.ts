import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { courseSchema } from './course-schema.ts';
import { moduleFileNames } from './module-files.server.ts';
import { moduleAsFile, moduleFile } from './module-schema.ts';
import { courseFileNames } from './read-content.server.ts';
import { type Content, type ContentFileName, contentFiles } from './schema.ts';
import { writeYaml } from './yaml.ts';

/** The written files, by name relative to the content folder. */
export type Written = { written: string[]; removed: string[]; unchanged: number };

/**
 * Writes the content in its one form: files that say the same already are left alone, files of courses and modules
 * that are gone are removed. Each file is replaced whole, so a kill leaves the old or the new one.
 */
export async function writeContent(folder: string, content: Content): Promise<Written> {
  const files = contentAsFiles(content);
  const result: Written = { written: [], removed: [], unchanged: 0 };
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    if (await replaceFile(path.join(folder, file), text)) result.written.push(file);
    else result.unchanged++;
  }
  for (const file of [...(await courseFileNames(folder)), ...(await moduleFileNames(folder))]) {
    if (files.has(file)) continue;
    await rm(path.join(folder, file));
    result.removed.push(file);
  }
  return result;
}

/** The JSON Schemas for editors, as file name to text, relative to the content folder. */
export function schemasAsFiles(): Map<string, string> {
  const schemas: [string, z.ZodType][] = [['course', courseSchema]];
  for (const { file, schema } of Object.values(contentFiles)) schemas.push([schemaName(file), schema]);
  return new Map(
    schemas.map(([name, schema]) => {
      const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2);
      return [`schemas/${name}.schema.json`, `${text}\n`];
    }),
  );
}

/** Writes the JSON Schemas; returns the names of those that changed. */
export async function writeSchemas(folder: string): Promise<string[]> {
  const changed: string[] = [];
  await mkdir(path.join(folder, 'schemas'), { recursive: true });
  for (const [file, text] of schemasAsFiles()) {
    if (await replaceFile(path.join(folder, file), text)) changed.push(file);
  }
  return changed;
}

/** Every content file's text, keyed by its name relative to the content folder. */
export function contentAsFiles(content: Content): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of Object.keys(contentFiles) as ContentFileName[]) {
    const { file } = contentFiles[name];
    files.set(file, writeYaml(content[name], `./schemas/${schemaName(file)}.schema.json`));
  }
  for (const course of content.courses) {
    files.set(`courses/${course.slug}.yaml`, writeYaml(course, '../schemas/course.schema.json'));
  }
  for (const module of content.modules) files.set(moduleFile(module), moduleAsFile(module));
  return files;
}

async function replaceFile(file: string, text: string): Promise<boolean> {
  const before = await readFile(file, 'utf8').catch(() => null);
  if (before === text) return false;
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, text);
  await rename(draft, file);
  return true;
}

function schemaName(file: string): string {
  return file.replace(/\.yaml$/, '');
}
