import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { CheckoutState } from '#app/features/money/card/checkout-state.server.ts';
import { formatMoney } from '#app/lib/money.ts';

type Props = {
  state: CheckoutState;
  amountCents: number;
  /** The buyer has just come back from Stripe. */
  back: boolean;
};

/** The state of a payment by card. */
export function CardState({ state, amountCents, back }: Props) {
  const [title, text] = said(state, formatMoney(amountCents), back);
  return (
    <div role="status" className="rounded-card border-2 border-action bg-card p-5 sm:p-6">
      <h2 className="text-2xl">{title}</h2>
      <p className="mt-3">{text}</p>
    </div>
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
        `Thank you. Your payment of ${amount} is being confirmed. You don’t need to pay again. It will appear on your enrolment’s page.`,
      ];
    case 'failed':
      return ['The payment did not go through', 'Nothing was charged. You can try again, or pay by bank transfer.'];
    case 'expired':
      return ['The payment page was closed', 'Its time had passed, or the amount had changed. You can start again.'];
    case 'open':
      return back
        ? [
            'We are waiting for Stripe',
            `If you completed the payment of ${amount}, its confirmation can take a minute. It appears here, and on your enrolment's page, so there is no need to pay again. If you left the payment page before you had paid, nothing was charged.`,
          ]
        : ['A payment page is open', `It asks for ${amount}. You can continue there.`];
    case 'unheard':
      return [
        'We are waiting for Stripe',
        `The payment page for ${amount} has closed, and Stripe has not told us yet whether you paid there. If you did, there is no need to pay again: the payment appears on your enrolment's page. If you did not, you can start again; we ask Stripe first, so that you do not pay twice.`,
      ];
    default:
      return ['No payment was started', 'Nothing has been paid by card yet.'];
  }
}

const lookEveryMs = 4000;
const lookTimes = 30;

/** Reads the page again every few seconds for two minutes, as long as it is visible. */
export function useLookAgain(waits: boolean): void {
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
