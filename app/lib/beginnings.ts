const word = /[\p{L}\p{N}\p{M}]+/gu;

/** A text in small letters, without accents, with one apostrophe and one hyphen; the database's `folded` does the same. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[‘’ʻʼ′]/g, "'")
    .replaceAll(/[‐‑‒–—−]/g, '-');

/** The words of a text, folded; all else separates them. */
export const wordsIn = (text: string): string[] => [...new Set(folded(text).match(word) ?? [])];

/** A text in which a name with an apostrophe or hyphen is one word, as in the database's `words_of`. */
const joined = (text: string): string => folded(text).replaceAll(/(\p{L})['-](?=\p{L})/gu, '$1');

/** Whether every one of these words, folded, begins a word of the text. One letter alone is a whole word. */
export function beginsAll(text: string, words: readonly string[]): boolean {
  const its = [...wordsIn(text), ...wordsIn(joined(text))];
  return words.every((typed) => its.some((one) => (typed.length > 1 ? one.startsWith(typed) : one === typed)));
}

export type Piece = { text: string; hit: boolean };

/** A text in pieces: beginnings of its words that are one of these words (folded), and the text between them. */
export function markBeginnings(text: string, words: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: its, index } of text.matchAll(word)) {
    const lower = folded(its);
    // Letters that become more or fewer would end the mark at another letter.
    const fitting = lower.length === its.length ? words.filter((typed) => lower.startsWith(typed)) : [];
    const length = Math.max(0, ...fitting.map((typed) => typed.length));
    if (length === 0) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), hit: false });
    pieces.push({ text: text.slice(index, index + length), hit: true });
    from = index + length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hit: false });
  return pieces;
}
