import { readFile } from 'node:fs/promises';
import path from 'node:path';
import australian from 'dictionary-en-au';
import nspell from 'nspell';
import type { CrossFault } from './rules.ts';
import { type Content, type ContentFileName, contentFiles } from './schema.ts';

/** Keys whose values are names for programs, not for readers. */
const notProse = new Set([
  ...['slug', 'id', 'aliases', 'category', 'tracks', 'instructor', 'course', 'courses', 'exams', 'needs', 'leadsTo'],
  ...['treasure', 'emoji', 'zone', 'email', 'phone', 'abn', 'social', 'code', 'replacedBy'],
]);

/** The words of `content/checks/`: what the dictionary does not know, and names that keep the spelling of their owners. */
export type Wording = { terms: string[]; officialNames: string[] };

/** One entry a line; lines that start with # are remarks. The titles of exams and courses are official names too. */
export async function readWording(folder: string, { exams, courses }: Content): Promise<Wording> {
  const lines = async (file: string) => {
    const text = await readFile(path.join(folder, 'checks', file), 'utf8');
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  };
  const titles = [...exams, ...courses].map(({ title }) => title);
  return { terms: await lines('terms.txt'), officialNames: [...(await lines('official-names.txt')), ...titles] };
}

/** Words that neither the Australian dictionary nor the terms know, in all that readers see. */
export function spellingFaults(content: Content, { terms, officialNames }: Wording): CrossFault[] {
  const dictionary = nspell({ aff: Buffer.from(australian.aff), dic: Buffer.from(australian.dic) });
  const known = new Set(terms);
  const names = officialNames.toSorted((a, b) => b.length - a.length);
  const verdicts = new Map<string, boolean>();
  const correct = (word: string): boolean => {
    const kept = verdicts.get(word);
    if (kept !== undefined) return kept;
    const parts = word.split('-');
    const whole = known.has(word) || known.has(word.toLowerCase()) || dictionary.correct(word);
    const verdict = whole || (parts.length > 1 && parts.every((part) => part === '' || correct(part)));
    verdicts.set(word, verdict);
    return verdict;
  };
  const faults: CrossFault[] = [];
  const check = (file: CrossFault['file'], at: PropertyKey[], value: unknown) => {
    if (typeof value === 'string') {
      let text = value;
      for (const name of names) text = text.replaceAll(name, ' ');
      const wrong = [...new Set(wordsIn(text).filter((word) => !correct(word)))];
      if (wrong.length > 0) faults.push({ file, path: at, message: `spelling: ${wrong.join(', ')}` });
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        check(file, [...at, index], item);
      });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) if (!notProse.has(key)) check(file, [...at, key], item);
    }
  };
  for (const name of Object.keys(contentFiles) as ContentFileName[]) check({ name }, [], content[name]);
  content.courses.forEach((course, index) => {
    check({ course: index }, [], course);
  });
  return faults;
}

/** Words of a text, without code, addresses, and tokens that are abbreviations or hold figures or inner capitals. */
function wordsIn(text: string): string[] {
  const prose = text
    .replace(/`[^`]*`/g, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/\S+@\S+|https?:\S+/g, ' ');
  const tokens = prose.match(/[\p{L}\p{N}_./][\p{L}\p{N}_./’'+-]*/gu) ?? [];
  return tokens
    .map((token) =>
      token
        .replace(/’/g, "'")
        .replace(/^['./-]+|['./-]+$/g, '')
        .replace(/'s$/, ''),
    )
    .flatMap((token) => (/^[\p{L}'-]+(?:\/[\p{L}'-]+)+$/u.test(token) ? token.split('/') : [token]))
    .filter((token) => token.split('-').every((part) => /^\p{L}[\p{Ll}']*$/u.test(part)) && token.length > 1);
}
