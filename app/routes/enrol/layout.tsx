import type { ReactNode } from 'react';
import { href, Link, Outlet, useLocation, useParams } from 'react-router';
import { stepPath, steps } from '#app/features/enrolments/enrolling/steps.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { ErrorScreen, Unreachable } from '#app/routes/storefront/frame/error-screen.tsx';
import { useMissingCode } from '#app/routes/storefront/frame/missing-code.ts';
import { Logo } from '#app/ui/logo.tsx';
import type { Route } from './+types/layout';

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

/** Which step one is at, in the header; those before it can be opened again. Nothing on other pages. */
function StepMarks() {
  const { pathname } = useLocation();
  const { draft } = useParams();
  const at = draft ? steps.findIndex(({ name }) => stepPath(draft, name) === pathname) : pathname === '/enrol' ? 0 : -1;
  if (at < 0) return null;
  return (
    <nav
      aria-label="Steps"
      className="no-print flex min-w-0 grow flex-wrap items-center justify-between gap-x-4 sm:justify-center"
    >
      <p className="text-[0.9375rem] font-semibold lg:sr-only">
        Step {at + 1} of {steps.length}
        <span className="max-md:sr-only">: {steps[at]?.title}</span>
      </p>
      <ol className="flex flex-wrap gap-1.5 sm:gap-2 lg:gap-5">
        {steps.map(({ name, title }, index) => (
          <li key={name} aria-current={index === at ? 'step' : undefined}>
            {index < at && draft ? (
              <Link
                to={stepPath(draft, name)}
                className="flex min-h-6 items-center gap-2 rounded text-[0.9375rem] text-on-satin underline-offset-4 lg:underline"
              >
                <Mark state="done" />
                <span className="max-lg:sr-only">{title}</span>
              </Link>
            ) : (
              <span
                className={`flex min-h-6 items-center gap-2 text-[0.9375rem] ${index === at ? 'font-bold' : 'text-on-satin-mute'}`}
              >
                <Mark state={index === at ? 'now' : 'to come'} />
                <span className="max-lg:sr-only">{title}</span>
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** A small bower for a step: an outline before it, straw for the current step, a blue treasure inside after it. */
function Mark({ state }: { state: 'done' | 'now' | 'to come' }) {
  return (
    <svg
      viewBox="0 0 24 26"
      className="h-[24px] w-[22px] shrink-0"
      aria-hidden="true"
      fill="none"
      strokeLinecap="round"
    >
      {state === 'to come' ? (
        <path d="M3 24C1 12 6 3 12 3s11 9 9 21" className="stroke-on-satin-mute" strokeWidth="1.8" opacity="0.7" />
      ) : (
        <path
          d="M3 24C1 13 6 4 13.5 2M7 24C6 15 8 8 13 4M21 24C23 13 18 4 10.5 2M17 24C18 15 16 8 11 4"
          className="stroke-straw"
          strokeWidth="1.8"
        />
      )}
      {state === 'done' && <path d="m12 12 4.5 5.5-4.5 6.5-4.5-6.5Z" className="fill-sky" />}
    </svg>
  );
}
