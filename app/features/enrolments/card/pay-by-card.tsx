import { Form, href, useNavigation } from 'react-router';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';

type Props = {
  owedCents: Cents;
  token: string;
  /** The buyer came back from Stripe, and may have paid: the same payment page is offered, less loudly. */
  goOn?: boolean;
};

/** Leads to Stripe, where the card is typed in (P29). */
export function PayByCard({ owedCents, token, goOn = false }: Props) {
  const path = href('/enrolment/:token/card', { token });
  const { state, formAction } = useNavigation();
  const busy = state === 'submitting' && formAction === path;
  return (
    <Form method="post" action={path} className="no-print mt-5">
      <input type="hidden" name="shown" value={owedCents} />
      <button type="submit" disabled={busy} className={goOn ? button.quiet : button.primary}>
        {busy ? 'Opening' : goOn ? 'Back to the payment page' : `Pay ${formatMoney(owedCents)} by card`}
      </button>
      <p className="mt-2 text-mute">
        {goOn
          ? 'If you left it before you had paid.'
          : 'At Stripe, our payment provider. We never see the number of your card.'}
      </p>
    </Form>
  );
}
