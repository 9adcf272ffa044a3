import type { ReactNode } from 'react';
import { href, Link, Outlet } from 'react-router';
import { academyContext } from '#app/http/academy.server.ts';
import { ErrorScreen, Unreachable } from '#app/routes/storefront/frame/error-screen.tsx';
import { useMissingCode } from '#app/routes/storefront/frame/missing-code.ts';
import { Logo } from '#app/ui/logo.tsx';
import type { Route } from './+types/layout';
import { StepMarks } from './step-marks.tsx';

/** The frame of buying, and of the pages of what was bought: no shop beside it, one telephone number for help. */
export function loader({ context }: Route.LoaderArgs) {
  const { phone, company } = context.get(academyContext).academy();
  return { phone, company };
}

/** The frame is the same on every page. */
export function shouldRevalidate() {
  return false;
}

export default function Layout({ loaderData }: Route.ComponentProps) {
  return (
    <CheckoutFrame data={loaderData}>
      <Outlet />
    </CheckoutFrame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <CheckoutFrame data={loaderData}>
      <ErrorScreen error={error} />
    </CheckoutFrame>
  );
}

type Data = Route.ComponentProps['loaderData'];

function CheckoutFrame({ data, children }: { data: Data | undefined; children: ReactNode }) {
  const { unreachable, tryAgain } = useMissingCode();
  return (
    <>
      <header className="group/head on-satin bg-satin text-on-satin">
        <div className="page flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2 lg:min-h-16">
          <Link
            to={href('/')}
            aria-label="Bowerbird"
            className="flex min-h-9 items-center gap-2.5 rounded-lg font-display text-lg font-bold tracking-tight"
          >
            <Logo className="size-8" />
            <span className="max-sm:group-has-[nav]/head:sr-only">Bowerbird</span>
          </Link>
          <StepMarks />
          {data && (
            <p className="max-sm:group-has-[nav]/head:hidden">
              <span className="text-on-satin-mute max-sm:sr-only">Questions?</span> <Phone phone={data.phone} />
            </p>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="outline-none">
        {unreachable ? <Unreachable tryAgain={tryAgain} /> : children}
      </main>
      {data && (
        <footer className="no-print border-t border-line">
          <div className="page flex flex-wrap items-center gap-x-4 gap-y-1 py-6 sm:gap-x-6 text-sm text-mute">
            <p>{data.company}</p>
            <p className="sm:hidden">
              Questions? <Phone phone={data.phone} />
            </p>
            {[
              [href('/terms'), 'Terms'],
              [href('/privacy'), 'Privacy'],
              [href('/help'), 'Help'],
            ].map(([to = '', text]) => (
              <Link key={to} to={to} className="inline-block py-1 underline underline-offset-4">
                {text}
              </Link>
            ))}
          </div>
        </footer>
      )}
    </>
  );
}

function Phone({ phone }: { phone: string }) {
  return (
    <a
      href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}
      className="inline-block py-1 font-bold whitespace-nowrap underline-offset-4 hover:underline"
    >
      {phone}
    </a>
  );
}
