import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

// What the pages of the shop share: their frame, and what home and the list of courses show.
const shop =
  /\/app\/(routes\/storefront\/layout|ui\/(noted|medal)|lib\/initials|seo\/structured-data|features\/site\/(figures|claims|partner-wordmarks)|features\/catalogue\/(badges|held-catalogue))/;

// What every page needs, also one without the shop around it, such as those of enrolling; but not the entry: it takes the
// page over at once, so it comes after everything else.
const frame =
  /\/app\/(root\.|ui\/(sign|logo|field|button|unbroken|icon)\.|lib\/(money|dates)|seo\/page-meta|routes\/storefront\/frame\/(missing-code|error-screen))/;

// Few, larger modules: what every page needs compresses better together, and costs one request instead of many.
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: 'frame', test: frame },
  { name: 'shop', test: shop },
  { name: 'forms', test: /\/app\/ui\/(form-fields|form-summary|form-state|send-form)/, minShareCount: 2 },
];

/**
 * Builds server/document-thread.ts beside the server, under a name of its content: a program that still runs the last
 * build starts the thread of that build.
 */
function documentThread(): Plugin {
  const id = 'virtual:document-thread';
  let building = false;
  return {
    name: 'document-thread',
    enforce: 'pre',
    configResolved: ({ command }) => {
      building = command === 'build';
    },
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(loaded) {
      if (loaded !== `\0${id}`) return null;
      if (!building) return 'export const file = null;';
      const entry = this.emitFile({ type: 'chunk', id: './server/document-thread.ts', name: 'document-thread' });
      return `export const file = import.meta.ROLLUP_FILE_URL_${entry};`;
    },
    // Vite would take it for a file that browsers get.
    resolveFileUrl: ({ fileName, relativePath }) =>
      fileName.includes('document-thread') ? `new URL(${JSON.stringify(relativePath)}, import.meta.url).href` : null,
  };
}

/**
 * Has browsers compile React and the router while they arrive, in another thread (decision 85). Otherwise the task that
 * evaluates them parses React once more first, and each function when hydrating calls it. Chromium compiles whole files
 * that begin with the comment, except for arrow functions that are arguments, such as those around React's files.
 */
function compiledAhead(): Plugin {
  const around = /(=\w+\()\((?:\((\w+,\w+)\)|(\w+))=>\{/g;
  return {
    name: 'compiled-ahead',
    applyToEnvironment: ({ name }) => name === 'client',
    augmentChunkHash: ({ name }) => (name === 'react' ? 'compiled ahead' : undefined),
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk' || file.name !== 'react') continue;
        const code = file.code.replace(around, (_all, call, two, one) => `${call}(function(${two ?? one}){`);
        if (code === file.code) this.error('the functions around React’s files are not written as they were');
        file.code = `//# allFunctionsCalledOnLoad\n${code}`;
      }
    },
  };
}

// What the router has for sites that discover their routes while they run, or measure the router. The names without a
// value are imported by its files for servers, which no browser gets. The build fails when a further name is imported.
const unusedInRouter: Record<string, string> = {
  'dom/ssr/fog-of-war.js': `
    export const isFogOfWarEnabled = () => false;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const useFogOFWarDiscovery = () => undefined;
    export const getPartialManifest = (manifest) => manifest;
    export let URL_LIMIT, getManifestPath, getPathsWithAncestors, handleClientVersionMismatch;`,
  'router/instrumentation.js': `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;
    export let instrumentHandler, instrumentationResultMetaContext;`,
};

/** Leaves out of the browser's router what no page of ours reaches (decision 85): its files have no flags for that. */
function smallerRouter(): Plugin {
  const folder = '/react-router/dist/production/lib/';
  return {
    name: 'smaller-router',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: (id) => unusedInRouter[id.slice(id.indexOf(folder) + folder.length)],
  };
}

export default defineConfig({
  plugins: [tailwindcss(), documentThread(), compiledAhead(), smallerRouter(), reactRouter()],
  build: { target: ['chrome111', 'safari16.4', 'firefox128'] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    ssr: { build: { rolldownOptions: { input: './server/app.ts' } } },
  },
});
