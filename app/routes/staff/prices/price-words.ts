import { theBrief, theLedger } from '#app/features/catalogue/price-proofs.ts';

/** The proof of an original price, in words for staff; null without an original price. */
export function proofInWords(originalCents: number | null, proof: string | null): string | null {
  if (originalCents === null) return null;
  if (proof === null) return 'Nothing: not shown in public';
  if (proof === theBrief) return 'The brief of 2025: not confirmed';
  if (proof === theLedger) return 'Charged for four weeks within the six months before';
  return proof;
}

/** How many original prices are not proved, for the head of the list. */
export function unprovedInWords({ brief, hidden }: { brief: number; hidden: number }): string {
  if (brief + hidden === 0) return 'Every original price is proved.';
  const some = (count: number) => (count === 1 ? '1 original price is' : `${count} original prices are`);
  const parts = [
    ...(brief === 0 ? [] : [`${some(brief)} not confirmed.`]),
    ...(hidden === 0
      ? []
      : [`${some(hidden)} not shown in public, because nothing proves ${hidden === 1 ? 'it' : 'them'}.`]),
  ];
  return parts.join(' ');
}

const authors: Record<string, string> = {
  files: 'The files',
  program: 'The program',
  found: 'Not recorded',
};

/** The person or job that changed a price. */
export const authorInWords = (author: string, name: string | null): string => name ?? authors[author] ?? author;
