/** A field of a request's head by its name in small letters. */
export type HeadField = (name: string) => string | null | undefined;

/** Programs that say what they are. */
const programs = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor|scan|curl|wget|python|java\/|http-client/i;

/**
 * Whether a page that was asked for is read by somebody (P85), as far as a request tells: by a browser, which says how it
 * fetches, for a window and not ahead of a click, and by no program that says it is one.
 */
export function isRead(method: string, field: HeadField): boolean {
  if (method !== 'GET' || field('sec-purpose') || field('purpose')) return false;
  const [mode, target] = [field('sec-fetch-mode'), field('sec-fetch-dest')];
  // A page opened in a window, or what the page before fetches to show it.
  const isShown = (mode === 'navigate' && target === 'document') || (mode === 'cors' && target === 'empty');
  return isShown && !programs.test(field('user-agent') ?? '');
}
