/**
 * better-auth takes fewer email addresses than exist (not `r&d@example.com`). It knows staff by an address that stands
 * for theirs, in its tokens only; `.invalid` is nobody's domain (RFC 2606).
 */
export const standInFor = (email: string): string => `${Buffer.from(email).toString('hex')}@staff.invalid`;

/** The address that a stand-in stands for; any other text as it is. */
export function addressBehind(standIn: string): string {
  const [, hex] = /^((?:[0-9a-f]{2})+)@staff\.invalid$/.exec(standIn) ?? [];
  return hex === undefined ? standIn : Buffer.from(hex, 'hex').toString();
}
