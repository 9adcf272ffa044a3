import type { Day } from '#app/lib/dates.ts';

/** A stored version of the text of /terms; one text may follow another under the same day. */
export type TermsVersion = { id: number; inForceFrom: Day };

/** The version that a buyer accepts now (P28); throws when none is stored. */
export function termsToAccept({ terms }: { terms: TermsVersion | null }): TermsVersion {
  if (!terms) throw new Error('no version of /terms is stored');
  return terms;
}
