import { data, href } from 'react-router';
import { stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { cardTroubles } from '#app/features/money/card/troubles.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { Rows } from '#app/ui/staff/list.tsx';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/card-payments';
import { staffMeta } from './frame/staff-meta.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'money:read');
  if (context.get(stripeContext) === null) {
    throw data('Card payment is not set up: it needs the Stripe keys.', { status: 404 });
  }
  const { db, clock } = context.get(academyContext);
  const troubles = await unlessDatabaseAway(() => cardTroubles(db, actor, clock.now()));
  return {
    troubles: troubles.map(({ at, amountCents, ...trouble }) => ({
      ...trouble,
      at: formatMoment(at),
      amount: formatExact(amountCents),
    })),
  };
}

const labels = {
  dispute: 'Disputed by the cardholder',
  'dispute-lost': 'Dispute lost',
  'refund-failed': 'Refund failed',
  'refund-waits': 'Refund not sent yet',
  'not-booked': 'Payment on no enrolment',
  unheard: 'No news of a payment',
};

const advice = {
  dispute: 'The buyer owes the amount again unless Stripe decides for us. Answer it in Stripe’s dashboard.',
  'dispute-lost': 'The cardholder’s bank decided for them, so the buyer owes the amount again. Ask the buyer for it.',
  'refund-failed': 'We still owe the buyer this refund. Ask them how we can pay it.',
  'refund-waits': 'We try again automatically.',
  'not-booked': 'Look it up in Stripe’s dashboard, then assign it on the page Payments.',
  unheard:
    'Until we hear, the buyer cannot pay by card again. Look it up in Stripe’s dashboard, and send its last event there again.',
};

export const meta = () => staffMeta('Card payments');

export default function CardPayments({ loaderData: { troubles } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-2xl">Card payments</h1>
      <p className="mt-2 mb-5 max-w-prose text-mute">
        Disputes, refunds that failed or are waiting, payments that we could not match, and payments of which we heard
        no more. A refund recorded on a card payment is sent through Stripe automatically. One made in Stripe’s
        dashboard is recorded automatically, so do not record it again.
      </p>
      <Rows
        rows={troubles}
        keyOf={({ key }) => key}
        columns="md:grid-cols-[15rem_minmax(0,1fr)]"
        none={<Words wide>No card payment needs your attention.</Words>}
      >
        {({ kind, reference, amount, why, stripeId, at }) => (
          <>
            <div>
              <p className="font-bold">{labels[kind]}</p>
              <p className="tabular text-sm text-mute">{at}</p>
            </div>
            <div className="min-w-0 text-sm">
              <p className="tabular font-semibold">
                {amount},{' '}
                {reference === null ? (
                  'no enrolment'
                ) : (
                  <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>
                )}
              </p>
              <p className="break-words text-mute">
                {why}; {kind === 'unheard' ? 'payment page' : 'payment'} <span className="select-all">{stripeId}</span>
              </p>
              <p>{advice[kind]}</p>
            </div>
          </>
        )}
      </Rows>
    </>
  );
}
