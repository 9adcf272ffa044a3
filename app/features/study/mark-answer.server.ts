import type { Trx } from '#app/db/client.server.ts';
import { exerciseMarked } from '#app/emails/exercise-marked.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { onlyCourseDatesOf, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { readStudy } from './study.server.ts';
import { creditPlace, lockPlace } from './xp.server.ts';

export type AnswerMark = { answerId: number; accepted: boolean; comment: string };

export type NotMarkedAnswer = {
  ok: false;
  reason: /** No such answer, not of a course that the person teaches, or its place was cancelled. */
    | 'unknown'
    /** Its learner handed in another one since. */
    | 'newer'
    /** Marked so already, by somebody else or a second press. */
    | 'same'
    /** The instructor's words for "Not yet". */
    | 'no-comment';
};

/**
 * Marks an answer of guided study (P60), tells its learner by mail, and writes what it changes to the ledger of XP
 * (P62). A mark can be corrected by another one as long as no further answer was handed in. An instructor marks their
 * own courses.
 */
export async function markAnswer(
  trx: Trx,
  { answerId, accepted, comment }: AnswerMark,
  { actor, moment }: { actor: StaffActor; moment: Moment },
): Promise<{ ok: true } | NotMarkedAnswer> {
  const only = onlyCourseDatesOf(actor, 'exercises:mark');
  const answer = await trx
    .selectFrom('exercise_answers')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .select([
      'place_id',
      'module',
      'courses.title',
      'attendees.id as attendee_id',
      'places.enrolment_id',
      'attendees.email',
      'reference',
    ])
    .where('exercise_answers.id', '=', answerId)
    .where('erased', '=', false)
    .$if(only !== null, (query) => query.where('courses.instructor_slug', 'in', ['', ...(only ?? [])]))
    .executeTakeFirst();
  if (!answer) return { ok: false, reason: 'unknown' };
  const { place_id: placeId, module } = answer;
  await lockPlace(trx, placeId);
  const study = await readStudy(trx, placeId);
  const marked = study.modules.find(({ number }) => number === module);
  if (study.state === 'cancelled' || !marked) return { ok: false, reason: 'unknown' };
  if (marked.answerId !== answerId) return { ok: false, reason: 'newer' };
  if (marked.mark?.accepted === accepted) return { ok: false, reason: 'same' };
  if (!accepted && comment === '') return { ok: false, reason: 'no-comment' };

  const { id } = await trx
    .insertInto('exercise_marks')
    .values({
      answer_id: answerId,
      accepted,
      comment: comment || null,
      person_id: actor.person.id,
      marked_at: moment.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const withdrawn = marked.mark?.accepted ? [{ kind: 'exercise' as const, id: marked.mark.id }] : [];
  if (accepted || withdrawn.length > 0) {
    await creditPlace(trx, placeId, { source: { kind: 'exercise', id }, withdrawn, at: moment.now });
  }
  if (answer.email) {
    const link = placeLink(answer.enrolment_id, answer.attendee_id);
    await queueMail(trx, {
      kind: 'exercise-marked',
      about: { kind: 'enrolment', id: answer.enrolment_id },
      to: answer.email,
      replyTo: moment.academy.email,
      links: [link],
      ...exerciseMarked({
        reference: answer.reference,
        course: answer.title,
        module: `${module}. ${marked.title}`,
        accepted,
        comment,
        by: actor.person.name,
        link: placeholderOf(link),
        academy: moment.academy,
      }),
    });
  }
  return { ok: true };
}
