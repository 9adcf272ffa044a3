import { href, isRouteErrorResponse, Link, Outlet } from 'react-router';
import { ErrorScreen } from '#app/routes/storefront/frame/error-screen.tsx';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/layout';

export default function Layout() {
  return <Outlet />;
}

/** A link that leads nowhere says what to do (P32). */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorScreen error={error} />;
  return (
    <>
      <title>This link does not open anything | Bowerbird Academy</title>
      <PageHead
        title="This link does not open anything"
        lead="Part of the address may be missing, or the link was ended because somebody else attends. Open it from the newest e-mail we sent you, or let us send you your links again."
      >
        <Link to={href('/enrolments')} className={button.straw}>
          Send me my links
        </Link>
        <Link to={href('/contact')} className={button.onSatin}>
          Contact Us
        </Link>
      </PageHead>
    </>
  );
}
