import { LRUCache } from 'lru-cache';
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';
import { leavesBannerOut } from '#app/features/catalogue/promotions/closed-banner.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { datesKey } from '#app/features/snapshot/listable.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { answerFrom, type CachedAnswer, type PageCache, prepareBody } from '#app/http/page-cache.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday, type Clock } from '#app/lib/clock.ts';

/** The target of a request for a shared page, the same for every spelling of its query. */
type SharedAddress = {
  /** The route's pattern, for the request log. */
  route: string;
  /** Path and query in canonical form. */
  target: string;
  hasQuery: boolean;
  seats: boolean;
};

/** The fields of a request that an answer depends on. */
type Question = {
  method: string;
  acceptEncoding: string | null | undefined;
  ifNoneMatch: string | null | undefined;
  cookie: string | null | undefined;
};

/** The inputs of a shared page besides its address. */
export type SharedState = { pages: { plain: PageCache; queries: PageCache }; clock: Clock; snapshot: Snapshot };

/** An answer from memory and whether the page was there already, or a response that is not kept. */
type Shared =
  | { answer: CachedAnswer; route: string; found: 'hit' | 'miss' }
  | { answer?: undefined; response: Response };

/** Where a page asks for the routes of its links. The router ranks all routes for each link. */
const routesOfLinks = '/__manifest';
const dataSuffix = /(?:\/_)?\.data$/;
/** A CDN may keep a page for five seconds, and serve it for ten more while it asks again. */
const sharedCacheControl = 'public, max-age=0, s-maxage=5, stale-while-revalidate=10';
const targetsKept = 4096;
const longestTargetKept = 300;

/** Knows which requests may be answered with a shared page, and answers them from memory. */
export function sharedPages(build: Pick<ServerBuild, 'routes'>) {
  const routes = treeOf(build.routes);
  /** Addresses by the request target as sent, so that a known one costs no parsing. */
  const known = new LRUCache<string, SharedAddress>({ max: targetsKept });

  const firstSegments = firstSegmentsOf(routes);

  /** The shared page that a path leads to. The router would rank all its routes for each question. */
  const routeOf = memoised((path) => {
    const matches = matchRoutes(routes, path) ?? [];
    const leaf = matches.at(-1)?.route;
    const shared = (leaf?.handle as Partial<SharedPage> | undefined)?.shared;
    if (!leaf || !shared) return null;
    return { id: leaf.id, pattern: matches.map(({ route }) => route.path ?? '').reduce(join, '') || '/', shared };
  });

  /** The address of a request, or null when its response is not shared. */
  function addressOf(url: URL): SharedAddress | null {
    if (url.pathname === routesOfLinks) {
      return { route: routesOfLinks, target: url.pathname + url.search, hasQuery: true, seats: false };
    }
    const isData = dataSuffix.test(url.pathname);
    const path = isData ? url.pathname.replace(dataSuffix, '') || '/' : url.pathname;
    // Private links are as many as visitors, so that remembering them is of no use.
    if (!path.includes('%') && !firstSegments.has(segmentOf(path))) return null;
    const found = routeOf(path);
    if (!found) return null;
    const { id, pattern, shared } = found;
    const query = new URLSearchParams();
    for (const name of shared.parameters) {
      const value = url.searchParams.get(name);
      if (value !== null) query.set(name, value);
    }
    // The router asks only for the loaders it needs; on shared pages that is the page's own, or all of them.
    const wanted = url.searchParams.get('_routes');
    if (isData && wanted !== null) {
      if (wanted !== id) return null;
      query.set('_routes', wanted);
    }
    const search = query.size > 0 ? `?${query}` : '';
    return {
      route: pattern,
      target: url.pathname + search,
      hasQuery: search !== '',
      seats: shared.seats === true,
    };
  }

  /** The answer to a request that is kept in memory for exactly this target; null when it must be looked into. */
  function recall(target: string, question: Question, state: SharedState): (CachedAnswer & { route: string }) | null {
    if (question.method !== 'GET' && question.method !== 'HEAD') return null;
    const address = known.get(target);
    if (!address || leavesBannerOut(question.cookie ?? null)) return null;
    const page = cacheFor(address, state).peek(keyOf(address, state));
    const answer = page && answerFrom(page, question);
    return answer ? { ...answer, route: page.route } : null;
  }

  /**
   * Answers a GET or HEAD for a shared page, rendering it if it is not in memory; null for every other request.
   * `render` gets the canonical request, which has no header of the visitor's.
   */
  async function answer(
    request: Request,
    state: SharedState,
    baseUrl: string,
    render: (request: Request) => Promise<Response>,
  ): Promise<Shared | null> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const question = {
      method: request.method,
      acceptEncoding: request.headers.get('Accept-Encoding'),
      ifNoneMatch: request.headers.get('If-None-Match'),
    };
    if (leavesBannerOut(request.headers.get('Cookie'))) return null;
    const url = new URL(request.url);
    const address = addressOf(url);
    if (!address) return null;
    const make = async () => {
      const response = await render(new Request(baseUrl + address.target));
      if (response.status === 200 && !response.headers.has('Cache-Control')) {
        response.headers.set('Cache-Control', sharedCacheControl);
      }
      return response;
    };
    const { page, response, found } = await cacheFor(address, state).get(keyOf(address, state), address.route, make);
    if (!page) return { response };
    await prepareBody(page, question.acceptEncoding);
    remember(url.pathname + url.search, address);
    const made = answerFrom(page, question);
    if (!made) throw new Error('a body that was just prepared is missing');
    return { answer: made, route: page.route, found };
  }

  function remember(target: string, address: SharedAddress): void {
    if (target.length > longestTargetKept) return;
    known.set(target, address);
  }

  /** Whether a path names a file, such as `/wp-login.php`, and only the page for unknown addresses answers it. */
  function isNoFile(pathname: string): boolean {
    if (!/\.[a-z0-9]{1,8}$/.test(pathname) || dataSuffix.test(pathname)) return false;
    return matchRoutes(routes, pathname)?.at(-1)?.route.path === '*';
  }

  return { recall, answer, isNoFile };
}

/** Remembers the latest answers. Made-up paths push out no path that visitors ask for often. */
function memoised<T extends object | null>(ask: (text: string) => T): (text: string) => T {
  const answers = new LRUCache<string, { answer: T }>({ max: targetsKept });
  return (text) => {
    const known = answers.get(text);
    if (known) return known.answer;
    const answer = ask(text);
    if (text.length <= longestTargetKept) answers.set(text, { answer });
    return answer;
  };
}

/** Searches are endless: they have a store of their own, so that they push no page out. */
function cacheFor({ hasQuery }: SharedAddress, { pages }: SharedState): PageCache {
  return hasQuery ? pages.queries : pages.plain;
}

/**
 * Everything a page depends on: its address, the versions of what it shows, the day, whether the sale is on, and which
 * courses have dates: cards say so, and a date that is cancelled changes the seats' version only.
 */
function keyOf({ target, seats }: SharedAddress, { snapshot, clock }: SharedState): string {
  const { versions, promotion } = snapshot;
  const today = academyToday(clock);
  const parts = [versions.courses, versions.catalogue, seats ? versions.seats : '', today, datesKey(snapshot, today)];
  return `${parts.join(' ')} ${isRunning(promotion, clock.now())} ${target}`;
}

function join(path: string, part: string): string {
  return part === '' ? path : `${path}/${part.replace(/^\//, '')}`;
}

/** The router's own route objects, as its matching wants them. */
function treeOf(routes: ServerBuild['routes'], parentId?: string): RouteObject[] {
  return Object.values(routes).flatMap((route): RouteObject[] => {
    if (!route || route.parentId !== parentId) return [];
    const { id, path, module } = route;
    if (route.index) return [{ id, path, index: true, handle: module.handle }];
    return [{ id, path, handle: module.handle, children: treeOf(routes, id) }];
  });
}

const segmentOf = (path: string): string => path.split('/')[1]?.toLowerCase() ?? '';

/** The first segments of the paths of shared pages; no parameter is among them. */
function firstSegmentsOf(routes: readonly RouteObject[], parent = ''): Set<string> {
  return new Set(
    routes.flatMap(({ path = '', handle, children = [] }) => {
      const whole = join(parent, path);
      const own = (handle as Partial<SharedPage> | undefined)?.shared
        ? [segmentOf(`/${whole.replace(/^\//, '')}`)]
        : [];
      return [...own, ...firstSegmentsOf(children, whole)];
    }),
  );
}
