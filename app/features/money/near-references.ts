const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const reference = /BB[\s-]{0,3}([0-9A-Z]{5,7})(?![0-9A-Z])/g;
const invoice = /INV(?:OICES?|S)?[\s\-.:]*(?:(?:NUMBER|NUM|NO|NR)[\s.:]*)?(?:#\s*)?([0-9]{1,9})/g;

/**
 * The references of enrolments that words may mean with one slip: a letter wrong, left out, too many, or swapped with
 * its neighbour. Those that stand in the words as they are count too.
 */
export function nearReferences(words: string): string[] {
  const found = [...words.toUpperCase().matchAll(reference)].map(([, letters = '']) => letters);
  return [...new Set(found.flatMap((letters) => near(letters, alphabet)))]
    .filter((letters) => letters.length === 6)
    .map((letters) => `BB-${letters}`);
}

/**
 * The invoice numbers that words may mean with one typing mistake. A number alone says little, because so many exist.
 */
export function nearNumbers(words: string): number[] {
  const found = [...words.toUpperCase().matchAll(invoice)].map(([, digits = '']) => String(Number(digits)));
  const numbers = found.flatMap((digits) => near(digits, '0123456789').map(Number));
  return [...new Set(numbers)].filter((number) => number > 0 && number < 1_000_000_000);
}

/** A text and all that one slip makes of it. */
function near(text: string, letters: string): string[] {
  const made = [text];
  for (let at = 0; at <= text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    for (const one of letters) made.push(before + one + after, before + one + after.slice(1));
    made.push(before + after.slice(1), before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  return made;
}
