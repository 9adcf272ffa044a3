import { href, Link } from 'react-router';
import { findReturn } from '#app/features/money/card/checkout-state.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import type { Route } from './+types/card-return';
import { CardState, useLookAgain } from './card-state.tsx';
import { Away, textLink } from './frame.tsx';
import { noLink } from './private-page.server.ts';

/**
 * The page to which Stripe sends a buyer back: the state of this payment, for a day. It links to nothing else of the
 * enrolment.
 */
export async function loader({ context, params: { payment } }: Route.LoaderArgs) {
  const { db, clock } = context.get(academyContext);
  return readOrInstead(null, async () => {
    const found = await findReturn(db, payment, clock.now());
    if (!found) throw noLink();
    return { payment, ...found };
  });
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Pay by card', 'Whether your payment by card has arrived.', noPage);

export default function CardReturn({ loaderData }: Route.ComponentProps) {
  const waits = loaderData !== null && ['open', 'unheard', 'processing'].includes(loaderData.state);
  useLookAgain(waits);
  if (!loaderData) return <Away />;
  const { payment, reference, state, amountCents } = loaderData;
  return (
    <>
      <CheckoutHead
        title="Pay by card"
        lead={
          <>
            Your payment for the enrolment <span className="whitespace-nowrap">{reference}</span>.
          </>
        }
      />
      <div className="page pt-4 pb-10">
        <div className="grid max-w-2xl gap-8">
          <CardState state={state} amountCents={amountCents} back />
          {waits && (
            <p>
              <Link to={href('/enrolment/card-return/:payment', { payment })} replace className={textLink}>
                Check again
              </Link>
            </p>
          )}
          <p>
            To see your enrolment, open the link in the email we sent you. You can also{' '}
            <Link to={href('/enrolments')} className={textLink}>
              have your link mailed again
            </Link>
            .
          </p>
        </div>
      </div>
    </>
  );
}
