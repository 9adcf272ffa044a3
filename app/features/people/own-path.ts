import { sameSitePath } from '#app/http/same-site-path.ts';
import type { Audience } from './sign-ins.server.ts';

const rules: Record<Audience, { allowed: RegExp; refused: RegExp; instead: string }> = {
  player: { allowed: /^\/./, refused: /^\/(?:login|logout|staff)(?:[/?.]|$)/, instead: '/account' },
  // Staff sign in again for their account too (P54).
  staff: { allowed: /^\/(?:staff|account)(?:[/?]|$)/, refused: /^\/staff\/sign-(?:in|out)/, instead: '/staff' },
};

/**
 * The page that a person who signs in asked for: a path of this site, but not of a sign-in; for anything else the first
 * page that the sign-in opens.
 */
export function ownPath(audience: Audience, text: unknown): string {
  const path = sameSitePath(text);
  const { allowed, refused, instead } = rules[audience];
  return allowed.test(path) && !refused.test(path) ? path : instead;
}
