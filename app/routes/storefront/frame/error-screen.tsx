import { href, isRouteErrorResponse, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import { NotFound } from './not-found.tsx';

/** What is shown when a route failed: 404 for an unknown path, otherwise the application error screen (P36). */
export function ErrorScreen({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  return (
    <section className="page py-24 lg:py-32">
      <title>Unexpected Application Error! | Bowerbird Academy</title>
      <h1 className="text-4xl lg:text-6xl">Unexpected Application Error!</h1>
      <p className="mt-5 max-w-prose text-lg text-mute">{statusAndText(error)}</p>
      <p className="mt-2 max-w-prose text-mute">Try again in a moment, or start from the home page.</p>
      <Link to={href('/')} className={`${button.primary} mt-8`}>
        Return to Home
      </Link>
    </section>
  );
}

/** Status and text, or the message; never a stack trace. In production the message of a server fault is withheld. */
function statusAndText(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    const text = typeof error.data === 'string' && error.data !== '' ? error.data : error.statusText;
    return `${error.status} ${text}`.trim();
  }
  return error instanceof Error ? error.message : 'The cause is unknown.';
}
