import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { type ErrorResponse, href, isRouteErrorResponse, Link, useLocation, useRevalidator } from 'react-router';
import { button } from '#app/ui/button.ts';

// Rarely shown, and no page should have to load it.
const NotFound = lazy(async () => ({ default: (await import('./not-found.tsx')).NotFound }));

/** What is shown when a route failed: 404 for an unknown path, otherwise the application error screen (P36). */
export function ErrorScreen({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <Suspense>
        <NotFound />
      </Suspense>
    );
  }
  if (isRouteErrorResponse(error) && error.status === 503) return <Later text={reasonOf(error)} />;
  return isUnreachable(error) ? (
    <Unreachable />
  ) : (
    <Screen text={statusAndText(error)} advice="Try again in a moment, or start from the home page." />
  );
}

/** The page could not be fetched. `tryAgain` repeats the navigation; without it the page's data is asked for again. */
export function Unreachable({ tryAgain }: { tryAgain?: () => void }) {
  return (
    <Screen
      text="The academy could not be reached, so this page could not be opened."
      advice="Your connection may have broken off. Nothing was changed. Check the connection, then try again."
      tryAgain={tryAgain}
    />
  );
}

/** Seconds after which a page that cannot be read now is asked for again, by how often it was; then every minute. */
const pausesSeconds = [5, 10, 20, 40];

/** A page that was refused for the moment, and says why: it asks again by itself, less and less often. */
function Later({ text }: { text: string }) {
  const { state, revalidate } = useRevalidator();
  const [tries, setTries] = useState(0);
  const [asks, setAsks] = useState(false);
  useEffect(() => setAsks(true), []);
  useEffect(() => {
    if (state !== 'idle') return;
    const seconds = pausesSeconds[tries] ?? 60;
    const timer = setTimeout(
      () => {
        setTries(tries + 1);
        void revalidate();
      },
      // Those who were refused at once do not come at once.
      seconds * 1000 * (1 + Math.random() / 2),
    );
    return () => clearTimeout(timer);
  }, [tries, state, revalidate]);
  // Without JavaScript nothing asks again, and the page must not promise it.
  const advice = asks ? 'This page tries again by itself while it is open.' : 'Press “Try again” in a few seconds.';
  return <Screen title="Please wait a moment" text={text} advice={advice} />;
}

type ScreenParts = { title?: string; text: ReactNode; advice: string; tryAgain?: (() => void) | undefined };

function Screen({ title = 'Unexpected Application Error!', text, advice, tryAgain }: ScreenParts) {
  const { pathname, search } = useLocation();
  const { state, revalidate } = useRevalidator();
  return (
    <section className="page py-24 lg:py-32">
      <title>{`${title} | Bowerbird Academy`}</title>
      <h1 className="text-4xl lg:text-6xl">{title}</h1>
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

/** Whether a fetch found nobody (each browser has words of its own), or something between here and us answered for us. */
function isUnreachable(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status === 502 || error.status === 504;
  return error instanceof TypeError && /^(Failed to fetch|NetworkError|Load failed)/.test(error.message);
}

/** Status and text, or the message; never a stack trace. In production the message of a server fault is withheld. */
function statusAndText(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${ownText(error) ?? error.statusText}`.trim();
  return error instanceof Error ? error.message : 'The cause is unknown.';
}

/** Why a page is refused for the moment, in our own words. */
function reasonOf(error: ErrorResponse): string {
  return ownText(error) ?? 'This page cannot be read at the moment.';
}

/** The sentence that came with an answer. A whole page, such as a proxy's, is no sentence to show. */
function ownText({ data }: ErrorResponse): string | null {
  return typeof data === 'string' && data !== '' && !data.trimStart().startsWith('<') ? data : null;
}
