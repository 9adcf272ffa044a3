import { findLink } from '#app/features/enrolments/links.server.ts';
import { cardReturnPath } from '#app/features/enrolments/paths.ts';
import { accountOf, openInvoices } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { disputedOf, latestCheckout } from '#app/features/money/card/checkout-state.server.ts';
import { startCheckout, stripeContext } from '#app/features/money/card/checkouts.server.ts';
import { takenByCard } from '#app/features/money/card/payable.server.ts';
import type { Stripe } from '#app/features/money/card/stripe.server.ts';
import { cardPayments, waitsForChoice } from '#app/features/money/open-invoice.ts';
import { type Academy, academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/card';
import { CardState } from './card-state.tsx';
import { ActPage, Away, noFault } from './frame.tsx';
import { PayByCard } from './pay-by-card.tsx';
import { loadForBuyer, noLink } from './private-page.server.ts';

/** Takes the form "Pay … by card" of a buyer's page and says where the card is typed in. */
function payByCard(
  { db, clock }: Pick<Academy, 'db' | 'clock'>,
  stripe: Stripe,
  { token, form, baseUrl }: { token: string; form: FormData | null; baseUrl: string },
): Promise<{ ok: true; url: string } | Refusal> {
  return takeForm({ form, fresh: blankForm('Nothing was changed'), words }, async ({ shown }, refuse) => {
    const link = await findLink(db, token);
    if (!link || link.attendeeId !== null) return refuse(404, {});
    const wish = {
      enrolmentId: link.enrolmentId,
      shownCents: Number(shown),
      returnUrl: (returning: string) => baseUrl + cardReturnPath(returning),
    };
    const started = await startCheckout(db, stripe, wish, clock);
    return started.ok ? started : refuse(started.reason === 'stripe' ? 502 : 409, faults[started.reason]);
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Nothing was charged. Please send it again.',
  notSaved: 'Our system is not available. Nothing was charged. Try again in a few minutes.',
  // Money is taken at Stripe's page only, to which this answer would have led.
  away: unconfirmedText('that a payment page was opened', 'Nothing was charged. Try again in a few minutes.'),
  busy: 'Many people are here at the moment. Nothing was charged. Try again in a few seconds.',
};
const faults = {
  changed:
    'The amount to pay has changed since you opened the page. Nothing was charged. The amount below is the current one.',
  processing:
    'Your earlier payment by card is being confirmed, so you don’t need to pay again. Please check again later.',
  another: 'A page for another amount was opened at the same moment. Nothing was charged. Press again.',
  stripe:
    'Our payment provider did not answer as it should. Nothing was charged. Try again in a few minutes, or pay by bank transfer as the enrolment’s page says.',
};

/** The state of payment by card. Stripe sends the buyer back to `card-return`. */
export function loader({ context, params: { token } }: Route.LoaderArgs) {
  if (context.get(stripeContext) === null) throw noLink();
  return loadForBuyer(context, token, async (trx, { id }, { now, today }) => {
    const balanceCents = balanceOf(await accountOf(trx, id));
    const open = await openInvoices(trx, id);
    return {
      token,
      today,
      balanceCents,
      choosing: waitsForChoice(open),
      payments: takenByCard(cardPayments(balanceCents, open, today)),
      checkout: await latestCheckout(trx, id, now),
      disputedCents: balanceCents > 0 ? ((await disputedOf(trx, [id])).get(id) ?? 0) : 0,
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  const stripe = context.get(stripeContext);
  if (!stripe) throw noLink();
  const form = await readForm(request);
  const result = await payByCard(context.get(academyContext), stripe, {
    token,
    form,
    baseUrl: context.get(baseUrlContext),
  });
  if (!result.ok && result.status === 404) throw noLink();
  return answerForm(result, ({ url }) => url);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Pay by card', 'Whether your payment by card has arrived.', noPage);

export default function Card({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, today, balanceCents, choosing, payments, checkout, disputedCents } = loaderData;
  return (
    <ActPage title="Pay by card" lead="The card is typed in at Stripe, our payment provider." token={token}>
      <ErrorSummary form={actionData?.form ?? noFault} labels={{}} formId="card-form" />
      {disputedCents > 0 && (
        <p className="font-semibold">{`The bank of the card took ${formatMoney(disputedCents)} back.`}</p>
      )}
      {!(disputedCents > 0 && checkout.state === 'paid') && <CardState {...checkout} back={false} />}
      {(checkout.state === 'paid' || disputedCents > 0) && balanceCents > 0 && (
        <p>{formatMoney(balanceCents)} is still to pay.</p>
      )}
      {checkout.state !== 'processing' && <PayByCard payments={payments} today={today} token={token} />}
      {balanceCents <= 0 && checkout.state !== 'paid' && <p>Nothing is owed.</p>}
      {balanceCents > 0 && payments.length === 0 && (
        <p>
          {choosing
            ? 'Nothing is to pay now: we cancelled the date, and you have not chosen yet.'
            : 'This amount cannot be paid by card. Please pay by bank transfer, as the enrolment’s page says.'}
        </p>
      )}
    </ActPage>
  );
}
