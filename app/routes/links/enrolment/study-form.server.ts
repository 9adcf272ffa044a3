import { z } from 'zod';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { handIn, type NotHandedIn, saveAnswerDraft } from '#app/features/study/exercises.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { firstFaults, optionalLine, optionalTextWithin } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';

const typed = z.object({
  act: z.enum(['hand-in', 'draft']),
  answer: optionalTextWithin(20_000),
  link: optionalLine(2000).refine((text) => text === '' || isWebAddress(text), {
    error: 'Enter an address that begins with https:// or http://.',
  }),
});

type Asked = { token: string; placeId: string; module: string; form: FormData | null };

/** Takes the answer to an exercise from the page of a private link (P60): handed in, or kept as a draft. */
export function takeAnswer(academy: Academy, { token, placeId, module, form }: Asked): Promise<{ ok: true } | Refusal> {
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse) => {
    if (!/^\d{1,15}$/.test(placeId) || !/^\d{1,4}$/.test(module)) return refuse(404, {});
    const parsed = typed.safeParse(values);
    if (!parsed.success) return refuse(400, { errors: firstFaults(parsed.error) });
    const { act, answer: body, link } = parsed.data;
    const result = await academy.db.transaction().execute(async (trx) => {
      const owner = await findLink(trx, token);
      if (!owner || owner.attendeeId === null) return null;
      const answer = { attendeeId: owner.attendeeId, placeId: Number(placeId), module: Number(module), body, link };
      return act === 'draft' ? saveAnswerDraft(trx, answer, momentOf(academy)) : handIn(trx, answer, momentOf(academy));
    });
    if (result?.ok) return result;
    if (!result || result.reason === 'no-module') return refuse(404, {});
    const { reason } = result;
    return reason === 'empty' || reason === 'both'
      ? refuse(400, { errors: { answer: refusals[reason] } })
      : refuse(409, refusals[reason]);
  });
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const refusals: Record<Exclude<NotHandedIn['reason'], 'no-module'>, string> = {
  'not-opened': 'Open the module first.',
  'access-over': 'Access to the modules has ended, so nothing more can be handed in.',
  accepted: 'This exercise is accepted already. There is nothing more to hand in.',
  empty: 'Write your answer, or enter a link to it.',
  both: 'Hand in a text or a link, not both.',
  'too-often': 'You have handed in this exercise 50 times. Please write to your instructor.',
};

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  notSaved:
    'Our system is not available, so your answer is not saved yet. It is still below. Please send it again in a few minutes.',
  away: unconfirmedText(
    'that your answer arrived',
    'It is still below. Please send it again in a few minutes: the same answer counts once.',
  ),
  busy: 'Many people are here at the moment, so your answer is not saved yet. It is still below. Please send it again in a few seconds.',
};
