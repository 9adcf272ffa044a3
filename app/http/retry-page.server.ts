import { readForm } from './forms.server.ts';
import { plainPage } from './plain-page.server.ts';
import { sameSitePath } from './same-site-path.ts';

/** A page that says it cannot be served now, and how long the trouble has lasted. */
type Later = {
  status: 429 | 503;
  title: string;
  /** The reason for the refusal. */
  text: string;
  /** Seconds to wait. */
  seconds: number;
  headers?: Record<string, string>;
};

/** A form with more bytes than this is not sent back: its text stays in the page that sent it. */
const largestKept = 16 * 1024;

/**
 * The page of a request that is refused for the moment. A page is requested again after the given time and up to half
 * of it more, so that refused visitors do not return all at once. A form is never sent automatically: the page has it
 * behind a button, if it came from one of our pages and is short, so that nothing has to be typed again.
 */
export async function retryPage(
  request: Request,
  { status, title, text, seconds, headers = {} }: Later,
  random: () => number = Math.random,
): Promise<Response> {
  const own = { ...headers, 'Retry-After': String(seconds) };
  const { pathname, search } = new URL(request.url);
  const path = sameSitePath(pathname + search);
  if (request.method !== 'POST') {
    const after = Math.round(seconds * (1 + random() / 2));
    const said = `${text} This page tries again automatically in about ${after} seconds.`;
    return plainPage(status, title, said, { ...own, Refresh: String(after) }, [], { path });
  }
  const fields = await sentFields(request);
  if (!fields) {
    const said = `${text} Nothing was saved. Go back in your browser: what you typed is still in the form. Please send it again in a few seconds.`;
    return plainPage(status, title, said, own);
  }
  const said = `${text} Nothing was saved yet, and everything you typed is kept in this page. Please send it again in a few seconds.`;
  return plainPage(status, title, said, own, [], { path, fields });
}

/** The texts of a short form that one of our pages sent; null for anything else. */
async function sentFields(request: Request): Promise<[string, string][] | null> {
  const isOurs = request.headers.get('Sec-Fetch-Site') === 'same-origin';
  const isShort = Number(request.headers.get('Content-Length') ?? Number.NaN) <= largestKept;
  const isText = request.headers.get('Content-Type')?.startsWith('application/x-www-form-urlencoded');
  // A form sent by a script keeps its text.
  const byScript = request.headers.get('Sec-Fetch-Dest') === 'empty';
  if (!isOurs || !isShort || !isText || byScript) return null;
  const form = await readForm(request);
  return form && [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
}

/** Trouble that nobody met for so long is over. */
const quietMs = 30_000;

/**
 * The seconds that refused visitors should wait: as long as the trouble has lasted by now, from `first` up to a minute.
 * A visitor who returns then waits twice as long the next time, without a count in an address or a cookie.
 */
export function createBackOff(first: number, now: () => number = () => performance.now()): { seconds(): number } {
  let since = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    seconds() {
      const at = now();
      if (at - last > quietMs) since = at;
      last = at;
      return Math.min(60, Math.max(first, Math.round((at - since) / 1000)));
    },
  };
}
