import { findLink } from '#app/features/enrolments/links.server.ts';
import { cardReturnPath } from '#app/features/enrolments/paths.ts';
import { startCheckout } from '#app/features/money/card/checkouts.server.ts';
import type { Stripe } from '#app/features/money/card/stripe.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';

/** Takes the form "Pay … by card" of a buyer's page and says where the card is typed in. */
export function payByCard(
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
