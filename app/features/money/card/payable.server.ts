import type { Db } from '#app/db/client.server.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { payableByCard } from '#app/features/money/open-invoice.ts';
import { openInvoicesOf } from '#app/features/money/open-invoices.server.ts';
import type { Cents } from '#app/lib/money.ts';

/** What can be paid by card of each enrolment (P29), in cents; zero or less: nothing. */
export async function payableOf(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, Cents>> {
  const accounts = await accountsOf(db, enrolmentIds);
  const open = await openInvoicesOf(db, enrolmentIds);
  return new Map([...accounts].map(([id, account]) => [id, payableByCard(balanceOf(account), open.get(id) ?? [])]));
}

/** The same of one enrolment. */
export const payable = async (db: Db, enrolmentId: number): Promise<Cents> =>
  (await payableOf(db, [enrolmentId])).get(enrolmentId) ?? 0;
