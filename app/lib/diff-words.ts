/** A part of a text: as it was and is, taken out, or put in. */
export type Part = { kind: 'same' | 'out' | 'in'; text: string };

/** Beyond this many words on either side the whole text counts as replaced: comparing costs words times words. */
const mostWords = 1500;

/** The differences between two texts, word by word. */
export function diffWords(before: string, after: string): Part[] {
  const [a, b] = [wordsIn(before), wordsIn(after)];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [middleA, middleB] = [a.slice(from, a.length - end), b.slice(from, b.length - end)];
  const middle =
    Math.max(middleA.length, middleB.length) > mostWords
      ? [part('out', middleA), part('in', middleB)]
      : longestCommon(middleA, middleB);
  return joined([part('same', a.slice(0, from)), ...middle, part('same', a.slice(a.length - end))]);
}

/** Letters that are shown of what stayed the same, before and behind a difference. */
const context = 60;

/** The differences alone, with some of the text around each. */
export const shortened = (parts: readonly Part[]): Part[] =>
  parts.map((one, at) => {
    if (one.kind !== 'same' || one.text.length <= 2 * context) return one;
    const before = at === 0 ? '' : one.text.slice(0, context);
    const after = at === parts.length - 1 ? '' : one.text.slice(-context);
    return { kind: 'same', text: `${before}…${after}` };
  });

const wordsIn = (text: string) => text.match(/\s+|[\p{L}\p{N}'’-]+|./gu) ?? [];
const part = (kind: Part['kind'], words: readonly string[]): Part => ({ kind, text: words.join('') });

function longestCommon(a: readonly string[], b: readonly string[]): Part[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: Part[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one = '', other = ''] = [a[i], b[j]];
    if (i < a.length && j < b.length && one === other) {
      parts.push({ kind: 'same', text: one });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: 'out', text: one });
      i++;
    } else {
      parts.push({ kind: 'in', text: other });
      j++;
    }
  }
  return parts;
}

function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const { kind, text } of parts) {
    const last = result.at(-1);
    if (text === '') continue;
    if (last?.kind === kind) last.text += text;
    else result.push({ kind, text });
  }
  return result;
}
