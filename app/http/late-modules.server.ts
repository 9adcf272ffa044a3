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
  return withoutPreloads.replace(
    /(<script [^>]*?)type="module" async=""/,
    `$1type="text/plain" id="${startId}" data-modules="${modules.join(' ')}"`,
  );
}
