/**
 * The name of a course in at most `most` characters, where it has one: whole; by the acronym it ends with, `CISSP`;
 * without a code in brackets; or without what follows the last "with", "across", "in", "for", "and" or dash that leaves it
 * short enough. A name is never cut in the middle, nor a list before its last part: without any that fits, the shortest is
 * returned.
 */
export function nameWithin(title: string, most: number): string {
  if (title.length <= most) return title;
  const bracketed = /^(.*?) \(([^()]+)\)$/.exec(title);
  const [, name = title, code = ''] = bracketed ?? [];
  const names = [...(/^[A-Z/]{3,}$/.test(code) ? [code] : []), name, ...headsOf(name)];
  return names.find((one) => one.length <= most) ?? names.reduce((a, b) => (b.length < a.length ? b : a));
}

/**
 * The parts of a name before each of these words, the longest first: 12 characters or more, and no list without its
 * end.
 */
function headsOf(name: string): string[] {
  const heads: string[] = [];
  for (const { index, 0: word } of name.matchAll(/ (?:with|across|in|for|and|-) /g)) {
    const head = name.slice(0, index);
    const isCutList = word === ' and ' && head.includes(', ');
    if (head.length >= 12 && !isCutList) heads.unshift(head);
  }
  return heads;
}
