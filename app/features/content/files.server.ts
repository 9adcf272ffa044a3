import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Document, isNode, isScalar, LineCounter, parseDocument, Scalar, visit } from 'yaml';
import { z } from 'zod';
import { compareText } from '#app/lib/compare-text.ts';
import { type CourseContent, courseSchema } from './course-schema.ts';
import { type ModuleContent, moduleAsFile, moduleFile, moduleInFile, moduleSchema } from './module-schema.ts';
import { crossFaults, openingFaults } from './rules.ts';
import { type Content, type ContentFileName, type CrossFault, contentFiles, type ReadableContent } from './schema.ts';

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

/** `courses/*.yaml` in the order of their slugs, as the database sorts them, relative to the content folder. */
async function courseFileNames(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'courses')).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => path.basename(name, '.yaml'))
    .sort()
    .map((slug) => `courses/${slug}.yaml`);
}

/** Files of modules in their order, relative to the content folder; there may be none. */
async function moduleFileNames(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, 'modules'), { recursive: true }).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `modules/${name.split(path.sep).join('/')}`)
    .sort();
}

/** Reads the modules. Faults name file and line, as with the other files. */
async function readModules(
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

/** Writes the JSON Schemas; returns the names of the changed ones. */
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

/** A fault in a content file. `line` counts from 1; `field` is a path such as `curriculum[2].topics`. */
export type Fault = { file: string; line: number; field: string; message: string };

type Path = readonly PropertyKey[];

/** Finds the line of a field, or of the nearest field around it that exists. */
export type Locate = (path: Path) => { line: number; field: string };

/** Reads one YAML text against a schema; every fault is reported, none thrown. */
export function readYaml<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
): { ok: true; value: T; locate: Locate } | { ok: false; faults: Fault[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    const faults = broken.map((error) => ({
      file,
      line: lines.linePos(error.pos[0]).line,
      field: '',
      message: error.message,
    }));
    return { ok: false, faults };
  }
  // Content has no use for aliases, and a few lines of them can expand to more text than there is memory.
  const aliases = aliasOffsets(document).map((offset) => ({
    file,
    line: lines.linePos(offset).line,
    field: '',
    message: 'repeats a value by an alias (*name): write it out',
  }));
  if (aliases.length > 0) return { ok: false, faults: aliases };

  const locate: Locate = (path) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return { line: lines.linePos(node.range[0]).line, field: fieldName(path) };
    }
    return { line: 1, field: fieldName(path) };
  };

  const result = schema.safeParse(document.toJS());
  if (result.success) return { ok: true, value: result.data, locate };
  const faults = result.error.issues.map((issue) => ({ file, ...locate(issue.path), message: issue.message }));
  return { ok: false, faults };
}

function aliasOffsets(document: Document.Parsed): number[] {
  const offsets: number[] = [];
  visit(document, {
    Alias(_, node) {
      offsets.push(node.range?.[0] ?? 0);
    },
  });
  return offsets;
}

/** Writes a record the one way content files are written; `schemaPath` is relative to the file. */
export function writeYaml(value: unknown, schemaPath: string): string {
  const document = new Document(value);
  visit(document, {
    Pair(_, { value: text }) {
      if (isScalar(text) && typeof text.value === 'string' && text.value.length > longestPlain) {
        text.type = text.value.includes('\n') ? Scalar.BLOCK_LITERAL : Scalar.BLOCK_FOLDED;
      }
    },
  });
  const body = document.toString({ lineWidth: 120, singleQuote: true });
  return `# yaml-language-server: $schema=${schemaPath}\n${body}`;
}

// Prose longer than a line is folded under its key, so that it needs no quotes.
const longestPlain = 90;

function fieldName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
