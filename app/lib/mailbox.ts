/**
 * Whom an email address reaches, for limits: capital letters and what is behind a plus sign make no other recipient,
 * and neither do dots before the @ of Gmail. Never write to the result; it may differ from what the person typed.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  const local = address.slice(0, at).replace(/\+.*$/, '');
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`;
}
