import { theBrief, theLedger } from '#app/features/money/price-proofs.ts';

/** The proof of an original price, in words for staff; null without an original price. */
export function proofInWords(originalCents: number | null, proof: string | null): string | null {
  if (originalCents === null) return null;
  if (proof === null) return 'Nothing: not shown in public';
  if (proof === theBrief) return 'The brief of 2025: not confirmed';
  if (proof === theLedger) return 'Charged for four weeks within the six months before';
  return proof;
}

const authors: Record<string, string> = {
  import: 'The files',
  'command line': 'The program',
  found: 'Not recorded',
};

/** The person or job that changed a price. */
export const authorInWords = (author: string, name: string | null): string => name ?? authors[author] ?? author;
