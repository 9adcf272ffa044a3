import { Form, href, useNavigation } from 'react-router';
import { type Cents, formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';

type Props = {
  owedCents: Cents;
  token: string;
};

/** Leads to Stripe, where the card is typed in (P29). */
export function PayByCard({ owedCents, token }: Props) {
  const path = href('/enrolment/:token/card', { token });
  const { state, formAction } = useNavigation();
  const busy = state === 'submitting' && formAction === path;
  return (
    <Form method="post" action={path} className="no-print mt-5">
      <input type="hidden" name="shown" value={owedCents} />
      <button type="submit" disabled={busy} className={button.primary}>
        {busy ? 'Opening' : `Pay ${formatMoney(owedCents)} by card`}
      </button>
      <p className="mt-2 text-mute">At Stripe, our payment provider. We never see the number of your card.</p>
    </Form>
  );
}
