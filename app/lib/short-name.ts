/**
 * The name of a course in at most `most` characters, where it has one: whole; by the acronym it ends with, `CISSP`;
 * without a code in brackets; or without what follows "with", "across", "in", "for" or a dash. A name is never cut in the
 * middle: without any that fits, the shortest is returned.
 */
export function nameWithin(title: string, most: number): string {
  if (title.length <= most) return title;
  const bracketed = /^(.*?) \(([^()]+)\)$/.exec(title);
  const [, name = title, code = ''] = bracketed ?? [];
  const head = name.split(/ (?:with|across|in|for|and|-) /)[0] ?? name;
  const names = [...(/^[A-Z/]{3,}$/.test(code) ? [code] : []), name, ...(head.length >= 12 ? [head] : [])];
  return names.find((one) => one.length <= most) ?? names.reduce((a, b) => (b.length < a.length ? b : a));
}
