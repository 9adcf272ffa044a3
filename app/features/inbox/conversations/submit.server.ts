import { randomUUID } from 'node:crypto';
import { busyText } from '#app/http/database-away.server.ts';
import { countAttempt } from '#app/http/form-limit.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { type Forms, type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import { blankForm, type Refusal, takeForm, Undone } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { type FormState, tokenField } from '#app/ui/form-state.ts';
import { addVisitorMessage, mostMessages, startConversation } from './commands.server.ts';
import { findByToken, tokenOfForm } from './links.server.ts';
import { messageForm, parseStartForm, type StartForm, startFields } from './schema.ts';

/**
 * Takes the form that opens a conversation; what `takeVisitorForm` says of refusals holds. The reference it gives back is the
 * token of the private link.
 */
export function submitStart(
  forms: Forms,
  { form, address, about }: { form: FormData | null; address: string; about: string | null },
): Promise<SubmitResult> {
  return takeVisitorForm<StartForm>(
    forms,
    { form, address },
    {
      name: 'chat',
      fields: startFields,
      parse: parseStartForm,
      async store(trx, typed, { idempotencyKey, at }) {
        const { secret } = forms;
        const { token, repeat } = await startConversation(trx, { ...typed, about }, { secret, idempotencyKey, at });
        return { reference: token, repeat };
      },
      async findRepeat(trx, _typed, { idempotencyKey }) {
        const token = tokenOfForm(forms.secret, idempotencyKey);
        return (await findByToken(trx, token)) === null ? null : token;
      },
    },
  );
}

/** How many messages a visitor may send in ten minutes. */
const mostInWindow = 30;

/** The visitor's form in a conversation. Who has the private link has shown before that they are no program (P24). */
export const freshMessage = (): FormState => blankForm('Not sent yet', randomUUID());

/** Takes a message of the visitor who has a private link. Every refusal keeps what was typed and says what to do. */
export function submitMessage(
  { db, clock, limit }: Forms,
  { form, token }: { form: FormData | null; token: string },
): Promise<{ ok: true } | Refusal> {
  const fresh = freshMessage();
  const key = textsOf(form)[tokenField] || fresh.token;
  return takeForm({ form, fresh: { ...fresh, token: key }, words }, async (typed, refuse) => {
    const parsed = messageForm.safeParse(typed);
    if (!parsed.success) {
      const issue = parsed.error.issues.find(({ path }) => path[0] === 'message');
      return refuse(
        400,
        issue ? { errors: { message: issue.message } } : { fault: words.unreadable, token: fresh.token },
      );
    }
    const { message: body, [tokenField]: idempotencyKey } = parsed.data;
    const at = clock.now();
    const perVisitor = { ...limit, attempts: mostInWindow };
    return db.transaction().execute(async (trx) => {
      const conversationId = await findByToken(trx, token);
      if (conversationId === null) return refuse(404, words.missing);
      const added = await addVisitorMessage(trx, conversationId, { body, idempotencyKey, at });
      if (!added.ok) return refuse(added.reason === 'full' ? 409 : 404, words[added.reason]);
      if (!added.repeat && !(await countAttempt(trx, perVisitor, `conversation ${conversationId}`, at))) {
        throw new Undone(refuse(429, words.tooMany));
      }
      return { ok: true as const };
    });
  });
}

const kept = 'Nothing was sent, and what you wrote is still below.';
const words = {
  unreadable: 'Part of the form was missing. Nothing was sent. Please write your message again.',
  missing: `This conversation has been deleted. ${kept} To write to us again, start a new chat.`,
  full: `This conversation has ${mostMessages} messages, and holds no more. ${kept} Please start a new chat, or call us.`,
  tooMany: `That was the ${mostInWindow + 1}st message within ten minutes. ${kept} Please wait a few minutes and send it again, or call us.`,
  busy: busyText('What you wrote is still below.'),
  notSaved: `Our system is not available. ${kept} Please send it again in a few minutes.`,
  away: unconfirmedText(
    'that this was saved',
    'What you wrote is still below. Please send it again in a few minutes; if it did arrive, the repeat is recognised and saved once.',
  ),
};
