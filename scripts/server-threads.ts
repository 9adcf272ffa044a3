import type { Plugin } from 'vite';

/** Entries of the server's build besides its own: threads that it starts. */
const threads = ['document-thread', 'badge-thread', 'email-thread'];

/**
 * Builds the threads beside the server, under names of their content: a program that still runs the last build starts
 * the threads of that build.
 */
export function serverThreads(): Plugin {
  let building = false;
  return {
    name: 'server-threads',
    enforce: 'pre',
    configResolved: ({ command }) => {
      building = command === 'build';
    },
    resolveId: (source) => (threads.some((name) => source === `virtual:${name}`) ? `\0${source}` : null),
    load(loaded) {
      const name = threads.find((one) => loaded === `\0virtual:${one}`);
      if (!name) return null;
      if (!building) return 'export const file = null;';
      const entry = this.emitFile({ type: 'chunk', id: `./server/${name}.ts`, name });
      return `export const file = import.meta.ROLLUP_FILE_URL_${entry};`;
    },
    // Vite would take them for files that browsers get.
    resolveFileUrl: ({ fileName, relativePath }) =>
      threads.some((name) => fileName.includes(name))
        ? `new URL(${JSON.stringify(relativePath)}, import.meta.url).href`
        : null,
  };
}
