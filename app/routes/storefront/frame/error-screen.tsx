import type { ReactNode } from 'react';
import { type ErrorResponse, href, isRouteErrorResponse, Link, useLocation, useRevalidator } from 'react-router';
import { button } from '#app/ui/button.ts';
import { RareScreen } from './rare-screen.tsx';

/** The page of a failed route: 404 for an unknown path, otherwise the application error screen (P36). */
export function ErrorScreen({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && (error.status === 404 || error.status === 503)) {
    return <RareScreen status={error.status} text={ownText(error)} />;
  }
  return isUnreachable(error) ? (
    <Unreachable />
  ) : (
    <Screen text={statusAndText(error)} advice="Try again in a moment." />
  );
}

/** The page could not be fetched. `tryAgain` repeats the navigation; without it the page's data is asked for again. */
export function Unreachable({ tryAgain }: { tryAgain?: () => void }) {
  return (
    <Screen
      text="We could not reach the academy, so we could not open this page."
      advice="Check your connection, then try again. If you had sent something, look first whether it arrived."
      tryAgain={tryAgain}
    />
  );
}

function Screen({ text, advice, tryAgain }: { text: ReactNode; advice: string; tryAgain?: (() => void) | undefined }) {
  const { pathname, search } = useLocation();
  const { state, revalidate } = useRevalidator();
  return (
    <section className="page py-24 lg:py-32">
      <title>Unexpected Application Error! | Bowerbird Academy</title>
      <h1 className="text-4xl lg:text-6xl">Unexpected Application Error!</h1>
      <p role="alert" className="mt-5 max-w-prose text-lg text-mute">
        {text}
      </p>
      <p className="mt-2 max-w-prose text-mute">{advice}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        <Link
          to={pathname + search}
          reloadDocument
          onClick={(event) => {
            event.preventDefault();
            if (tryAgain) tryAgain();
            else void revalidate();
          }}
          className={button.primary}
        >
          {state === 'loading' ? 'Trying again' : 'Try again'}
        </Link>
        <Link to={href('/')} className={button.quiet}>
          Return to Home
        </Link>
      </div>
    </section>
  );
}

/**
 * Whether a fetch found nobody (each browser has words of its own), or something between here and us answered for us.
 */
function isUnreachable(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status === 502 || error.status === 504;
  return error instanceof TypeError && /^(Failed to fetch|NetworkError|Load failed)/.test(error.message);
}

/** Status and text, or the message; never a stack trace. In production the message of a server fault is withheld. */
function statusAndText(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${ownText(error) ?? error.statusText}`.trim();
  return error instanceof Error ? error.message : 'We do not know the cause.';
}

/** The sentence that came with an answer. A whole page, such as a proxy's, is no sentence to show. */
function ownText({ data }: ErrorResponse): string | null {
  return typeof data === 'string' && data !== '' && !data.trimStart().startsWith('<') ? data : null;
}
