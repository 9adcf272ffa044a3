import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { withBodies } from './other-bodies.ts';

const name = 'virtual:react-server';
const file = 'react-dom/cjs/react-dom-server.node.production.js';

// React encodes each piece of a page by itself, each part of an attribute too, which takes a fifth of the rendering.
// Here it hands the pieces on as texts, and the page is encoded as a whole (app/entry.server.tsx).
const bodies = new Map([
  ['writeChunk', '{chunk.length !== 0 && destination.write(chunk)}'],
  ['stringToPrecomputedChunk', '{return content}'],
  ['byteLengthOfChunk', '{return chunk.length}'],
]);

/** `virtual:react-server`: React's renderer for servers in its production form, which writes texts instead of bytes. */
export function reactAsText(): Plugin {
  return {
    name: 'react-as-text',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name: environment }) => environment === 'ssr',
    resolveId: (source) =>
      source === name
        ? createRequire(import.meta.url)
            .resolve('react-dom')
            .replace(/react-dom\/index\.js$/, file)
        : null,
    load: (id) => (id.endsWith(file) ? readFileSync(id, 'utf8') : null),
    transform(code, id) {
      return id.endsWith(file) ? { code: withBodies(code, this.parse(code).body, bodies), map: null } : null;
    },
  };
}

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
