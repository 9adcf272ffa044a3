import { nameWithin } from '#app/lib/short-name.ts';

/** How many characters of a title and of a description search engines show. */
const longest = { title: 70, description: 160 };

/**
 * As many whole sentences as fit into 160 letters, in order, but always the first. A sentence too long for that is left
 * out, so that nothing ends in the middle.
 */
export function metaDescription(...sentences: readonly string[]): string {
  const [first = '', ...others] = sentences.filter((one) => one.length > 0 && one.length <= longest.description);
  return others.reduce((text, sentence) => {
    const more = `${text} ${sentence}`;
    return more.length <= longest.description ? more : text;
  }, first);
}

/** The sentences of a text; a first sentence that is too long is cut at a colon or semicolon. */
export function sentencesOf(text: string): string[] {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z0-9])/);
  const [first = '', ...others] = sentences;
  if (first.length <= longest.description) return sentences;
  const head = /^(.{40,}?)[:;] /.exec(first)?.[1];
  return head ? [`${head}.`] : others.length > 0 ? others : [];
}

/** A title with a course's whole name and the first ending that fits, or with a shorter name when none fits. */
export function titleWith(name: string, endings: readonly string[]): string {
  const names = [name, nameWithin(name, 16), nameWithin(name, longest.title - (endings.at(-1) ?? '').length)];
  const titles = names.flatMap((one) => endings.map((ending) => one + ending));
  return (
    titles.find((title) => title.length <= longest.title) ?? titles.reduce((a, b) => (b.length < a.length ? b : a))
  );
}
