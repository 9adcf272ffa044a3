import { startId } from '#app/ui/late-start.ts';

/**
 * Makes the router's module script of a rendered page inert and takes out the preloads of its modules, which would
 * compete with the first paint for an old phone's connection. `startScript` starts them later.
 */
export function deferModules(html: string): string {
  const modules: string[] = [];
  const withoutPreloads = html.replace(/<link rel="modulepreload" href="([^"]+)"[^>]*>/g, (_link, href: string) => {
    modules.push(href);
    return '';
  });
  return withDataLast(withoutPreloads).replace(
    /(<script [^>]*?)type="module" async=""/,
    `$1type="text/plain" id="${startId}" data-modules="${modules.join(' ')}"`,
  );
}

/** Structured data exists only on the server: at the end of the head it does not stand in the way when React takes over. */
function withDataLast(html: string): string {
  return html.replace(
    /(<script type="application\/ld\+json"[^>]*>[\s\S]*?<\/script>)([\s\S]*?)<\/head>/,
    '$2$1</head>',
  );
}
