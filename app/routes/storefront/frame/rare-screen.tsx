import { useEffect, useState } from 'react';
import { href, Link, useLocation, useRevalidator } from 'react-router';
import { button } from '#app/ui/button.ts';
import { NotFound } from './not-found.tsx';

/** An address without a page, or a page that cannot be read at the moment. */
export function RareScreen({ status, text }: { status: number; text: string | null }) {
  return status === 404 ? (
    <NotFound />
  ) : (
    <Later text={text ?? 'We cannot show this page at the moment. Please try again in a few seconds.'} />
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
      // Clients refused together do not come back together.
      seconds * 1000 * (1 + Math.random() / 2),
    );
    return () => clearTimeout(timer);
  }, [tries, state, revalidate]);
  const { pathname, search } = useLocation();
  return (
    <section className="page py-24 lg:py-32">
      <title>Please wait a moment | Bowerbird Academy</title>
      <h1 className="text-4xl lg:text-6xl">Please wait a moment</h1>
      <p role="alert" className="mt-5 max-w-prose text-lg text-mute">
        {text}
      </p>
      {/* Without JavaScript nothing asks again, and the page must not promise it. */}
      {asks && <p className="mt-2 max-w-prose text-mute">This page tries again automatically while it is open.</p>}
      <div className="mt-8 flex flex-wrap gap-3">
        <Link to={pathname + search} reloadDocument className={button.primary}>
          {state === 'loading' ? 'Trying again' : 'Try again'}
        </Link>
        <Link to={href('/')} className={button.quiet}>
          Return to Home
        </Link>
      </div>
    </section>
  );
}
