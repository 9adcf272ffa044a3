/**
 * Whether a route is left out of the public list: pages of staff and of accounts, those on which one logs in, those
 * of the private links of enrolments and of certificates, those that only emails lead to, and those that hardly
 * anybody opens. Links to them from public pages load the document.
 */
const isUnlisted = (routeId: string): boolean =>
  /^routes\/(account|staff|links\/(enrolment|certificate))\/|^routes\/links\/waiting$|^routes\/storefront\/(login|login-\w+|mail|mail-message|page-version|status|unsubscribe)$/.test(
    routeId,
  );

const isOfStaff = (routeId: string): boolean => routeId.startsWith('routes/staff/');

/**
 * The lists of routes that the build writes beside the router's own. Public pages load `public`; those of accounts,
 * private links and login load `own`, which leaves out the pages of staff.
 */
export const routeLists = {
  public: (routeId: string, isPage: boolean) => isPage && !isUnlisted(routeId),
  own: (routeId: string) => !isOfStaff(routeId),
} satisfies Record<string, (routeId: string, isPage: boolean) => boolean>;
export type RouteList = keyof typeof routeLists;

/** The list that a page with these routes loads; null for the router's own. */
export function listOfPage(routeIds: readonly string[]): RouteList | null {
  if (routeIds.some(isOfStaff)) return null;
  return routeIds.some(isUnlisted) ? 'own' : 'public';
}

/** The address of one of the lists; `listOfRoutes` is that of the router's own. */
export const addressOfList = (listOfRoutes: string, list: RouteList): string =>
  listOfRoutes.replace(/\.js$/, `.${list}.js`);
