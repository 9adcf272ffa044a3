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
