const preload = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const startsModules = ' type="module" async=""';
const data = /<script type="application\/ld\+json".*?<\/script>/s;

/**
 * Makes the router's module script of a rendered page inert and takes out the preloads of its modules, which would
 * compete with the first paint for an old phone's connection; `startScript` starts them later. Structured data goes to
 * the end of the head: it exists only on the server, and there it is not in the way when React takes over.
 */
export function deferModules(page: string): string {
  const headEnd = page.indexOf('</head>');
  const modules: string[] = [];
  const head = page.slice(0, headEnd).replace(preload, (_, href: string) => {
    modules.push(href);
    return '';
  });
  const [structured = ''] = data.exec(head) ?? [];
  const rest = page.slice(headEnd);
  // The script is near the end of the page.
  const at = rest.lastIndexOf(startsModules);
  const waiting = ` type="text/plain" data-modules="${modules.join(' ')}"`;
  const body = at < 0 ? rest : rest.slice(0, at) + waiting + rest.slice(at + startsModules.length);
  return head.replace(data, '') + structured + body;
}
