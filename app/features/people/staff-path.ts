import { sameSitePath } from '#app/http/same-site-path.ts';

/** Where someone who signs in wanted to go: the address of a page for staff; the first of them for anything else. */
export function staffPath(text: unknown): string {
  const path = sameSitePath(text);
  return /^\/staff(?:[/?]|$)/.test(path) && !/^\/staff\/sign-(?:in|out)/.test(path) ? path : '/staff';
}
