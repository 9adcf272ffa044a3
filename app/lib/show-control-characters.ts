/** Characters that change the order, the place or the look of text around them: controls, bidi marks, separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const disguises = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Shows each of them as its code, such as \u202e, so that text is read in its stored order. */
export function showControlCharacters(text: string): string {
  return text.replace(disguises, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
