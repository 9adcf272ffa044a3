/** The address of the public list of routes, which the build writes beside the router's own. */
export function publicListOf(listOfRoutes: string): string {
  return listOfRoutes.replace(/\.js$/, '.public.js');
}
