import { findLink } from '#app/features/enrolments/links.server.ts';
import { cardReturnPath } from '#app/features/enrolments/paths.ts';
import { startCheckout } from '#app/features/money/card/checkouts.server.ts';
import type { Stripe } from '#app/features/money/card/stripe.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { troubleOf } from '#app/http/database-away.server.ts';

type Paid =
  | { ok: true; url: string }
  | { ok: false; status: 404 }
  /** In sentences, with what to do. */
  | { ok: false; status: 409 | 502 | 503; fault: string };

/** Takes the form "Pay … by card" of a buyer's page and says where the card is typed in. */
export async function payByCard(
  { db, forms }: Pick<Academy, 'db' | 'forms'>,
  stripe: Stripe,
  { token, form, baseUrl }: { token: string; form: FormData | null; baseUrl: string },
): Promise<Paid> {
  try {
    const link = await findLink(db, token);
    if (!link || link.attendeeId !== null) return { ok: false, status: 404 };
    const wish = {
      enrolmentId: link.enrolmentId,
      shownCents: Number(form?.get('shown')),
      returnUrl: (returning: string) => baseUrl + cardReturnPath(returning),
    };
    const started = await startCheckout(db, stripe, wish, forms.trueNow());
    if (started.ok) return started;
    return { ok: false, status: started.reason === 'stripe' ? 502 : 409, fault: faults[started.reason] };
  } catch (error) {
    const { fault } = troubleOf(error, {
      away: 'Our database is away. Nothing was charged. Try again in a few minutes.',
      busy: 'Many people are here at the moment. Nothing was charged. Try again in a few seconds.',
    });
    return { ok: false, status: 503, fault };
  }
}

const faults = {
  changed:
    'What is owed has changed since the page was opened. Nothing was charged. The amount below is the one owed now.',
  processing: 'Your bank is still working on an earlier payment by card, so no second one was begun. Look again later.',
  stripe:
    'Our payment provider did not answer as it should. Nothing was charged. Try again in a few minutes, or pay by bank transfer as the enrolment’s page says.',
};
