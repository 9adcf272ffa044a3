/**
 * Whether a route is left out of the public list: pages of staff and of accounts, those on which one logs in, bowers,
 * those of the private links of enrolments and of certificates, those that only emails lead to, and those that hardly
 * anybody opens. Links to them from public pages load the document.
 */
export const isUnlisted = (routeId: string): boolean =>
  /^routes\/(account|bowers|staff|links\/(enrolment|certificate))\/|^routes\/links\/waiting$|^routes\/storefront\/(login|login-\w+|mail|mail-message|status|unsubscribe)$/.test(
    routeId,
  );

/** The address of the public list of routes, which the build writes beside the router's own. */
export function publicListOf(listOfRoutes: string): string {
  return listOfRoutes.replace(/\.js$/, '.public.js');
}
