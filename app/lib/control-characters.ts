/** Characters that end or disguise a line: none of them may be in a header of a mail. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
