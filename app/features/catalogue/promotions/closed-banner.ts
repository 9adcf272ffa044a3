/**
 * The cookie by which a closed banner stays closed for the browser course date, in every tab (P16). A script in the head
 * reads it before the first paint and hides the banner, so that the page itself is the same for everyone.
 */
export const bannerCookie = 'promo-banner';

/** Set by the page's own script, which can also hide the banner, so pages need not know it. */
export const closedByScript = `${bannerCookie}=closed; Path=/; SameSite=Lax`;

/** Set for a form sent without JavaScript: nothing in the browser can hide the banner, so pages are made without it. */
export function closedByForm({ https }: { https: boolean }): string {
  return `${bannerCookie}=left-out; Path=/; SameSite=Lax${https ? '; Secure' : ''}`;
}

/** Whether a request asks for pages without the banner. Such pages must not be shared with other visitors. */
export function leavesBannerOut(cookies: string | null): boolean {
  return (cookies ?? '').split(/;\s*/).includes(`${bannerCookie}=left-out`);
}
