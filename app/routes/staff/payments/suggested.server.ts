import { z } from 'zod';
import { lastEntry } from '#app/audit/history.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { acceptSuggestions, type Unmatched, unmatchedPayments } from '#app/features/money/suggestions.server.ts';
import { keyOf, keyPattern, type Suggestion } from '#app/features/money/suggestions.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { common, type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { shortDate } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';

type Asked = { form: FormData | null; actor: StaffActor };

const key = z.string().regex(keyPattern);
const paymentId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const acceptForm = z.object({ ...common, payment: paymentId, key });

/** Accepts one suggestion as the page showed it; refused when it has become wrong meanwhile (P83). */
export function takeSuggestion(academy: Academy, { form, actor }: Asked): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: acceptForm,
    subject: `payment:${textsOf(form).payment ?? ''}`,
    actor,
    async act(trx, { payment, key }, { now }) {
      const wanted = [{ paymentId: payment, key }];
      const { accepted } = await acceptSuggestions(trx, { wanted, sureOnly: false, actor, at: now });
      if (accepted.length > 0) return { ok: true, did: null };
      const fault =
        'This suggestion has become wrong: the payment has an enrolment by now, or what is owed has changed. The list shows what fits now.';
      return { ok: false, reason: 'refused', fault };
    },
  });
}

/** Payments that one page looks at. */
const most = 50;

/** Where a page of sure suggestions begins, and the payments that were left out of it. */
export type SurePage = { before: number | null; without: readonly number[] };

/** The sure suggestions among the latest payments without an enrolment, and their sum. */
export async function readSure(db: Db, actor: StaffActor, { before, without }: SurePage) {
  requirePermission(actor, 'money:read');
  const { payments, next } = await unmatchedPayments(db, { before, most });
  const sure = payments.flatMap((payment) => {
    const suggestion = payment.suggestions.find((one) => one.sure);
    return suggestion && !without.includes(payment.id) ? [{ payment, suggestion }] : [];
  });
  return {
    seen: await lastEntry(db),
    looked: payments.length,
    next,
    total: formatExact(sure.reduce((sum, { payment }) => sum + payment.amountCents, 0)),
    picks: sure.map(({ payment, suggestion }) => `${payment.id} ${keyOf(suggestion)}`).join('; '),
    rows: sure.map(({ payment, suggestion }) => ({
      ...shownUnmatched(payment),
      suggestion: shownSuggestion(suggestion),
    })),
  };
}

const picks = z
  .string()
  .max(40_000)
  .transform((text, wrong) => {
    const lines = text.split('; ').map((line) => /^(\d{1,15}) (.+)$/.exec(line));
    const read = lines.map((line) => ({ id: Number(line?.[1]), key: key.safeParse(line?.[2]).data ?? '' }));
    if (read.length > most || read.some(({ key }) => key === ''))
      wrong.addIssue('These suggestions cannot be read. Open the page again.');
    return read.map((one) => ({ paymentId: one.id, key: one.key }));
  });

const acceptAllForm = z.object({ ...common, picks });

/** Accepts the suggestions that the page showed as sure; suggestions that are no longer sure are left out. */
export async function takeSure(
  academy: Academy,
  { form, actor }: Asked,
): Promise<{ result: StaffFormResult; accepted: number; changed: number }> {
  let counts = { accepted: 0, changed: 0 };
  const result = await takeStaffAct(academy, {
    form,
    schema: acceptAllForm,
    subject: 'payments:suggested',
    actor,
    compares: false,
    async act(trx, { picks }, { now }) {
      const { accepted, changed } = await acceptSuggestions(trx, { wanted: picks, sureOnly: true, actor, at: now });
      if (accepted.length === 0) {
        const fault = 'None of these suggestions holds any more. The list shows what fits now.';
        return { ok: false, reason: 'refused', fault };
      }
      counts = { accepted: accepted.length, changed: changed.length };
      return { ok: true, did: { action: 'accept-suggestions', details: counts } };
    },
  });
  return { result, ...counts };
}

const shownUnmatched = ({ id, amountCents, receivedOn, words }: Unmatched) => ({
  id,
  amount: formatExact(amountCents),
  day: shortDate(receivedOn),
  words: showControlCharacters(words),
});

/** A suggestion in words, and the text by which a form names it. */
export function shownSuggestion(suggestion: Suggestion) {
  const { shares, reasons, sure } = suggestion;
  return {
    key: keyOf(suggestion),
    shares: shares.map(({ reference, cents, invoices }) => ({
      reference,
      text: `${invoices.join(', ')}${shares.length > 1 ? `: ${formatExact(cents)}` : ''}`,
    })),
    reasons: showControlCharacters(`${reasons.join('. ')}.`),
    sure,
  };
}
export type ShownSuggestion = ReturnType<typeof shownSuggestion>;
