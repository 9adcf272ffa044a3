import { randomUUID } from 'node:crypto';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import type { Forms } from '#app/http/forms.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { type Act, type ActResult, actOnConversation } from './act.server.ts';
import { type ActValues, actForm } from './schema.ts';
import { textsOf } from './submit.server.ts';

type DeskStatus = 400 | 404 | 409 | 503;
type DeskResult = { ok: true } | { ok: false; status: DeskStatus; form: FormState };

/** The forms of a conversation's page. The value `seen` is the last thing staff did, notes apart; 0 for none. */
export function freshDesk(seen: number): FormState {
  return { values: { seen: String(seen) }, errors: {}, fault: null, heading: 'Not sent yet', token: randomUUID() };
}

/**
 * Takes one of the forms of a conversation's page and stores what it says. Every refusal keeps what was typed and says
 * what to do; of two members of staff who answer at once, the second is told who was first.
 */
export async function takeAct(
  { db, trueNow }: Pick<Forms, 'db' | 'trueNow'>,
  { form, conversationId, staff }: { form: FormData | null; conversationId: number; staff: { id: number } },
): Promise<DeskResult> {
  const typed = textsOf(form);
  const seen = Number(typed.seen) || 0;
  const refuse = (status: DeskStatus, changes: Partial<FormState>, nowSeen = seen): DeskResult => {
    const fresh = freshDesk(nowSeen);
    return { ok: false, status, form: { ...fresh, values: { ...typed, ...fresh.values }, ...changes } };
  };
  const parsed = actForm.safeParse(typed);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = String(issue?.path[0]);
    if (issue && ['answer', 'note'].includes(field)) return refuse(400, { errors: { [field]: issue.message } });
    return refuse(400, { fault: unreadable });
  }
  const idempotencyKey = parsed.data[tokenField];
  try {
    const acting = { conversationId, staff, at: trueNow(), seen, idempotencyKey };
    const result = await db.transaction().execute((trx) => actOnConversation(trx, actOf(parsed.data), acting));
    if (result.ok) return { ok: true };
    if (result.reason === 'missing') return refuse(404, { fault: missing });
    return refuse(409, { fault: meanwhile(result) }, result.seen);
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return refuse(503, { heading: 'Not confirmed yet', fault: away, token: idempotencyKey });
  }
}

function actOf(values: ActValues): Act {
  if (values.act === 'answer') return { kind: 'answer', body: values.answer };
  return values.act === 'note' ? { kind: 'note', body: values.note } : { kind: values.act };
}

const unreadable = 'What arrived here was not a whole form. Nothing was stored. Please send it once more.';
const missing =
  'This conversation was erased meanwhile. Nothing was sent or stored, and what you wrote is still below.';
const away =
  'We could not confirm that this was stored: our database is away. What you wrote is still below. Send it again in a few minutes; if it did arrive, the repeat is recognised and nothing is sent twice.';

function meanwhile({ by, at, kind }: Extract<ActResult, { reason: 'meanwhile' }>): string {
  const did = { answer: 'answered', closed: 'closed this', opened: 'opened this again' }[kind] ?? 'changed this';
  return `${by} ${did} meanwhile, on ${formatMoment(at)}; see the messages. Nothing was sent or stored, and what you wrote is still below. Send it again if it is still wanted.`;
}
