/** Whom an e-mail address reaches: capital letters and what is behind a plus sign make no other recipient. */
export function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*@/, '@');
}
