import type { ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router';
import { currentBanner } from '#app/features/catalogue/promotions/banner.server.ts';
import { leavesBannerOut } from '#app/features/catalogue/promotions/closed-banner.ts';
import { PromoBanner } from '#app/features/catalogue/promotions/promo-banner.tsx';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/layout';
import { ErrorScreen, Unreachable } from './frame/error-screen.tsx';
import { useMissingCode } from './frame/missing-code.ts';
import { SiteFooter } from './frame/site-footer.tsx';
import { SiteHeader } from './frame/site-header.tsx';

export function loader({ context, request }: Route.LoaderArgs) {
  const snapshot = context.get(snapshotContext).current();
  const banner = leavesBannerOut(request.headers.get('Cookie'))
    ? null
    : currentBanner(snapshot, context.get(academyContext).clock);
  return { site: snapshot.site, banner };
}

/** The frame is the same on every public page. */
export function shouldRevalidate() {
  return false;
}

export default function Layout({ loaderData }: Route.ComponentProps) {
  return (
    <StorefrontFrame data={loaderData}>
      <Outlet />
    </StorefrontFrame>
  );
}

/** A page that failed is shown in the same frame, or without the frame's data in a simpler one. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <StorefrontFrame data={loaderData}>
      <ErrorScreen error={error} />
    </StorefrontFrame>
  );
}

function StorefrontFrame({
  data,
  children,
}: {
  data: Route.ComponentProps['loaderData'] | undefined;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const { unreachable, tryAgain } = useMissingCode();
  return (
    <>
      {data?.banner && pathname === '/' && <PromoBanner banner={data.banner} />}
      <SiteHeader />
      <main id="main" tabIndex={-1} className="outline-none">
        {unreachable ? <Unreachable tryAgain={tryAgain} /> : children}
      </main>
      {/* A chat ends with the field to write in. */}
      {data && !pathname.startsWith('/chat/') && <SiteFooter site={data.site} />}
    </>
  );
}
