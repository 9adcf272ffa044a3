import { useEffect } from 'react';
import { href, Link, useLocation } from 'react-router';
import { button } from '#app/ui/button.ts';
import { Icon } from '#app/ui/icon.tsx';

/** The two ways on from the end of a page. */
function HomeOrCourses() {
  return (
    <div className="no-print mt-8 flex flex-wrap gap-3">
      <Link to={href('/')} className={button.primary}>
        Return to Home
      </Link>
      <Link to={href('/courses')} className={button.quiet}>
        Browse courses
      </Link>
    </div>
  );
}

/** The 404 screen. The attempted path goes to the browser's console, as the specification says. */
export function NotFound() {
  const { pathname } = useLocation();
  useEffect(() => {
    console.warn(`404: no page at ${pathname}`);
  }, [pathname]);
  return (
    <section className="page grid items-center gap-10 py-20 lg:grid-cols-[1fr_auto] lg:py-32">
      <div>
        <p className="font-display text-8xl font-bold leading-none tracking-tight text-link lg:text-9xl">404</p>
        <h1 className="mt-4 text-4xl lg:text-5xl">Oops! Page not found</h1>
        <p className="mt-4 max-w-prose text-lg text-mute">
          There is nothing at this address. It may have moved, or the link may have a typo.
        </p>
        <HomeOrCourses />
      </div>
      <Icon name="compass" className="hidden size-64 -rotate-6 text-link [--icon-ink:var(--paper)] lg:block" />
    </section>
  );
}
