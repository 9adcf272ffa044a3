import { useEffect } from 'react';
import { data, href, Link, redirect, useRevalidator } from 'react-router';
import {
  type CheckoutState,
  canPayByCard,
  latestCheckout,
  stripeContext,
} from '#app/features/enrolments/card/checkouts.server.ts';
import { payByCard } from '#app/features/enrolments/card/pay.server.ts';
import { PayByCard } from '#app/features/enrolments/card/pay-by-card.tsx';
import { accountOf } from '#app/features/enrolments/money/accounts.server.ts';
import { balanceOf } from '#app/features/enrolments/money/balance.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/card';
import { ActPage, Away, noFault, textLink } from './frame.tsx';
import { deskOf, loadForBuyer, noLink } from './private-page.server.ts';

/** Whether a payment by card has arrived: where Stripe sends the buyer back to. */
export function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  if (context.get(stripeContext) === null) throw noLink();
  return loadForBuyer(context, token, async (trx, { id }) => {
    const balanceCents = balanceOf(await accountOf(trx, id));
    return {
      token,
      balanceCents,
      canPay: canPayByCard(balanceCents),
      checkout: await latestCheckout(trx, id),
      back: url.searchParams.has('back'),
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  const stripe = context.get(stripeContext);
  if (!stripe) throw noLink();
  const form = await readForm(request);
  const result = await payByCard(deskOf(context), stripe, { token, form, baseUrl: context.get(baseUrlContext) });
  if (result.ok) throw redirect(result.url, 303);
  if (result.status === 404) throw noLink();
  return data({ form: { ...noFault, fault: result.fault } }, { status: result.status });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Pay by card', 'Whether your payment by card has arrived.', noPage);

export default function Card({ loaderData, actionData }: Route.ComponentProps) {
  const waits = loaderData?.back === true && ['open', 'processing'].includes(loaderData.checkout.state);
  useLookAgain(waits);
  if (!loaderData) return <Away />;
  const { token, balanceCents, canPay, checkout, back } = loaderData;
  const [title, text] = said(checkout.state, formatMoney(checkout.amountCents), back);
  return (
    <ActPage title="Pay by card" lead="The card is typed in at Stripe, our payment provider." token={token}>
      <ErrorSummary form={actionData?.form ?? noFault} labels={{}} formId="card-form" />
      <div role="status" className="rounded-card border-2 border-action bg-card p-5 sm:p-6">
        <h2 className="text-2xl">{title}</h2>
        <p className="mt-3">{text}</p>
        {waits && (
          <p className="mt-3">
            <Link to={`${href('/enrolment/:token/card', { token })}?back`} replace className={textLink}>
              Look again
            </Link>
          </p>
        )}
      </div>
      {checkout.state === 'paid' && balanceCents > 0 && <p>{formatMoney(balanceCents)} is still owed.</p>}
      {canPay && checkout.state !== 'processing' && <PayByCard owedCents={balanceCents} token={token} goOn={waits} />}
      {balanceCents <= 0 && checkout.state !== 'paid' && <p>Nothing is owed.</p>}
    </ActPage>
  );
}

/** Only what Stripe told us is said of a payment: coming back from there proves nothing. */
function said(state: CheckoutState, amount: string, back: boolean): [title: string, text: string] {
  switch (state) {
    case 'paid':
      return [`${amount} has arrived`, 'Thank you. The payment is recorded on your enrolment.'];
    case 'processing':
      return [
        'The payment is on its way',
        `Your bank is still working on ${amount}. There is nothing more for you to do; your enrolment's page shows it when it has arrived.`,
      ];
    case 'failed':
      return ['The payment did not go through', 'Nothing was charged. You can try again, or pay by bank transfer.'];
    case 'expired':
      return [
        'The payment page was closed',
        'It had run out, or something else was owed by then. You can begin again.',
      ];
    case 'open':
      return back
        ? [
            'We are waiting for Stripe',
            `If you completed the payment of ${amount}, its confirmation can take a minute. It appears here, and on your enrolment's page, so there is no need to pay again.`,
          ]
        : ['A payment page is open', `It asks for ${amount}. You can go on there.`];
    default:
      return ['No payment was begun', 'Nothing has been paid by card yet.'];
  }
}

const lookEveryMs = 4000;
const lookTimes = 30;

/** Reads the page again every few seconds for two minutes, as long as it is visible. */
function useLookAgain(waits: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!waits) return;
    let looks = 0;
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return;
      looks += 1;
      if (looks > lookTimes) clearInterval(timer);
      else void revalidate();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [waits, revalidate]);
}
