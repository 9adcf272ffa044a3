import type { Trx } from '#app/db/client.server.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { readStudy, type Study } from './study.server.ts';
import { lockPlace } from './xp.server.ts';

/** An exercise as somebody typed it: a text or a link, the other ''. */
export type Answer = { attendeeId: number; placeId: number; module: number; body: string; link: string };

export type NotHandedIn = {
  ok: false;
  reason: /** No such module in a place of this attendee, or the place was cancelled. */
    | 'no-module'
    | 'not-opened'
    | 'access-over'
    /** It is accepted, so there is nothing more to hand in. */
    | 'accepted'
    | 'empty'
    | 'both'
    | 'too-often';
};

/** The most answers to a module: the last one counts. */
const mostAnswers = 50;

/**
 * Hands in an exercise of guided study (P60), for an instructor to mark. The same again is no second answer. Another
 * one may follow until one is accepted.
 */
export async function handIn(trx: Trx, answer: Answer, moment: Moment): Promise<{ ok: true } | NotHandedIn> {
  const { placeId, module, body, link } = answer;
  if (body === '' && link === '') return { ok: false, reason: 'empty' };
  if (body !== '' && link !== '') return { ok: false, reason: 'both' };
  const open = await openModuleOf(trx, answer, moment);
  if (!open.ok) return open;
  const before = await trx
    .selectFrom('exercise_answers')
    .select(['body', 'link'])
    .where('place_id', '=', placeId)
    .where('module', '=', module)
    .orderBy('id', 'desc')
    .limit(mostAnswers)
    .execute();
  const typed = { body: body || null, link: link || null };
  const [last] = before;
  const isWaiting = open.study.modules.some(({ number, answerId, mark }) => number === module && answerId && !mark);
  if (isWaiting && last?.body === typed.body && last?.link === typed.link) return { ok: true };
  if (before.length >= mostAnswers) return { ok: false, reason: 'too-often' };
  await trx
    .insertInto('exercise_answers')
    .values({ place_id: placeId, module, ...typed, handed_in_at: moment.now })
    .execute();
  await trx.deleteFrom('exercise_drafts').where('place_id', '=', placeId).where('module', '=', module).execute();
  return { ok: true };
}

/** Keeps a draft of an exercise without handing it in; an empty text deletes the draft. */
export async function saveAnswerDraft(trx: Trx, answer: Answer, moment: Moment): Promise<{ ok: true } | NotHandedIn> {
  const { placeId, module, body, link } = answer;
  const open = await openModuleOf(trx, answer, moment);
  if (!open.ok) return open;
  await trx.deleteFrom('exercise_drafts').where('place_id', '=', placeId).where('module', '=', module).execute();
  if (body === '' && link === '') return { ok: true };
  await trx
    .insertInto('exercise_drafts')
    .values({ place_id: placeId, module, body, link, saved_at: moment.now })
    .execute();
  return { ok: true };
}

/** Locks the place of an attendee whose module is open and whose exercise is not accepted. */
async function openModuleOf(
  trx: Trx,
  { attendeeId, placeId, module }: Answer,
  { today }: Moment,
): Promise<{ ok: true; study: Study } | NotHandedIn> {
  const place = await trx
    .selectFrom('places')
    .select('guided_from')
    .where('id', '=', placeId)
    .where('attendee_id', '=', attendeeId)
    .executeTakeFirst();
  if (!place?.guided_from) return { ok: false, reason: 'no-module' };
  await lockPlace(trx, placeId);
  const study = await readStudy(trx, placeId);
  const wanted = study.modules.find(({ number }) => number === module);
  if (study.state === 'cancelled' || !wanted) return { ok: false, reason: 'no-module' };
  if (study.state === 'completed' || isAccessOver(place.guided_from, today))
    return { ok: false, reason: 'access-over' };
  if (!wanted.openedAt) return { ok: false, reason: 'not-opened' };
  if (wanted.mark?.accepted) return { ok: false, reason: 'accepted' };
  return { ok: true, study };
}
