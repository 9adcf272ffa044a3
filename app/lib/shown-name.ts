const mostCharacters = 80;
// Letters of any script with their marks, the joiners of Persian and Indian scripts, and the punctuation of names.
const nameOnly = /^(?:[\p{L}\p{M} '’‘ʼ.·・‐‑–-]|\u200c|\u200d)+$/u;
/** A dot between letters makes an address of a website, unless a single letter is before it as in J.R.R. Tolkien. */
const hostLike = /[\p{L}\p{M}]{2}\.[\p{L}\p{M}]{2}|www\./iu;

/**
 * A typed name, if an email to another person may hold it (P49); null for texts that may be a message: digits,
 * addresses of websites, sums of money, or more than 80 characters.
 */
export function nameForOthers(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed.length > mostCharacters || !nameOnly.test(trimmed) || hostLike.test(trimmed)) return null;
  return trimmed;
}
