/** A text folded so that spellings of one name compare equal, and where its words begin. */
export type FoldedText = {
  /** The words without anything between them; parts that do not belong together are set apart by a line break. */
  text: string;
  /** As long as `text`: `|` where a word begins or a part ends, a space everywhere else. */
  starts: string;
};

const startOfWord = '|';
// The separator of parts. Folded text never holds it, so no search matches across two parts.
const endOfPart = '\n';

/**
 * The words of a text in lower case, without accents and punctuation. `+` is the word "plus", and "ISO/IEC" is "ISO",
 * as people say them: "CompTIA Security+" is comptia, security, plus.
 */
export function foldedWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\biso\/iec\b/g, 'iso')
    .replaceAll('+', ' plus ');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Folds the searchable parts of a course. Each part is searched on its own. */
export function foldText(...parts: string[]): FoldedText {
  const words = parts.map(foldedWords).filter((part) => part.length > 0);
  return {
    text: words.map((part) => part.join('')).join(endOfPart),
    starts: words.map((part) => part.map((word) => startOfWord.padEnd(word.length)).join('')).join(startOfWord),
  };
}

/** The words of a folded text, in their order. */
export function wordsOf({ text, starts }: FoldedText): string[] {
  const words: string[] = [];
  for (let from = 0; from < text.length; ) {
    const next = starts.indexOf(startOfWord, from + 1);
    const end = next < 0 ? text.length : next;
    if (text[from] !== endOfPart) words.push(text.slice(from, end));
    from = end;
  }
  return words;
}

/** Whether a word begins where `needle`, folded and not empty, begins: what may have been typed so far of a name. */
export function beginsAWord({ text, starts }: FoldedText, needle: string): boolean {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    if (starts[at] === startOfWord) return true;
  }
  return false;
}

/**
 * Whether the text has `needle`, folded and not empty, at the beginning of a word or as several whole words. So "sc900"
 * finds "SC-900" and "pen test" finds "PenTest", but "soc" does not find "so Cisco".
 */
export function holdsFolded({ text, starts }: FoldedText, needle: string): boolean {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    if (starts[at] !== startOfWord) continue;
    const end = at + needle.length;
    const nextWord = starts.indexOf(startOfWord, at + 1);
    if (nextWord < 0 || end <= nextWord || end === text.length || starts[end] === startOfWord) return true;
  }
  return false;
}

type Described = { title: string; description: string; category: { name: string }; level: string; instructor: string };

/** The text of a literal search, in lower case (P8). */
export function searchTextOf({ title, description }: Pick<Described, 'title' | 'description'>): string {
  return `${title}\n${description}`.toLowerCase();
}

/** The text of a search in any spelling: title, exam codes, description, category, level and instructor. */
export function foldSubject(described: Described, examCodes: readonly string[]): FoldedText {
  const { title, description, category, level, instructor } = described;
  return foldText(title, ...examCodes, description, category.name, level, instructor);
}
