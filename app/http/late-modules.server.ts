const preload = '<link rel="modulepreload" href="';
const startsModules = ' type="module" async=""';
const dataStart = '<script type="application/ld+json"';
const endOfScript = '</script>';
const endOfHead = '</head>';

/**
 * Makes the router's module script of a rendered page inert and takes out the preloads of its modules, which would
 * compete with the first paint for an old phone's connection; `startScript` starts them later. Structured data goes to
 * the end of the head: it exists only on the server, and there it is not in the way when React takes over.
 * With `lists` the page loads a shorter list of routes, at `shorter`, in place of the router's own, at `whole`. Only the
 * head and what follows the page's text are read as texts, one character for each byte: what is changed is ASCII.
 */
export function deferModules(page: Buffer, lists?: { whole: string; shorter: string } | null): Buffer<ArrayBuffer> {
  const headEnd = page.indexOf(endOfHead);
  const rendered = page.toString('latin1', 0, headEnd);
  const modules: string[] = [];
  let head = '';
  let kept = 0;
  for (let at = rendered.indexOf(preload); at >= 0; at = rendered.indexOf(preload, kept)) {
    const from = at + preload.length;
    modules.push(rendered.slice(from, rendered.indexOf('"', from)));
    head += rendered.slice(kept, at);
    kept = rendered.indexOf('>', from) + 1;
  }
  head = withDataLast(head + rendered.slice(kept));
  // It stands near the end of the page.
  const at = page.lastIndexOf(startsModules);
  if (at < headEnd) return Buffer.concat([Buffer.from(head, 'latin1'), page.subarray(headEnd)]);
  const waiting = ` type="text/plain" data-modules="${inOrder(modules).join(' ')}"`;
  const rest = page.toString('latin1', at + startsModules.length);
  const shorter = (text: string) => (lists ? text.replace(lists.whole, lists.shorter) : text);
  const end = shorter(waiting) + shorter(rest);
  return Buffer.concat([Buffer.from(head, 'latin1'), page.subarray(headEnd, at), Buffer.from(end, 'latin1')]);
}

/**
 * Modules that others import come first, by the chunks that vite.config.ts names; the one that starts React comes last.
 */
const ranks = ['/manifest-', '/rolldown-runtime-', '/react-', '/frame-', '/shop-'];
const rankOf = (module: string) => {
  if (module.includes('/entry.client-')) return ranks.length + 1;
  const rank = ranks.findIndex((name) => module.includes(name));
  return rank < 0 ? ranks.length : rank;
};

/** The router names a module before those that it imports. */
const inOrder = (modules: readonly string[]) => modules.toReversed().sort((one, other) => rankOf(one) - rankOf(other));

function withDataLast(head: string): string {
  const from = head.indexOf(dataStart);
  if (from < 0) return head;
  const to = head.indexOf(endOfScript, from) + endOfScript.length;
  return head.slice(0, from) + head.slice(to) + head.slice(from, to);
}
