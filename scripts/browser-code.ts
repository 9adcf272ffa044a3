/** Our changes to the code that browsers get, as plugins of Vite (decision 85). */
import type { Plugin } from 'vite';
import { withBodies } from './other-bodies.ts';

/**
 * Has browsers compile React and the router while they arrive, in another thread. Otherwise the task that evaluates
 * them parses React once more first, and each function is compiled when hydrating calls it. Chromium compiles whole
 * files that begin with the comment, except for arrow functions that are arguments, such as those around React's files.
 */
export function compiledAhead(): Plugin {
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
const routerFolder = '/react-router/dist/production/lib/';

// Pages have no <ViewTransition> and no references to fragments, for which these functions of React search the tree;
// the router's view transitions are the browser's own.
const searches = [
  'startViewTransition',
  'commitEnterViewTransitions',
  'commitExitViewTransitions',
  'commitNestedViewTransitions',
  'commitAppearingPairViewTransitions',
  'commitDeletedPairViewTransitions',
  'restoreEnterOrExitViewTransitions',
  'restorePairedViewTransitions',
  'restoreNestedViewTransitions',
  'restoreViewTransitionOnHostInstances',
  'measureNestedViewTransitions',
  'measureViewTransitionHostInstancesRecursive',
  'applyViewTransitionToHostInstancesRecursive',
  'trackEnterViewTransitions',
  'FragmentInstance',
];
// Nor do they have <Activity>, <SuspenseList>, elements of their own or useActionState, or ask React to fetch resources
// ahead. A build that has it anyway is told where it was left out.
const refused = [
  'updateActivityComponent',
  'updateSuspenseListComponent',
  'setPropOnCustomElement',
  'mountActionState',
  'updateActionState',
  'rerenderActionState',
  'startHostTransition',
  'preconnectAs',
  'preload',
  'preloadModule',
  'preinitScript',
  'preinitStyle',
  'preinitModuleScript',
];
const refusal = "{throw Error('left out of the React of browsers: scripts/browser-code.ts')}";
// Reached only from those, or for forms whose action is a function.
const unreached = [
  'initSuspenseListRenderState',
  'findFirstSuspended',
  'cutOffTailIfNeeded',
  'dispatchActionState',
  'runActionStateAction',
  'updateActionStateImpl',
  'TransitionAwareHostComponent',
  'ensureFormComponentIsStateful',
  'extractEvents$1',
];
const bodiesInReact = new Map([
  ...searches.map((name) => [name, '{}'] as const),
  ...unreached.map((name) => [name, '{}'] as const),
  ...refused.map((name) => [name, refusal] as const),
  // Calls components again to find their lines in the sources, for a log that nobody reads.
  ['getStackByFiberInDevAndProd', "{return ''}"] as const,
]);
const fragments = 'FragmentInstance.prototype.';
// No page has a fetcher or blocks a navigation.
const bodiesInRouter = new Map([
  ['fetch', refusal],
  ['handleFetcherAction', '{}'],
  ['handleFetcherLoader', '{}'],
  ['getBlocker', refusal],
  ['deleteBlocker', '{}'],
  ['updateBlocker', '{}'],
  ['shouldBlockNavigation', '{}'],
]);

// Vite's own fetches the styles and imports of modules that come later; ours have none that a page has not.
const preloadHelper = '\0vite/preload-helper.js';
const withoutPreload = 'export const __vitePreload = (load) => load();';

/** Leaves out what no page of ours reaches: React and the router have no flags for that. */
export function smallerLibraries(): Plugin {
  return {
    name: 'smaller-libraries',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    // The browser fetches the imports of a late module when it reads the module.
    config: () => ({ build: { modulePreload: { polyfill: false, resolveDependencies: () => [] } } }),
    load(id) {
      if (id === preloadHelper) return withoutPreload;
      return unusedInRouter[id.slice(id.indexOf(routerFolder) + routerFolder.length)];
    },
    transform(code, id) {
      const bodies = id.endsWith('/react-dom-client.production.js')
        ? bodiesInReact
        : id.endsWith(`${routerFolder}router/router.js`) && bodiesInRouter;
      if (!bodies) return null;
      return { code: withBodies(code, this.parse(code).body, bodies, fragments), map: null };
    },
  };
}
