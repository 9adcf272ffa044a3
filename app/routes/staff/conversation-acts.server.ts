import { type Act, actOnConversation } from '#app/features/inbox/conversations/act.server.ts';
import { type ActValues, actForm } from '#app/features/inbox/conversations/schema.ts';
import { holdIfNobody } from '#app/features/inbox/holds.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { type StaffFormResult, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';

/** Takes the forms on a conversation's page for staff. */
export function takeConversationAct(
  academy: Academy,
  { form, conversationId, actor }: { form: FormData | null; conversationId: number; actor: StaffActor },
): Promise<StaffFormResult> {
  return takeStaffAct(academy, {
    form,
    schema: actForm,
    subject: `conversation:${conversationId}`,
    actor,
    compares: false,
    async act(trx, values, { now }, { seen }) {
      const result = await actOnConversation(trx, actOf(values), { conversationId, actor, at: now, seen });
      if (result.ok && values.act === 'answer') {
        await holdIfNobody(trx, { kind: 'conversation', id: conversationId }, { actor, now });
      }
      if (result.ok) return { ok: true, did: null };
      if (result.reason === 'missing') return result;
      return { ...result, did: didWords[result.kind] ?? 'changed this', where: 'the messages' };
    },
  });
}

const didWords: Record<string, string> = { answer: 'answered', closed: 'closed this', opened: 'opened this again' };

function actOf(values: ActValues): Act {
  return values.act === 'answer' ? { kind: 'answer', body: values.answer } : { kind: values.act };
}
