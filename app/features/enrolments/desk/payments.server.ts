import { z } from 'zod';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { paymentsToReview } from '#app/features/enrolments/money/accounts.server.ts';
import { readStatement } from '#app/features/enrolments/money/bank-statement.server.ts';
import { referencesIn } from '#app/features/enrolments/money/invoice-rules.ts';
import { assignPayment } from '#app/features/enrolments/money/payments.server.ts';
import { previewStatement, recordStatement } from '#app/features/enrolments/money/statements.server.ts';
import type { DeskResult, Refused } from '#app/http/desk-form.server.ts';
import { requiredLine, textsOf } from '#app/http/form-texts.ts';
import { type ActDone, type Desk, takeAct } from './act.server.ts';
import { common } from './session-forms.ts';

type Asked = { form: FormData | null; staff: { id: number } };

/** How far back odd payments are listed; payments without an enrolment are listed whenever they came. */
const reviewedMs = 90 * 24 * 60 * 60 * 1000;
const mostRefunds = 200;

/** What the page about money lists: payments to look at, and refunds to be sent with where to. */
export async function readMoney(db: Db, at: Date) {
  const { seen } = await db
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('seen'))
    .executeTakeFirstOrThrow();
  return { seen, odd: await paymentsToReview(db, new Date(at.getTime() - reviewedMs)), refunds: await readRefunds(db) };
}

async function readRefunds(db: Db) {
  const rows = await db
    .selectFrom('enrolment_index')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['enrolments.id', 'reference', 'buyer_name', 'organisation', 'balance_cents'])
    .where('balance_cents', '<', 0)
    .orderBy('enrolment_id')
    .limit(mostRefunds)
    .execute();
  const payments = await db
    .selectFrom('payments')
    .select(['payments.id', 'enrolment_id', 'method', 'amount_cents', 'received_on', 'words'])
    .select((eb) => [
      eb
        .selectFrom('refunds')
        .whereRef('payment_id', '=', 'payments.id')
        .where('refunds.state', '=', 'sent')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('refunds.amount_cents'), eb.lit(0)).as('cents'))
        .as('refunded'),
      eb
        .exists(
          eb
            .selectFrom('refunds')
            .select('refunds.id')
            .whereRef('payment_id', '=', 'payments.id')
            .where('refunds.state', '=', 'failed'),
        )
        .as('failed'),
    ])
    .where('enrolment_id', 'in', [0, ...rows.map(({ id }) => id)])
    .orderBy('payments.id')
    .execute();
  return rows.map(({ id, ...row }) => {
    const its = payments.filter(({ enrolment_id }) => enrolment_id === id);
    const left = its.map((payment) => ({
      ...payment,
      leftCents: payment.amount_cents - Number(payment.refunded ?? 0),
    }));
    return {
      ...row,
      payments: left.filter(({ leftCents }) => leftCents > 0),
      failed: its.some(({ failed }) => failed),
    };
  });
}

/** What recording a bank statement would do; the file is read from the form, or the text in it. Writes nothing. */
export async function previewUpload(desk: Pick<Desk, 'db'>, form: FormData | null) {
  const file = form?.get('file');
  const typed = textsOf(form).statement ?? '';
  const text = file instanceof File && file.size > 0 ? await file.text() : typed;
  const statement = readStatement(text);
  if (!statement.ok) return { ok: false, why: statement.why } as const;
  const lines = await previewStatement(desk.db, statement.lines);
  return { ok: true, text, lines, outgoing: statement.outgoing, faults: statement.faults } as const;
}

const statementForm = z.object({ ...common, statement: z.string() });

/** Records the money of a bank statement that was previewed; the same statement twice changes nothing. */
export function takeStatement(desk: Desk, { form, staff }: Asked): Promise<DeskResult> {
  return takeAct(desk, {
    form,
    schema: statementForm,
    subject: 'payments:statement',
    staff,
    async act(trx, { statement: text }, { at }) {
      const statement = readStatement(text);
      if (!statement.ok) return refused(statement.why);
      const preview = await previewStatement(trx, statement.lines);
      // In one order, so that two who record at once never wait for each other.
      await trx
        .selectFrom('enrolments')
        .select('id')
        .where('id', 'in', [0, ...preview.flatMap(({ enrolment }) => enrolment?.id ?? [])])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute();
      const counts = await recordStatement(trx, statement.lines, { recordedBy: staff.id, at });
      for (const { enrolment, known, amountCents } of preview) {
        if (!enrolment || known) continue;
        const subject = `enrolment:${enrolment.reference}`;
        await writeAuditEntry(trx, {
          at,
          personId: staff.id,
          action: 'record-payment',
          subject,
          details: { cents: amountCents },
        });
      }
      return { ok: true, did: { action: 'record-statement', details: counts } };
    },
  });
}

const assignForm = z.object({
  ...common,
  payment: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  to: requiredLine('the reference of the enrolment or the number of the invoice', 40),
});

/** Says which enrolment a payment is for. */
export function takeAssignment(desk: Desk, { form, staff }: Asked): Promise<DeskResult> {
  const payment = textsOf(form).payment ?? '';
  return takeAct(desk, {
    form,
    schema: assignForm,
    subject: `payment:${payment}`,
    staff,
    async act(trx, { payment: paymentId, to }, { at }): Promise<ActDone | Refused> {
      const { enrolments, invoices } = referencesIn(to);
      const enrolment = await trx
        .selectFrom('enrolments')
        .leftJoin('tax_invoices', 'enrolment_id', 'enrolments.id')
        .select(['enrolments.id', 'reference'])
        .where((eb) => eb.or([eb('reference', 'in', ['', ...enrolments]), eb('number', 'in', [0, ...invoices])]))
        .executeTakeFirst();
      if (!enrolment) {
        const message = 'No enrolment has this reference or invoice number. It looks like BB-7KQ2MX or INV-00042.';
        return { ok: false, reason: 'refused', errors: { to: message } };
      }
      const assigned = await assignPayment(trx, { paymentId, enrolmentId: enrolment.id, recordedBy: staff.id, at });
      if (!assigned) return refused('This payment has an enrolment already.');
      const subject = `enrolment:${enrolment.reference}`;
      await writeAuditEntry(trx, {
        at,
        personId: staff.id,
        action: 'assign-payment',
        subject,
        details: { payment: paymentId },
      });
      return { ok: true, did: null };
    },
  });
}

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
