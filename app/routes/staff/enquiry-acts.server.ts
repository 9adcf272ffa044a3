import { type Act, actOnEnquiry } from '#app/features/enquiries/act.server.ts';
import { type ActValues, actForm } from '#app/features/enquiries/desk-schema.ts';
import { stateLabels } from '#app/features/enquiries/inbox.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { type DeskResult, takeDeskForm } from '#app/http/desk-form.server.ts';

/** Takes one of the forms of an enquiry's page for staff and stores what it says. */
export function takeAct(
  { db, forms, academy }: Academy,
  { form, reference, actor }: { form: FormData | null; reference: string; actor: StaffActor },
): Promise<DeskResult> {
  return takeDeskForm({
    form,
    schema: actForm,
    subject: 'enquiry',
    act(values, { seen, idempotencyKey }) {
      const acting = { reference, actor, at: forms.trueNow(), seen, idempotencyKey, academy: academy() };
      return db.transaction().execute((trx) => actOnEnquiry(trx, actOf(values), acting));
    },
    otherDid({ kind, state }) {
      const label = Object.entries(stateLabels).find(([name]) => name === state)?.[1];
      return { did: kind === 'answer' ? 'answered this' : `set this to ${label}`, where: '"What happened"' };
    },
  });
}

function actOf(values: ActValues): Act {
  if (values.act === 'state') return { kind: 'state', state: values.state };
  return values.act === 'answer' ? { kind: 'answer', body: values.answer } : { kind: 'note', body: values.note };
}
