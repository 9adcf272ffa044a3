import type { Texts } from './site.ts';

export type Claim = { value: string; wording: string; source: string };

/** A figure the site boasts of, from the register (P6). Throws for one that is not there: a component asked wrongly. */
export function claimOf(claims: Texts['claims'], id: string): Claim {
  const claim = claims.find((one) => one.id === id);
  if (!claim) throw new Error(`No claim is registered as "${id}"`);
  return { value: claim.value, wording: claim.wording, source: claim.source };
}
