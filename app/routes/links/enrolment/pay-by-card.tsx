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
            {opening === String(payment.cents) ? 'Opening' : wordsOf(payment, { alone: payments.length === 1, today })}
          </button>
        ))}
      </div>
      <p className="mt-2 text-mute">At Stripe, our payment provider. We never see the number of your card.</p>
    </Form>
  );
}

function wordsOf({ cents, dueOn }: CardPayment, { alone, today }: { alone: boolean; today: Day }): string {
  if (dueOn === null) return `Pay ${alone ? '' : 'all '}${formatMoney(cents)} by card`;
  return `Pay ${formatMoney(cents)}, ${dueOn < today ? 'overdue' : `due by ${formatDay(dueOn)}`}, by card`;
}
