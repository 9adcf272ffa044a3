import type { Db } from '#app/db/client.server.ts';
import { accountsOf, openInvoicesOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { type CardPayment, cardPayments } from '#app/features/money/open-invoice.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/** The least and the most that Stripe takes in Australian dollars, in cents. */
const leastCents = 50;
const mostCents = 99_999_999;

/** The amounts that Stripe takes. */
export const takenByCard = (payments: readonly CardPayment[]): CardPayment[] =>
  payments.filter(({ cents }) => cents >= leastCents && cents <= mostCents);

/** The amounts that can be paid by card of each enrolment (P29), the part that is due first before everything. */
export async function payableOf(
  db: Db,
  enrolmentIds: readonly number[],
  today: Day,
): Promise<Map<number, CardPayment[]>> {
  const accounts = await accountsOf(db, enrolmentIds);
  const open = await openInvoicesOf(db, enrolmentIds);
  return new Map(
    [...accounts].map(([id, account]) => [
      id,
      takenByCard(cardPayments(balanceOf(account), open.get(id) ?? [], today)),
    ]),
  );
}

/** The same of one enrolment. */
export const payable = async (db: Db, enrolmentId: number, today: Day): Promise<CardPayment[]> =>
  (await payableOf(db, [enrolmentId], today)).get(enrolmentId) ?? [];

/** Whether an amount can be paid. */
export const isPayable = (payments: readonly CardPayment[], cents: Cents): boolean =>
  payments.some((one) => one.cents === cents);
