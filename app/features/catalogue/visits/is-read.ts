/** A field of a request's head by its name in small letters. */
export type HeadField = (name: string) => string | null | undefined;

/** User agents of programs that identify themselves. */
const programs = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor|scan|curl|wget|python|java\/|http-client/i;

/**
 * Whether a person reads the requested page (P85), as far as the request tells: a browser fetches it for a window, not
 * ahead of a click, and the user agent names no program.
 */
export function isRead(method: string, field: HeadField): boolean {
  if (method !== 'GET' || field('sec-purpose') || field('purpose')) return false;
  const [mode, target] = [field('sec-fetch-mode'), field('sec-fetch-dest')];
  // A page opened in a window, or its data fetched by the page before.
  const isShown = (mode === 'navigate' && target === 'document') || (mode === 'cors' && target === 'empty');
  return isShown && !programs.test(field('user-agent') ?? '');
}
