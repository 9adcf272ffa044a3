import { href, isRouteErrorResponse, Link, Outlet } from 'react-router';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { ErrorScreen } from '#app/routes/storefront/frame/error-screen.tsx';
import { button } from '#app/ui/button.ts';
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
      <CheckoutHead
        title="This link does not open anything"
        lead="Part of the address may be missing, or the link no longer works because the attendee changed. Open it from our latest email, or ask us to send your links again."
      >
        <Link to={href('/enrolments')} className={button.primary}>
          Send me my links
        </Link>
        <Link to={href('/contact')} className={button.quiet}>
          Contact Us
        </Link>
      </CheckoutHead>
    </>
  );
}
