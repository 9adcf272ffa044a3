import { changesBetween } from '#app/audit/changes.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Cents } from '#app/lib/money.ts';
import { openInvoices } from './accounts.server.ts';
import { checkInstalments, type Instalment, type NotAgreed } from './instalment-rules.ts';
import type { OpenInvoice } from './open-invoice.ts';

type Agreement = {
  enrolmentId: number;
  /** The tax invoice that is open; one that replaces it later is paid by the same instalments. */
  invoiceId: number;
  instalments: readonly Instalment[];
  actor: Actor;
};

/**
 * The amount of an invoice that can be paid by instalments, in cents: the open amount without places whose buyer still
 * has a choice (P40).
 */
export const divisible = ({ openCents, choosingCents }: Pick<OpenInvoice, 'openCents' | 'choosingCents'>): Cents =>
  openCents - choosingCents;

/**
 * Agrees with a buyer on instalments for an open invoice (P83), in place of its due date or of earlier instalments;
 * they add up to the open amount. The enrolment is locked. `before` is the agreement until now.
 */
export async function agreeInstalments(
  trx: Trx,
  { enrolmentId, invoiceId, instalments, actor }: Agreement,
  { now, today }: Pick<Moment, 'now' | 'today'>,
): Promise<{ ok: true; invoice: OpenInvoice } | NotAgreed | { ok: false; reason: 'not-open' }> {
  requirePermission(actor, 'money:agree');
  const invoice = await openOf(trx, enrolmentId, invoiceId);
  if (!invoice || divisible(invoice) <= 0) return { ok: false, reason: 'not-open' };
  const refused = checkInstalments(instalments, { openCents: divisible(invoice), today });
  if (refused) return refused;
  await endAgreed(trx, invoice.debt, now);
  await trx
    .insertInto('instalments')
    .values(
      instalments.map(({ dueOn, cents }, at) => ({
        enrolment_id: enrolmentId,
        debt: invoice.debt,
        position: at + 1,
        due_on: dueOn,
        amount_cents: cents,
        agreed_at: now,
        agreed_by: personIdOf(actor),
      })),
    )
    .execute();
  const after = await openOf(trx, enrolmentId, invoiceId);
  if (!after) throw new Error(`invoice ${invoiceId} is open no more`);
  return { ok: true, invoice: after };
}

/** Ends the agreement on an invoice: its own due date holds again. False when there was none. */
export async function endInstalments(
  trx: Trx,
  { enrolmentId, invoiceId, actor }: Omit<Agreement, 'instalments'>,
  { now }: Pick<Moment, 'now'>,
): Promise<OpenInvoice | null> {
  requirePermission(actor, 'money:agree');
  const invoice = await openOf(trx, enrolmentId, invoiceId);
  if (!invoice || !(await endAgreed(trx, invoice.debt, now))) return null;
  return (await openOf(trx, enrolmentId, invoiceId)) ?? null;
}

/** The agreed instalments of an enrolment by debt, in order. */
export async function agreedOf(db: Db, enrolmentId: number): Promise<Map<number, (Instalment & { id: number })[]>> {
  const rows = await db
    .selectFrom('instalments')
    .select(['id', 'debt', 'due_on', 'amount_cents'])
    .where('enrolment_id', '=', enrolmentId)
    .where('ended_at', 'is', null)
    .orderBy('debt')
    .orderBy('position')
    .execute();
  const agreed = new Map<number, (Instalment & { id: number })[]>();
  for (const { id, debt, due_on: dueOn, amount_cents: cents } of rows) {
    agreed.set(debt, [...(agreed.get(debt) ?? []), { id, dueOn, cents }]);
  }
  return agreed;
}

/** The fields of instalments that differ from those before, for the audit (P69). */
export function instalmentChanges(before: readonly Instalment[], after: readonly Instalment[]) {
  const fields = (some: readonly Instalment[]) =>
    Object.fromEntries(
      some.flatMap(({ dueOn, cents }, at) => [
        [`dueOn of ${at + 1}`, dueOn],
        [`cents of ${at + 1}`, cents],
      ]),
    );
  return changesBetween(fields(before), fields(after));
}

const openOf = async (trx: Trx, enrolmentId: number, invoiceId: number) =>
  (await openInvoices(trx, enrolmentId)).find(({ id }) => id === invoiceId);

async function endAgreed(trx: Trx, debt: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('instalments')
    .set({ ended_at: at })
    .where('debt', '=', debt)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
