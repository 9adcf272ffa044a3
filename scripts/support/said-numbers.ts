import { byKind, type LastNumbers, numberedKinds, numberOf } from '#app/features/money/document-numbers.server.ts';

/** The last numbers given out that a person names, such as `INV-00120`. Ends the program with 2 for anything else. */
export function numbersOrExit(texts: readonly string[], usage: string): LastNumbers {
  const numbers = byKind(() => 0);
  for (const text of texts) {
    const [, prefix, digits] = /^(INV|ADJ|OFF)-?(\d{1,9})$/i.exec(text.trim()) ?? [];
    const kind = numberedKinds.find((one) => prefix && numberOf(one, 1).startsWith(prefix.toUpperCase()));
    if (!kind) {
      console.error(`Not a number such as INV-00120: ${text}\n${usage}`);
      process.exit(2);
    }
    numbers[kind] = Number(digits);
  }
  return numbers;
}
