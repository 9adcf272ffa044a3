import { Form, href, useNavigation } from 'react-router';
import type { CardPayment } from '#app/features/money/open-invoice.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';

type Props = {
  /** The amounts to choose from, the part that is due first before everything; none: nothing can be paid by card. */
  payments: readonly CardPayment[];
  today: Day;
  token: string;
};

/** Leads to Stripe, where the card is typed in (P29). */
export function PayByCard({ payments, today, token }: Props) {
  const path = href('/enrolment/:token/card', { token });
  const { state, formAction, formData } = useNavigation();
  if (payments.length === 0) return null;
  const [first] = payments.flatMap(({ cents, dueOn }) => (dueOn === null ? [] : [{ cents, dueOn }]));
  const opening = state === 'submitting' && formAction === path ? String(formData?.get('shown')) : null;
  return (
    <Form method="post" action={path} className="no-print mt-5">
      <div className="flex flex-wrap gap-3">
        {payments.map((payment, at) => (
          <button
            key={payment.cents}
            type="submit"
            name="shown"
            value={payment.cents}
            disabled={opening !== null}
            className={at === 0 ? button.primary : button.quiet}
          >
            {opening === String(payment.cents)
              ? 'Opening'
              : `Pay ${at > 0 ? 'all ' : ''}${formatMoney(payment.cents)} by card`}
          </button>
        ))}
      </div>
      {first && (
        <p className="mt-2">
          {formatMoney(first.cents)} {first.dueOn < today ? 'is due now' : `is due by ${formatDay(first.dueOn)}`}.
        </p>
      )}
      <p className="mt-2 text-mute">At Stripe, our payment provider. We never see the number of your card.</p>
    </Form>
  );
}
