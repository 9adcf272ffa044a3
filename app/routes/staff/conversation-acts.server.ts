import { type Act, actOnConversation } from '#app/features/conversations/act.server.ts';
import { type ActValues, actForm } from '#app/features/conversations/schema.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { type DeskResult, takeDeskForm } from '#app/http/desk-form.server.ts';
import type { Forms } from '#app/http/forms.server.ts';

/** Takes one of the forms of a conversation's page for staff and stores what it says. */
export function takeAct(
  { db, trueNow }: Pick<Forms, 'db' | 'trueNow'>,
  { form, conversationId, actor }: { form: FormData | null; conversationId: number; actor: StaffActor },
): Promise<DeskResult> {
  return takeDeskForm({
    form,
    schema: actForm,
    subject: 'conversation',
    act(values, { seen, idempotencyKey }) {
      const acting = { conversationId, actor, at: trueNow(), seen, idempotencyKey };
      return db.transaction().execute((trx) => actOnConversation(trx, actOf(values), acting));
    },
    otherDid({ kind }) {
      const did = { answer: 'answered', closed: 'closed this', opened: 'opened this again' }[kind] ?? 'changed this';
      return { did, where: 'the messages' };
    },
  });
}

function actOf(values: ActValues): Act {
  if (values.act === 'answer') return { kind: 'answer', body: values.answer };
  return values.act === 'note' ? { kind: 'note', body: values.note } : { kind: values.act };
}
