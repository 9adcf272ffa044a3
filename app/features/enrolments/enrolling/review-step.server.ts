import type { Trx } from '#app/db/client.server.ts';
import type { Quote } from '#app/features/money/pricing.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { sixDigits } from '#app/lib/six-digits.ts';
import type { FieldErrors, FormValues } from '#app/ui/form-state.ts';
import { type Choice, type ProductToChoose, staysTentative } from './choice.ts';
import { takeMeant, withMeantAddress } from './did-you-mean.ts';
import { type Draft, lockDraft, saveEnrolmentDraft } from './drafts.server.ts';
import {
  buyerCodeMinutes,
  type CodeResult,
  readCode,
  sendCode,
  tryCode,
  wasCodeSentElsewhere,
} from './email-codes.server.ts';
import { readPayer } from './schema.ts';
import type { SentStep, StepForm } from './step-form.ts';
import { stepPath } from './steps.ts';

type Accepting = { product: ProductToChoose; choice: Choice; quote: Quote; termsId: number };

/**
 * The facts to which acceptance of the terms is bound: other dates or prices have other refunds (P31). For each date
 * its days, hours and place as the page showed them, because staff may change them since, and whether cancelling is
 * free for now.
 */
export function termsKey({ product, choice, quote, termsId }: Accepting): string {
  const dates = choice.choices.flatMap((one) => {
    const all = product.courses.flatMap((course) => course.dates);
    const date = one.way === 'date' && all.find(({ courseDateId }) => courseDateId === one.courseDateId);
    return date ? [[date.shown, staysTentative(date, choice.attendees)]] : [];
  });
  return JSON.stringify([termsId, choice, quote.totalCents, dates]);
}

/** Terms, the code and the button that places. The button is taken by `placeDraft`; here are the others. */
export const reviewStep: StepForm = {
  // The box stays ticked while the buyer asks for another code; `of` are the facts for which it was ticked.
  fields: () => ['accepted', 'of'],
  isComplete: () => false,
  enter: sendFirstCode,
  async take(trx, academy, { values, opened, address, token }) {
    const { draft, payer } = opened;
    const here = stepPath(token, opened.reached);
    if (!payer) return { ok: true, to: here };
    if (values.intent === takeMeant) {
      const meant = withMeantAddress(draft.payer);
      await saveEnrolmentDraft(trx, draft.id, { payer: meant }, academy.clock.now());
      const query = await sendFirstCode(trx, academy, { draft: { ...draft, payer: meant }, address });
      return { ok: true, to: `${here}${query}` };
    }
    if (values.intent !== 'again' || opened.confirmed) return { ok: true, to: here };
    const sent = await sendCode(trx, academy, { draftId: draft.id, email: payer.buyer.email, address });
    return { ok: true, to: `${here}?code=${sent}` };
  },
};

type Sending = Pick<SentStep, 'address'> & { draft: Draft };

/**
 * Mails a code to the buyer's address unless it is confirmed or a code that was sent to it still holds. The query says
 * when a code went to another address before, or when none could be sent.
 */
async function sendFirstCode(trx: Trx, academy: Academy, { draft, address }: Sending): Promise<string> {
  const payer = readPayer(draft.payer);
  if (!payer.ok) return '';
  const { email } = payer.data.buyer;
  if (draft.confirmedEmail === email) return '';
  const last = await readCode(trx, { draftId: draft.id, email, at: academy.clock.now() });
  if (last?.holds) return '';
  const changed = await wasCodeSentElsewhere(trx, { draftId: draft.id, email });
  const sent = await sendCode(trx, academy, { draftId: draft.id, email, address });
  if (sent === 'network') return '?code=network';
  return changed ? '?code=changed' : '';
}

type Signing = Accepting & { draft: Draft; email: string; values: FormValues };

/**
 * The reasons why a draft cannot be placed yet: by field, and whether the page showed terms that have changed. The
 * status is 400 when something was not filled in, 409 when a filled-in value is no longer valid.
 */
export type NotSigned = { ok: false; status: 400 | 409; errors: FieldErrors; changed: boolean };

/**
 * Takes what the last step asks for besides its button: the terms as they hold now (P31) and the code of the buyer's
 * address (P28). Both are asked every time, so that all faults are shown at once; a right code is not asked for again.
 */
export async function signDraft(
  trx: Trx,
  { forms, clock }: Academy,
  { draft, email, values, ...accepting }: Signing,
): Promise<{ ok: true } | NotSigned> {
  const at = clock.now();
  const errors: FieldErrors = {};
  let status: NotSigned['status'] = 400;
  // The button pressed twice: the second waits, and sees that the first one used the code.
  let confirmed = (await lockDraft(trx, draft.id)) === email;
  const code = sixDigits(values.code ?? '');
  if (!confirmed && code === null) errors.code = 'Enter the six digits of the code from the email.';
  else if (!confirmed && code !== null) {
    const result = await tryCode(trx, { draftId: draft.id, email, code, secret: forms.secret, at });
    if (!result.ok) [errors.code, status] = [refusedCode(result), 409];
    confirmed = result.ok;
  }
  // A page of before the terms stood beside the button: they were accepted in a step of their own.
  const { accepted, of = '' } = values.of === undefined ? draft.review : values;
  const changed = accepted === 'on' && of !== termsKey(accepting);
  if (changed) status = 409;
  if (accepted !== 'on') errors.accepted = 'Tick the box if you accept the terms; without them we cannot enrol you.';
  const review: FormValues = accepted === 'on' && !changed ? { accepted, of } : {};
  await saveEnrolmentDraft(trx, draft.id, { review, ...(confirmed && { confirmedEmail: email }) }, at);
  return changed || Object.keys(errors).length > 0 ? { ok: false, status, errors, changed } : { ok: true };
}

/** Why a code of six digits is refused. */
export function refusedCode(result: Exclude<CodeResult, { ok: true }>): string {
  return result.reason === 'wrong'
    ? `This code does not match. ${result.triesLeft === 1 ? '1 try' : `${result.triesLeft} tries`} left.`
    : `This code no longer works: each one works for ${buyerCodeMinutes} minutes and five tries. Press “Send a new code”.`;
}
