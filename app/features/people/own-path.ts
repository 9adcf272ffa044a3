import { sameSitePath } from '#app/http/same-site-path.ts';
import { staffPath } from './staff-path.ts';

/** Where a player who logs in wanted to go: an address of this site, but not of its doors; the account for anything else. */
function playerPath(text: unknown): string {
  const path = sameSitePath(text);
  return path === '/' || /^\/(?:login|logout|staff)(?:[/?.]|$)/.test(path) ? '/account' : path;
}

/** Where somebody who signs in wanted to go; anything that is no such address leads to the first page behind the door. */
export const ownPath = (audience: 'player' | 'staff', text: unknown): string =>
  audience === 'staff' ? staffPath(text) : playerPath(text);
