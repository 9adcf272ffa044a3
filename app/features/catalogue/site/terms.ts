/** The stored text of /terms that a buyer accepts now, by its id (P28); throws when none is stored. */
export function termsToAccept({ termsId }: { termsId: number | null }): number {
  if (termsId === null) throw new Error('no text of /terms is stored');
  return termsId;
}
