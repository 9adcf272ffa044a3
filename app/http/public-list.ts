/**
 * Whether a route is left out of the public list: pages of staff, those of the private links of enrolments, and the one
 * that only e-mails lead to. Links to them from public pages load the document.
 */
export const isUnlisted = (routeId: string): boolean =>
  /^routes\/(staff|enrolment)\/|^routes\/storefront\/unsubscribe$/.test(routeId);

/** The address of the public list of routes, which the build writes beside the router's own. */
export function publicListOf(listOfRoutes: string): string {
  return listOfRoutes.replace(/\.js$/, '.public.js');
}
