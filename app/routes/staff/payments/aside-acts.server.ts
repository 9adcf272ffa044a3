import { z } from 'zod';
import { bringPaymentBack, type SetAside, setPaymentAside } from '#app/features/money/payments-to-review.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';

const asideForm = z.discriminatedUnion('act', [
  z.looseObject({ ...common, act: z.literal('set-aside'), why: requiredLine('what it is', 200) }),
  z.looseObject({ ...common, act: z.literal('bring-back') }),
]);

/** Whether a form sets a payment aside or brings it back. */
export const isAsideForm = (form: FormData | null): boolean =>
  ['set-aside', 'bring-back'].includes(String(form?.get('act') ?? ''));

/** Sets a payment aside, or brings it back. */
export function takeAside(
  academy: Academy,
  { form, actor, paymentId }: { form: FormData | null; actor: StaffActor; paymentId: number },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: asideForm,
    subject: `payment:${paymentId}`,
    actor,
    async act(trx, values, { now: at }): Promise<ActDone | Refused | { ok: false; reason: 'missing' }> {
      const by = { paymentId, actor, at };
      const done =
        values.act === 'set-aside'
          ? await setPaymentAside(trx, { ...by, why: values.why })
          : await bringPaymentBack(trx, by);
      if (done.ok) return { ok: true, did: null };
      if (done.reason === 'missing') return { ok: false, reason: 'missing' };
      return { ok: false, reason: 'refused', fault: inWords(done.reason) };
    },
  });
}

function inWords(reason: Exclude<Extract<SetAside, { ok: false }>['reason'], 'missing'>): string {
  return reason === 'changed'
    ? 'Somebody did this already. The page shows how it is now.'
    : 'A part of this payment is for an enrolment or was refunded, so it cannot be set aside.';
}
