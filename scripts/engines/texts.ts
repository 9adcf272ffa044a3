import type { Visitor } from './engine.ts';

/**
 * What only the browser can know and adds: the time in the visitor's own zone (P14), how long an offer still runs (P34),
 * and passkeys where it knows them.
 */
const own = [
  ' \\([^)]* where you are\\)',
  'Below it the time in [A-Z][A-Za-z ]*?(?=\\d)',
  '(?<=\\d [AP]M)\\d+:\\d\\d [AP]M in [A-Z][A-Za-z ]*?(?=\\d)',
  '\\d\\dd\\d\\dh\\d\\dm\\d\\ds',
  'Use a passkey(?=Bowerbird)',
];

/** The first words in which the page shown differs from the one that the server sent; null when they are the same. */
export async function differingText(visitor: Visitor): Promise<string | null> {
  return visitor.run(async (added) => {
    const textOf = (from: Document) => {
      const body = from.body.cloneNode(true) as HTMLElement;
      for (const other of body.querySelectorAll('script,style,noscript,template')) other.remove();
      const text = (body.textContent ?? '').replace(/\s+/g, ' ').trim();
      return added.reduce((rest, pattern) => rest.replace(new RegExp(pattern, 'g'), ''), text);
    };
    const sent = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();
    const [server, browser] = [textOf(new DOMParser().parseFromString(sent, 'text/html')), textOf(document)];
    if (server === browser) return null;
    let at = 0;
    while (server[at] === browser[at]) at++;
    const from = Math.max(0, at - 30);
    return `server “${server.slice(from, at + 60)}”, browser “${browser.slice(from, at + 60)}”`;
  }, own);
}

/** The errors of this visit so far, on every page. */
export const heardErrors = (visitor: Visitor) => visitor.run(() => window.heardErrors ?? ['nobody listened']);
