import { type Act, actOnEnquiry, type NotActed } from '#app/features/inbox/enquiries/act.server.ts';
import { type ActValues, actForm } from '#app/features/inbox/enquiries/act-schema.ts';
import { stateLabels } from '#app/features/inbox/enquiries/inbox.ts';
import { takeBackAnswer } from '#app/features/inbox/enquiries/take-back.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { type StaffFormResult, takeStaffAct, tooLateToTakeBack } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';

/** Takes the forms on an enquiry's page for staff. */
export function takeEnquiryAct(
  academy: Academy,
  { form, reference, actor }: { form: FormData | null; reference: string; actor: StaffActor },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: actForm,
    subject: `enquiry:${reference}`,
    actor,
    compares: false,
    async act(trx, values, { now, academy }, { seen }) {
      if (values.act === 'take-back') {
        const taken = await takeBackAnswer(trx, { reference, mailId: values.mail, actor, at: now });
        if (taken.ok) return { ok: true, did: null };
        if (taken.reason === 'missing') return { ok: false, reason: 'missing' };
        return tooLateToTakeBack;
      }
      const result = await actOnEnquiry(trx, actOf(values), { reference, actor, at: now, seen, academy });
      if (result.ok) return { ok: true, did: null };
      return result.reason === 'missing' ? result : { ...result, did: didOf(result) };
    },
  });
}

function didOf({ kind, state }: Extract<NotActed, { reason: 'meanwhile' }>): string {
  if (kind === 'taken-back') return 'took an answer back';
  const label = Object.entries(stateLabels).find(([name]) => name === state)?.[1];
  return kind === 'answer' ? 'answered this' : `set this to ${label}`;
}

function actOf(values: Exclude<ActValues, { act: 'take-back' }>): Act {
  return values.act === 'state' ? { kind: 'state', state: values.state } : { kind: 'answer', body: values.answer };
}
