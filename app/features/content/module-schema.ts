import { z } from 'zod';
import { line, markdownOf, slug } from './schema-parts.ts';

/**
 * The reading and the exercise of one module of a course, from a file of its own in `modules/<course>/<NN>.md` (P60).
 */
export const moduleSchema = z.strictObject({
  course: slug,
  number: z.int().min(1).max(99),
  title: line(100),
  body: markdownOf(1)
    .max(60_000)
    .refine((body) => modulePartsOf(body) !== null, {
      error: 'must have the headings "## Reading" and "## Exercise", each once, in this order, with a text below each',
    }),
});
export type ModuleContent = z.output<typeof moduleSchema>;

/** The key of a module: `soc-fundamentals/03`. */
export const moduleKey = ({ course, number }: Pick<ModuleContent, 'course' | 'number'>): string =>
  `${course}/${String(number).padStart(2, '0')}`;

/** The name of its file, relative to the content folder. */
export const moduleFile = (module: Pick<ModuleContent, 'course' | 'number'>): string =>
  `modules/${moduleKey(module)}.md`;

/** Reading and exercise of a module, in Markdown; null where a heading is missing, repeated or empty. */
export function modulePartsOf(body: string): { reading: string; exercise: string } | null {
  const parts = body.split(/^## (.+)$/m).map((part) => part.trim());
  const [before, first, reading, second, exercise, ...more] = parts;
  if (before !== '' || first !== 'Reading' || second !== 'Exercise' || more.length > 0) return null;
  return reading && exercise ? { reading, exercise } : null;
}

/** Reads a file: front matter with `title: …` alone, then Markdown. Null when it has no such front matter. */
export function moduleInFile(text: string): { title: string; body: string } | null {
  const match = /^---\ntitle: (.+)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n'));
  const [, title, body] = match ?? [];
  return title === undefined || body === undefined ? null : { title: unquoted(title.trim()), body: body.trim() };
}

/** The text of its file: the inverse of `moduleInFile`. */
export const moduleAsFile = ({ title, body }: Pick<ModuleContent, 'title' | 'body'>): string =>
  `---\ntitle: ${/^["']|: | #|^[[\]{}>|*&!%@`]/.test(title) ? JSON.stringify(title) : title}\n---\n\n${body}\n`;

function unquoted(title: string): string {
  if (/^".*"$/.test(title)) {
    try {
      return String(JSON.parse(title));
    } catch {
      return title;
    }
  }
  return /^'.*'$/.test(title) ? title.slice(1, -1).replaceAll("''", "'") : title;
}
