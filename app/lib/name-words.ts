/** Whether two names have a word of two letters or more in common, whatever its case and accents. */
export function haveCommonWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one));
  return wordsOf(other).some((word) => words.has(word));
}

/** Whether two names have the same words, in whatever order, case and accents: `Byron, Ada` is Ada Byron. */
export function haveSameWords(one: string, other: string): boolean {
  const sorted = (name: string) => allWordsOf(name).sort().join(' ');
  return sorted(one) === sorted(other) && allWordsOf(one).length > 0;
}

const wordsOf = (name: string): string[] => allWordsOf(name).filter((word) => word.length > 1);

const allWordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
