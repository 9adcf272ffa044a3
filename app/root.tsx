import { type ReactNode, use } from 'react';
import { href, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from 'react-router';
import type { Route } from './+types/root';
import { bannerCookie } from './features/catalogue/promotions/closed-banner.ts';
import { baseUrlContext, requestInfoContext } from './http/context.ts';
import { vitalsContext } from './http/vitals.server.ts';
import { ErrorScreen } from './routes/storefront/frame/error-screen.tsx';
import favicon from './ui/favicon.svg?url&no-inline';
import { startScript } from './ui/late-start.ts';
import { NonceContext } from './ui/nonce.ts';
import { schemeKey } from './ui/scheme-switch.tsx';
import { SiteStyles } from './ui/site-styles.tsx';
import touchIcon from './ui/touch-icon.png?url';
import { useHeadingFocus } from './ui/use-heading-focus.ts';

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: favicon, type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: touchIcon },
  { rel: 'manifest', href: href('/manifest.webmanifest') },
  { rel: 'alternate', type: 'application/atom+xml', title: 'New courses', href: href('/courses.atom') },
];

/** Tells the request log which route answered. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, pattern }) => {
    context.get(requestInfoContext).route = `/${pattern.replace(/^\//, '')}`;
  },
];

export function loader({ context }: Route.LoaderArgs) {
  const vitals = context.get(vitalsContext);
  const measured = vitals && { share: vitals.share, route: context.get(requestInfoContext).route };
  return { baseUrl: context.get(baseUrlContext), measured };
}

/** The public origin does not change from page to page. */
export function shouldRevalidate() {
  return false;
}

/**
 * On a phone a fresh visit lays out what is below the first screen after the page has loaded, part by part (`layOutRest` in
 * ui/late-start.ts). A visitor who comes back, reloads or goes to a part of the page is put where they were: that needs all of
 * it at once.
 */
const arriving = import.meta.env.PROD ? "if(innerWidth<768&&t&&t.type=='navigate'&&!location.hash)r.arriving='';" : '';

/**
 * The visitor's earlier choice must be there before the first paint, or the page would flash; and again when React
 * renders <html> anew, because the browser would write the page differently from the server. Only the server writes it.
 * `within` marks a page that was not reached from elsewhere: its bower is built already.
 */
const beforePaint = import.meta.env.SSR
  ? `(function(){var h=document.documentElement,r=h.dataset,t=performance.getEntriesByType('navigation')[0],f=function(){try{if(r.promoBanner!='closed'&&/(^|; )${bannerCookie}=/.test(document.cookie))r.promoBanner='closed';var s=localStorage.getItem('${schemeKey}');if(s&&r.scheme!=s)r.scheme=s}catch{}};${arriving}if(t&&t.type!='navigate'||document.referrer.startsWith(location.origin))r.within='';f();new MutationObserver(f).observe(h,{attributes:true})})()`
  : '';

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext);
  const measured = useRouteLoaderData<typeof loader>('root')?.measured;
  return (
    <html lang="en-AU" data-vitals={measured?.share} data-route={measured?.route} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Safari makes links of digits by itself, which changes the page under React's feet. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <meta name="theme-color" content="#140f33" />
        <Meta />
        <Links />
        <SiteStyles />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant; it must run before the first paint */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: beforePaint }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: startScript }} />
      </head>
      <body>
        <a
          href="#main"
          className="sr-only z-50 rounded-control bg-straw p-3 font-bold text-on-straw focus:not-sr-only focus:fixed focus:left-3 focus:top-3"
        >
          Skip to content
        </a>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  useHeadingFocus();
  return <Outlet />;
}

/** Only for what goes wrong in a frame itself: each frame shows the errors of its pages. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main id="main" tabIndex={-1} className="outline-none">
      <ErrorScreen error={error} />
    </main>
  );
}
