/**
 * The mailbox behind an email address, for limits: capital letters, a part behind a plus sign, and for Gmail dots
 * before the @ do not make another mailbox. Never write to the result; it may differ from what the person typed.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  const local = address.slice(0, at).replace(/\+.*$/, '');
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`;
}
