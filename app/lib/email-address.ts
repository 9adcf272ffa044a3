/** The longest address that SMTP can carry, in characters (RFC 5321, 4.5.3.1.3). */
export const longestEmailAddress = 254;

// What browsers take before the @ of `<input type="email">`; a dot neither begins nor ends it, nor follows another.
const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** The last part of a domain: letters, or such a part in the ASCII form of another script. An IP address has neither. */
const lastLabel = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i;

/**
 * The email address that somebody typed, as mail servers take it: a domain in other letters than a to z gets its ASCII
 * form (`bücher.example` becomes `xn--bcher-kva.example`, RFC 5891). Null when it is none, and when there are such
 * letters before the @: mail servers that take those (SMTPUTF8, RFC 6531) are few, and ours sends none.
 */
export function emailAddressOf(typed: string): string | null {
  const at = typed.lastIndexOf('@');
  const domain = asciiDomain(typed.slice(at + 1));
  if (at < 1 || domain === null) return null;
  const address = `${typed.slice(0, at)}@${domain}`;
  return local.test(typed.slice(0, at)) && address.length <= longestEmailAddress ? address : null;
}

/** Whether there are letters before the @ that only SMTPUTF8 could carry. */
export function isLocalPartForeign(typed: string): boolean {
  return /[^\0-\x7f]/.test(typed.slice(0, Math.max(0, typed.lastIndexOf('@'))));
}

function asciiDomain(domain: string): string | null {
  // Only letters of other scripts are left to the URL parser: the rest has a meaning of its own there.
  if (!/^(?:[a-z0-9.-]|[^\0-\x7f])+$/i.test(domain) || !URL.canParse(`http://${domain}`)) return null;
  const ascii = /[^\0-\x7f]/.test(domain) ? new URL(`http://${domain}`).hostname : domain;
  const labels = ascii.split('.');
  return labels.length > 1 && labels.every((one) => label.test(one)) && lastLabel.test(labels.at(-1) ?? '')
    ? ascii
    : null;
}
