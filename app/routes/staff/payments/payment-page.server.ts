import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { findReference } from '#app/features/enrolments/queries.server.ts';
import { accountsOf, matchWords } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { type Divided, dividePayment, readArrival } from '#app/features/money/divide-payment.server.ts';
import { readRefunds } from '#app/features/money/payments.server.ts';
import { unmatchedPayments } from '#app/features/money/suggestions.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  readHistory,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import { amountField } from '#app/routes/staff/enrolments/enrolment-forms.ts';
import type { FieldErrors } from '#app/ui/form-state.ts';
import { noSuchEnrolment } from './payments.server.ts';
import { mostShares } from './share-fields.ts';

/** The page of a payment: the arrived amount, its enrolments, its refunds, and its history. */
export async function readPayment(db: Db, actor: StaffActor, paymentId: number) {
  requirePermission(actor, 'money:read');
  const arrival = await readArrival(db, paymentId);
  if (!arrival) return undefined;
  const { root, pieces } = arrival;
  const accounts = await accountsOf(
    db,
    pieces.flatMap(({ enrolment_id }) => enrolment_id ?? []),
  );
  const refunds = await readRefunds(
    db,
    pieces.map(({ id }) => id),
  );
  return {
    ...arrival,
    pieces: pieces.map((piece) => {
      const account = accounts.get(piece.enrolment_id ?? 0);
      return {
        ...piece,
        balanceCents: account ? balanceOf(account) : null,
        refunds: refunds.filter(({ payment_id }) => payment_id === piece.id),
      };
    }),
    suggested: pieces.every(({ enrolment_id }) => enrolment_id === null) ? await suggest(db, root.words ?? '') : [],
    suggestions: (await unmatchedPayments(db, { ids: [root.id] })).payments.flatMap(({ suggestions }) => suggestions),
    history: await readHistory(db, actor, `payment:${root.id}`),
  };
}

/** The enrolments that the words of a payment name, with their balances. */
async function suggest(db: Db, words: string): Promise<{ reference: string; owedCents: Cents }[]> {
  const [match] = await matchWords(db, [words]);
  const named = match?.kind === 'several' ? match.enrolments : match?.kind === 'one' ? [match.enrolment] : [];
  const accounts = await accountsOf(
    db,
    named.map(({ id }) => id),
  );
  return named.slice(0, mostShares).map(({ id, reference }) => {
    const account = accounts.get(id);
    return { reference, owedCents: account ? Math.max(0, balanceOf(account)) : 0 };
  });
}

const divideForm = z.looseObject({ ...common, act: z.literal('divide') });

/** Divides a payment among enrolments again; with all fields empty, among none. */
export function takeDivision(
  academy: Academy,
  { form, actor, paymentId }: { form: FormData | null; actor: StaffActor; paymentId: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: divideForm,
    subject: `payment:${paymentId}`,
    actor,
    async act(trx, _, { now }): Promise<ActDone | Refused | { ok: false; reason: 'missing' }> {
      const read = await readShares(trx, textsOf(form));
      if (!read.ok) return { ok: false, reason: 'refused', errors: read.errors };
      const divided = await dividePayment(trx, { paymentId, shares: read.shares, actor, at: now });
      if (divided.ok) return { ok: true, did: null };
      if (divided.reason === 'missing') return { ok: false, reason: 'missing' };
      return { ok: false, reason: 'refused', fault: await inWords(trx, divided) };
    },
  });
}

type Shares = { ok: true; shares: Map<number, Cents> } | { ok: false; errors: FieldErrors };

async function readShares(db: Db, texts: Record<string, string>): Promise<Shares> {
  const rows = [...Array(mostShares).keys()].map((at) => ({
    at,
    to: (texts[`to${at}`] ?? '').trim(),
    amount: (texts[`amount${at}`] ?? '').trim(),
  }));
  const filled = rows.filter(({ to, amount }) => to !== '' || amount !== '');
  const matches = await matchWords(
    db,
    filled.map(({ to }) => to),
  );
  const shares = new Map<number, Cents>();
  const errors: FieldErrors = {};
  for (const [index, { at, amount }] of filled.entries()) {
    const match = matches[index];
    const cents = amountField.safeParse(amount);
    if (match?.kind !== 'one') errors[`to${at}`] = noSuchEnrolment;
    if (!cents.success) errors[`amount${at}`] = cents.error.issues[0]?.message ?? 'Enter an amount.';
    if (match?.kind !== 'one' || !cents.success) continue;
    shares.set(match.enrolment.id, (shares.get(match.enrolment.id) ?? 0) + cents.data);
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, shares };
}

async function inWords(db: Db, divided: Exclude<Divided, { ok: true } | { reason: 'missing' }>): Promise<string> {
  switch (divided.reason) {
    case 'too-much':
      return `Only ${formatExact(divided.arrivedCents)} arrived.`;
    case 'refunded': {
      const reference = await findReference(db, divided.enrolmentId ?? 0);
      const where = reference ? `for ${reference}` : 'without an enrolment';
      return `${formatExact(divided.sentCents)} of this payment was refunded, so leave at least that much ${where}.`;
    }
    case 'by-card':
      return 'You cannot divide a card payment: it belongs to one enrolment or to none.';
    case 'not-ours':
      return 'This payment was set aside, or is not in Australian dollars, so you cannot assign it to an enrolment.';
    case 'changed':
      return 'Someone changed this payment just now. Check the page, then send it again.';
  }
}
