import type { ServerBuild } from 'react-router';

type Routes = ServerBuild['routes'];

/** The full pattern of every route, such as `/course/:courseId`. */
export function routePatterns(routes: Routes): Set<string> {
  return new Set(Object.keys(routes).map((id) => patternOf(routes, id) || '/'));
}

/** The full pattern of a route; empty for routes that add nothing to the path. */
function patternOf(routes: Routes, id: string): string {
  const { parentId, path } = routes[id] ?? {};
  return (parentId === undefined ? '' : patternOf(routes, parentId)) + (path ? `/${path}` : '');
}
