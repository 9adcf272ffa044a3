import { markAnswer } from '#app/features/study/answers.server.ts';
import { issueCertificate } from '#app/features/study/certificates/issue.server.ts';
import { completionOf } from '#app/features/study/completion.server.ts';
import { handIn } from '#app/features/study/exercises.server.ts';
import { markDay } from '#app/features/study/marking.server.ts';
import { openModule } from '#app/features/study/modules.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { exerciseAnswers } from './names.ts';
import { openFinishersAccount } from './players.ts';
import type { Stage } from './stage.ts';

/** An instructor marks who was there on a day, and after the last one issues the certificates. */
export async function teach(stage: Stage, courseDateId: number, day: Day): Promise<string | null> {
  const { db, draw, team } = stage;
  const courseDate = await db
    .selectFrom('course_dates')
    .select(['state', 'ends_on', 'instructor_slug'])
    .where('id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  const instructor = team.instructors.get(courseDate.instructor_slug);
  if (courseDate.state === 'cancelled' || !instructor) return null;
  const places = await db
    .selectFrom('places')
    .select('id')
    .where('course_date_id', '=', courseDateId)
    .where('state', '=', 'active')
    .orderBy('id')
    .execute();
  for (const { id: placeId } of places) {
    const there = draw.chance(0.93);
    const late = there && draw.chance(0.08) ? 10 + 5 * draw.below(6) : 0;
    const mark = there ? 'present' : draw.chance(0.5) ? 'excused' : 'absent';
    const wish = { mark, minutesLate: late, minutesLeftEarly: 0, tap: null, reason: '' } as const;
    const { now } = stage.moment();
    const result = await stage.transaction((trx) =>
      markDay(trx, { ...wish, placeId, courseDateId, day, key: draw.uuid() }, { actor: instructor, now }),
    );
    stage.count(result.ok ? 'marks of attendance' : `marks refused: ${result.reason}`);
  }
  if (day === courseDate.ends_on) {
    for (const { id } of places) stage.later(1, 17, () => certify(stage, id, courseDate.instructor_slug));
  }
  return null;
}

/** Issues a certificate for each completed place; some who have one open an account. */
async function certify(stage: Stage, placeId: number, taughtBy: string): Promise<string | null> {
  const { db, draw, team } = stage;
  const actor = team.instructors.get(taughtBy);
  const moment = stage.moment();
  if (!actor || !(await completionOf(db, placeId, moment)).met) return null;
  const result = await stage.transaction((trx) =>
    issueCertificate(trx, { placeId, workAccepted: true, actor }, moment),
  );
  if (!result.ok) return null;
  if (draw.chance(0.4)) stage.later(1 + draw.below(5), 20, () => openFinishersAccount(stage, placeId));
  return 'certificates issued';
}

export type GuidedPlace = { placeId: number; enrolmentId: number; attendeeId: number; modules: number };

/** Somebody studies guided: opens a module, hands its exercise in, has it marked, and goes on with the next. */
export async function study(stage: Stage, place: GuidedPlace, module = 1): Promise<string | null> {
  const { draw } = stage;
  const moment = stage.moment();
  const { placeId, attendeeId } = place;
  const opened = await stage.transaction((trx) => openModule(trx, { ...place, module, early: false }, moment));
  if (!opened.ok || opened.asked) return null;
  stage.later(3 + draw.below(5), 20.5, async (then) => {
    const answer = { attendeeId, placeId, module, body: draw.of(exerciseAnswers), link: '' };
    const handed = await stage.transaction((trx) => handIn(trx, answer, then));
    if (!handed.ok) return null;
    stage.later(1 + draw.below(3), 15, () => mark(stage, place, module));
    return 'exercises handed in';
  });
  return 'modules opened';
}

async function mark(stage: Stage, place: GuidedPlace, module: number): Promise<string | null> {
  const { db, draw, team } = stage;
  const { id: answerId, instructor } = await db
    .selectFrom('exercise_answers')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['exercise_answers.id', 'instructor_slug as instructor'])
    .where('place_id', '=', place.placeId)
    .where('module', '=', module)
    .orderBy('exercise_answers.id', 'desc')
    .executeTakeFirstOrThrow();
  const actor = team.instructors.get(instructor);
  if (!actor) return null;
  const accepted = draw.chance(0.85);
  const comment = accepted ? '' : 'Good start. Say how you checked that it works, and hand it in again.';
  const moment = stage.moment();
  const marked = await stage.transaction((trx) => markAnswer(trx, { answerId, accepted, comment }, { actor, moment }));
  if (!marked.ok) return null;
  if (!accepted) {
    stage.later(2, 20, async (then) => {
      const body = `${draw.of(exerciseAnswers)} I tested it twice, with and without the rule.`;
      const answer = { attendeeId: place.attendeeId, placeId: place.placeId, module, body, link: '' };
      const handed = await stage.transaction((trx) => handIn(trx, answer, then));
      stage.later(2, 15, () => mark(stage, place, module));
      return handed.ok ? 'exercises handed in' : null;
    });
  } else if (module < place.modules) stage.later(draw.below(4), 19, () => study(stage, place, module + 1));
  else stage.later(1, 17, () => certify(stage, place.placeId, instructor));
  return 'exercises marked';
}
