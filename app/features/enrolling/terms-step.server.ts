import type { Quote } from '#app/features/money/pricing.ts';
import type { Agreement } from '#app/features/site/agreement.ts';
import type { Choice } from './choice.ts';
import { sendCodeFor } from './code-step.server.ts';
import { saveDraft } from './drafts.server.ts';
import type { StepForm } from './step-form.ts';
import { stepPath } from './steps.ts';

type Accepting = { choice: Choice; quote: Quote; agreement: Agreement };

/** What acceptance of the terms is bound to: other dates or another price have another ladder of refunds (P31). */
export function termsKey({ choice, quote, agreement }: Accepting): string {
  return JSON.stringify([agreement.terms.id, choice, quote.totalCents, agreement.ladder.id]);
}

/** The terms. Accepting them is stored and mails the code, unless the address is confirmed already. */
export const termsStep: StepForm = {
  isComplete: ({ terms }) => terms !== null,
  async take(trx, academy, { values, refuse, opened, address, token }) {
    const { draft, choice, quote, payer, agreement } = opened;
    if (!choice || !quote || !payer) return { ok: true, to: stepPath(token, opened.reached) };
    if (values.accepted !== 'on') {
      return refuse(400, {
        errors: { accepted: 'Tick the box if you accept the terms; without them we cannot enrol you.' },
      });
    }
    // The buyer accepted the terms on the page; dates or prices may have changed since.
    if (values.of !== termsKey({ choice, quote, agreement })) {
      return refuse(
        409,
        'The dates, the price or the terms have changed since this page was opened. The current ones are below. Please read them and tick the box again.',
      );
    }
    await saveDraft(trx, draft.id, { terms: { accepted: 'on', of: values.of } }, academy.clock.now());
    if (opened.confirmed) return { ok: true, to: stepPath(token, 'review') };
    const sent = await sendCodeFor(trx, academy, { opened, address });
    const refused = sent === 'limit' || sent === 'network';
    return { ok: true, to: `${stepPath(token, 'code')}${refused ? `?code=${sent}` : ''}` };
  },
};
