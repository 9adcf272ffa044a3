import type { ServerBuild } from 'react-router';

/** The full pattern of every route, such as `/course/:courseId`. */
export function routePatterns(routes: ServerBuild['routes']): Set<string> {
  const patternOf = (id: string): string => {
    const { parentId, path } = routes[id] ?? {};
    return (parentId === undefined ? '' : patternOf(parentId)) + (path ? `/${path}` : '');
  };
  return new Set(Object.keys(routes).map((id) => patternOf(id) || '/'));
}
