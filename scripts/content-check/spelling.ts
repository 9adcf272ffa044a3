import { readFile } from 'node:fs/promises';
import path from 'node:path';
import australian from 'dictionary-en-au';
import nspell from 'nspell';
import { projectRoot } from '#app/env.server.ts';
import { proseOf } from '#app/features/content/check/prose.ts';
import type { Content, CrossFault } from '#app/features/content/schema.ts';

/** Words that the dictionary does not know, and names that keep the spelling of their owners. */
export type Wording = { terms: string[]; officialNames: string[] };

/** The academy's wording from `content/checks/`: one entry a line; lines that start with # are remarks. */
export async function readWording(): Promise<Wording> {
  const lines = async (file: string) => {
    const text = await readFile(path.join(projectRoot, 'content/checks', file), 'utf8');
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  };
  return { terms: await lines('terms.txt'), officialNames: await lines('official-names.txt') };
}

/**
 * Words that neither the Australian dictionary nor the terms know, in all that readers see. Titles of exams are names
 * as their bodies write them; titles of courses are our own words.
 */
export function spellingFaults(content: Content, { terms, officialNames }: Wording): CrossFault[] {
  const correct = speller(terms);
  const names = [...officialNames, ...content.exams.map(({ title }) => title)].sort((a, b) => b.length - a.length);
  return proseOf(content).flatMap(({ file, path, text }): CrossFault[] => {
    const own = names.reduce((rest, name) => rest.replaceAll(name, ' '), text);
    const wrong = [...new Set(wordsIn(own).filter((word) => !correct(word)))];
    return wrong.length > 0 ? [{ file, path, message: `spelling: ${wrong.join(', ')}` }] : [];
  });
}

function speller(terms: string[]): (word: string) => boolean {
  const dictionary = nspell({ aff: Buffer.from(australian.aff), dic: Buffer.from(australian.dic) });
  const known = new Set(terms);
  const verdicts = new Map<string, boolean>();
  const correct = (word: string): boolean => {
    const parts = word.split('-');
    if (known.has(word) || known.has(word.toLowerCase()) || dictionary.correct(word)) return true;
    return parts.length > 1 ? parts.every(correct) : !isWord(word);
  };
  return (word) => {
    const kept = verdicts.get(word) ?? correct(word);
    verdicts.set(word, kept);
    return kept;
  };
}

/** A dictionary cannot judge abbreviations, single letters, and words with figures or inner capitals. */
function isWord(part: string): boolean {
  return part.length > 1 && /^\p{L}[\p{Ll}']+$/u.test(part);
}

/** Words and compounds of a text, without code and addresses. */
function wordsIn(text: string): string[] {
  const prose = text
    .replace(/\{\{[^}]*\}\}/g, ' ')
    .replace(/`[^`]*`/g, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/\S+@\S+|https?:\S+/g, ' ');
  const tokens = prose.match(/[\p{L}\p{N}_./][\p{L}\p{N}_./’'+-]*/gu) ?? [];
  return tokens
    .map((token) => token.replace(/’/g, "'").replace(/^['./_-]+|['./_-]+$/g, ''))
    .flatMap((token) => (/^[\p{L}'-]+(?:\/[\p{L}'-]+)+$/u.test(token) ? token.split('/') : [token]))
    .map((token) => token.replace(/'s$/, ''))
    .filter((token) => token.split('-').some(isWord) && /^[\p{L}\p{N}'+-]+$/u.test(token));
}
