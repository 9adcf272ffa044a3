const mostCharacters = 80;
// Letters of any script with their marks, the joiners of Persian and Indian scripts, and the punctuation of names.
const nameOnly = /^(?:[\p{L}\p{M} '’‘ʼ.·・‐‑–-]|\u200c|\u200d)+$/u;
/** A dot between letters makes an address of a website, unless one letter stands before it as in J.R.R. Tolkien. */
const hostLike = /[\p{L}\p{M}]{2}\.[\p{L}\p{M}]{2}|www\./iu;

/**
 * A name that somebody typed, if it can stand in an email to another person (P49); null for whatever may be a message
 * of its own: digits, addresses of websites, sums of money, or more than 80 characters.
 */
export function nameForOthers(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed.length > mostCharacters || !nameOnly.test(trimmed) || hostLike.test(trimmed)) return null;
  return trimmed;
}
