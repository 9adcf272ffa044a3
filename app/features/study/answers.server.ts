import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { answersWaiting } from '#app/emails/enquiries.ts';
import { exerciseMarked } from '#app/emails/study.ts';
import { modulePartsOf } from '#app/features/content/module-schema.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { wallClockAt } from '#app/lib/wall-clock.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { readModuleText } from './module-text.server.ts';
import { readStudy } from './study.server.ts';
import { creditPlace, lockPlace } from './xp.server.ts';

/** Answers that wait for a mark: the last ones of their modules, in places that were not cancelled; oldest first. */
function waiting(db: Db) {
  return db
    .selectFrom('exercise_answers as answer')
    .innerJoin('places', 'places.id', 'answer.place_id')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .select([
      'answer.id',
      'answer.module',
      'handed_in_at',
      'courses.title',
      'courses.instructor_slug',
      'attendees.name',
    ])
    .select(sql<string>`places.modules -> (answer.module - 1) ->> 'module'`.as('module_title'))
    .where('places.state', '<>', 'cancelled')
    .where('erased', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exercise_answers as later')
            .select('later.id')
            .whereRef('later.place_id', '=', 'answer.place_id')
            .whereRef('later.module', '=', 'answer.module')
            .whereRef('later.id', '>', 'answer.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('exercise_marks').select('exercise_marks.id').whereRef('answer_id', '=', 'answer.id'))),
    )
    .orderBy('handed_in_at')
    .orderBy('answer.id');
}

const mostListed = 200;

/** The answers to mark, oldest first; an instructor sees those of their own courses. */
export async function listWaitingAnswers(db: Db, actor: StaffActor) {
  const only = onlyCourseDatesOf(actor, 'exercises:read');
  return waiting(db)
    .$if(only !== null, (query) => query.where('courses.instructor_slug', 'in', ['', ...(only ?? [])]))
    .limit(mostListed)
    .execute();
}

/** One answer with its learner and place; null when the person may see none. */
export async function findAnswer(db: Db, actor: StaffActor, id: number) {
  const only = onlyCourseDatesOf(actor, 'exercises:read');
  const row = await db
    .selectFrom('exercise_answers as answer')
    .innerJoin('places', 'places.id', 'answer.place_id')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .select(['answer.id', 'answer.place_id', 'answer.module', 'courses.title', 'course_id', 'attendees.name'])
    .select(sql<string>`places.modules -> (answer.module - 1) ->> 'module'`.as('module_title'))
    .select(sql<string[]>`array(select one ->> 'module' from jsonb_array_elements(places.modules) one)`.as('titles'))
    .where('answer.id', '=', id)
    .$if(only !== null, (query) => query.where('courses.instructor_slug', 'in', ['', ...(only ?? [])]))
    .executeTakeFirst();
  return row ?? null;
}

/** An answer with its marks, for its learner and its instructor. */
export type ThreadAnswer = {
  id: number;
  /** Both null once its learner was erased. */
  body: string | null;
  link: string | null;
  at: Date;
  marks: { id: number; accepted: boolean; comment: string | null; by: string | null; at: Date }[];
};

/** The reading and the exercise of an answer that `findAnswer` found, in Markdown; null where none is written. */
export async function readTask(
  db: Db,
  actor: StaffActor,
  { course_id: courseId, module: number, titles }: { course_id: number; module: number; titles: readonly string[] },
) {
  requirePermission(actor, 'exercises:read');
  const text = await readModuleText(db, { courseId, number, titles });
  return text === null ? null : modulePartsOf(text);
}

/** The thread of an answer that `findAnswer` found. */
export async function readThreadForStaff(
  db: Db,
  actor: StaffActor,
  { place_id, module }: { place_id: number; module: number },
): Promise<ThreadAnswer[]> {
  requirePermission(actor, 'exercises:read');
  return readThread(db, place_id, module);
}

/** The answers of one module of a place, oldest first, each with its marks. */
export async function readThread(db: Db, placeId: number, module: number): Promise<ThreadAnswer[]> {
  const answers = await db
    .selectFrom('exercise_answers')
    .select(['id', 'body', 'link', 'handed_in_at'])
    .where('place_id', '=', placeId)
    .where('module', '=', module)
    .orderBy('id')
    .execute();
  const marks = await db
    .selectFrom('exercise_marks')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['exercise_marks.id', 'answer_id', 'accepted', 'comment', 'people.name', 'marked_at'])
    .where('answer_id', 'in', [0, ...answers.map(({ id }) => id)])
    .orderBy('exercise_marks.id')
    .execute();
  return answers.map(({ id, body, link, handed_in_at }) => ({
    id,
    body,
    link,
    at: handed_in_at,
    marks: marks
      .filter(({ answer_id }) => answer_id === id)
      .map((mark) => ({
        id: mark.id,
        accepted: mark.accepted,
        comment: mark.comment,
        by: mark.name,
        at: mark.marked_at,
      })),
  }));
}

const [tellFrom, mostInMail] = ['07:00', 10];

/**
 * Mails each instructor once a day, from seven in the morning in Brisbane, while exercises of their courses wait: one
 * mail a person, however many were handed in. Where no member of staff is the instructor it goes to the academy.
 * Returns how many mails.
 */
export async function tellWaitingAnswers(db: Db, { now, today, academy }: Moment): Promise<number> {
  if (wallClockAt(academyZone, now).time < tellFrom) return 0;
  const answers = await waiting(db).execute();
  const readers = await db
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['instructor_slug', 'people.id', 'people.email'])
    .where('role', '=', 'instructor')
    .execute();
  const byReader = new Map<string, { key: string; email: string; its: typeof answers }>();
  for (const answer of answers) {
    const own = readers.flatMap(({ instructor_slug, id, email }) =>
      instructor_slug === answer.instructor_slug && email !== null ? { key: `person:${id}`, email } : [],
    );
    for (const reader of own.length > 0 ? own : [{ key: 'academy', email: academy.email }]) {
      const known = byReader.get(reader.email);
      if (known) known.its.push(answer);
      else byReader.set(reader.email, { ...reader, its: [answer] });
    }
  }
  return eachItem(
    db,
    { job: 'tell of exercises to mark', items: [...byReader.values()], keyOf: ({ key }) => key, at: now },
    async (trx, { email, its }) => {
      const queued = await queueMail(trx, {
        kind: 'answers-waiting',
        about: 'nothing',
        to: email,
        replyTo: academy.email,
        dedupeKey: `answers-waiting:${email}:${today}`,
        ...answersWaiting({
          answers: its.slice(0, mostInMail).map(({ title, module, module_title, handed_in_at }) => ({
            course: title,
            module: `module ${module}, ${module_title}`,
            since: formatMoment(handed_in_at),
          })),
          count: its.length,
          link: `${academy.url}/staff/answers`,
          academy,
        }),
      });
      return queued !== null;
    },
  );
}

export type AnswerMark = { answerId: number; accepted: boolean; comment: string };

export type NotMarkedAnswer = {
  ok: false;
  reason: /** No such answer, not of a course that the person teaches, or its place was cancelled. */
    | 'unknown'
    /** The learner has handed in another answer since. */
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
