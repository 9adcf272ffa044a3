import { createRequestHandler, type ServerBuild } from 'react-router';
import { patternOf } from './route-patterns.ts';

type Routes = ServerBuild['routes'];
type Handler = ReturnType<typeof createRequestHandler>;

/**
 * The router's handler of requests. The router tries its routes one after the other, twice for each page; so here it
 * gets only those whose first segment is that of the address, or any. An address that begins otherwise than a route,
 * by its spelling too, gets all of them.
 */
export function routerOf(build: ServerBuild, mode: string): Handler {
  const whole = createRequestHandler(build, mode);
  const parts = new Map<string, Handler>();
  for (const id of Object.keys(build.routes)) {
    const segment = firstSegment(patternOf(build.routes, id));
    if (isFixed(segment) && !parts.has(segment)) {
      const routes = routesFor(build.routes, segment);
      parts.set(segment, createRequestHandler({ ...build, routes }, mode));
    }
  }
  return (request, context) => {
    const segment = firstSegment(new URL(request.url).pathname).replace(/\.data$/, '');
    return (parts.get(segment) ?? whole)(request, context);
  };
}

/** The routes that may answer an address with this first segment, which is one of their own, and those around them. */
export function routesFor(routes: Routes, segment: string): Routes {
  const kept = new Set<string>();
  for (const id of Object.keys(routes)) {
    const own = firstSegment(patternOf(routes, id));
    if (isFixed(own) && own !== segment) continue;
    for (let at: string | undefined = id; at !== undefined; at = routes[at]?.parentId) kept.add(at);
  }
  return Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
}

const firstSegment = (path: string): string => path.split('/')[1] ?? '';

/** Neither a parameter, nor all that is left, nor what an address may leave out. */
const isFixed = (segment: string): boolean => !/^[:*]|\?$/.test(segment);
