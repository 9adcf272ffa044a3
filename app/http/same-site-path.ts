/**
 * The path and query of an address of this site that a form names as the place to go back to; `/` for anything else,
 * so that no form leads a visitor to another site.
 */
export function sameSitePath(text: unknown): string {
  const site = 'http://site.invalid';
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, site)) return '/';
  const { origin, pathname, search } = new URL(text, site);
  return origin === site && !pathname.startsWith('//') ? pathname + search : '/';
}
