import type { Trx } from '#app/db/client.server.ts';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { saveDraft } from './drafts.server.ts';
import { codeMinutes, sendCode, tryCode } from './email-codes.server.ts';
import type { SentStep, StepForm } from './step-form.ts';
import { stepPath } from './steps.ts';

/** The code that confirms the buyer's address (P28). */
export const codeStep: StepForm = {
  isComplete: ({ confirmed }) => confirmed,
  async take(trx, academy, { values, refuse: refuseWith, opened, address, token }) {
    const { draft, payer } = opened;
    if (!payer || opened.confirmed) return { ok: true, to: stepPath(token, opened.reached) };
    // A code is not shown again.
    const refuse = (status: 400 | 409, code: string) => refuseWith(status, { values: {}, errors: { code } });
    if (values.intent === 'again') {
      const sent = await sendCodeFor(trx, academy, { opened, address });
      return { ok: true, to: `${stepPath(token, 'code')}?code=${sent}` };
    }
    const code = (values.code ?? '').replaceAll(/[\s-]/g, '');
    if (!/^\d{6}$/.test(code)) return refuse(400, 'Enter the six digits of the code from the email.');
    const at = academy.clock.now();
    const { email } = payer.buyer;
    const result = await tryCode(trx, { draftId: draft.id, email, code, secret: academy.forms.secret, at });
    if (result.ok) {
      await saveDraft(trx, draft.id, { confirmedEmail: email }, at);
      await verifyAddress(trx, email, at);
      return null;
    }
    return refuse(
      409,
      result.reason === 'wrong'
        ? `This is not the code we sent. You can try ${result.triesLeft === 1 ? 'once' : `${result.triesLeft} times`} more.`
        : `None of our codes works now: you can try each one five times within ${codeMinutes} minutes. Send another code below.`,
    );
  },
};

/** Mails a code to the buyer's address. `limit` and `network` say that too many were sent to it, or asked for from there. */
export async function sendCodeFor(
  trx: Trx,
  { forms, clock, academy }: Academy,
  { opened: { draft, payer }, address }: Pick<SentStep, 'opened' | 'address'>,
): Promise<'again' | 'waiting' | 'limit' | 'network'> {
  const email = payer?.buyer.email;
  if (!email) return 'limit';
  const { secret, limit } = forms;
  const at = clock.now();
  const sent = await sendCode(trx, { draftId: draft.id, email, address, secret, limit, academy: academy(), at });
  if (!sent.ok) return sent.reason === 'too-many-of-network' ? 'network' : 'limit';
  return sent.waiting ? 'waiting' : 'again';
}
