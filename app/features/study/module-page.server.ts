import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { modulePartsOf } from '#app/features/content/module-schema.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import type { ModuleStandings } from '#app/features/enrolments/modules.ts';
import { isOverdue } from '#app/features/money/accounts.server.ts';
import { readHolidays } from '#app/features/money/invoices.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { readThread, type ThreadAnswer } from './answers.server.ts';
import { readModuleText, readModuleTexts } from './module-text.server.ts';
import { handedOutBy } from './modules.server.ts';
import { type Requirements, requirementsOf } from './requirements.ts';
import { progressPercent } from './rules.ts';
import { readStudies, type Study } from './study.server.ts';
import { isFinished } from './xp.server.ts';

/** The state of the exercise of a module. */
type ExerciseState = 'accepted' | 'not-yet' | 'handed-in' | 'none';

/** How far the owner of a place is: points of the ledger, progress in whole percent (P43). */
export type PlaceProgress = { percent: number; xp: number; courseXp: number };

/** A module of a place for its attendee. */
export type ModuleStudy = {
  /** In Markdown; null where nothing is written. */
  reading: string | null;
  exercise: string | null;
  state: ExerciseState;
  thread: ThreadAnswer[];
  draft: { body: string; link: string; at: Date } | null;
  /** Of all modules of the place, by number. */
  states: ReadonlyMap<number, ExerciseState>;
  progress: PlaceProgress;
};

/** Reads a module of a guided place; `titles` are those of all its modules. */
export async function readModuleStudy(
  db: Db,
  { placeId, courseId, module, titles }: { placeId: number; courseId: number; module: number; titles: string[] },
): Promise<ModuleStudy> {
  const text = await readModuleText(db, { courseId, number: module, titles });
  const parts = text === null ? null : modulePartsOf(text);
  const [study] = await readStudies(db, [placeId]);
  const states = exerciseStates(study);
  const draft = await db
    .selectFrom('exercise_drafts')
    .select(['body', 'link', 'saved_at'])
    .where('place_id', '=', placeId)
    .where('module', '=', module)
    .executeTakeFirst();
  return {
    reading: parts?.reading ?? null,
    exercise: parts?.exercise ?? null,
    state: states.get(module) ?? 'none',
    thread: await readThread(db, placeId, module),
    draft: draft ? { body: draft.body, link: draft.link, at: draft.saved_at } : null,
    states,
    progress: await progressOf(db, study, placeId),
  };
}

/** The states of the exercises of a place, by the number of the module. */
function exerciseStates(study: Study | undefined): Map<number, ExerciseState> {
  return new Map(
    study?.modules.map(({ number, answerId, mark }) => [
      number,
      answerId === null ? 'none' : mark === null ? 'handed-in' : mark.accepted ? 'accepted' : 'not-yet',
    ]),
  );
}

/** The progress of places and the requirements of their certificates; `issued` are the places with a certificate. */
export async function readProgress(
  db: Db,
  placeIds: readonly number[],
  { today, issued }: { today: Day; issued: ReadonlySet<number> },
): Promise<Map<number, { progress: PlaceProgress; requirements: Requirements }>> {
  const found = new Map<number, { progress: PlaceProgress; requirements: Requirements }>();
  for (const study of await readStudies(db, placeIds)) {
    const progress = await progressOf(db, study, study.placeId);
    const requirements = requirementsOf(study, { today, issued: issued.has(study.placeId) });
    found.set(study.placeId, { progress, requirements });
  }
  return found;
}

async function progressOf(db: Db, study: Study | undefined, placeId: number): Promise<PlaceProgress> {
  const { xp } = await db
    .selectFrom('xp_entries')
    .select(sql<number>`coalesce(sum(points), 0)::integer`.as('xp'))
    .where('place_id', '=', placeId)
    .executeTakeFirstOrThrow();
  const finished = await isFinished(db, placeId);
  return { percent: study ? progressPercent(study.share, finished) : 0, xp, courseXp: study?.courseXp ?? 0 };
}

/** Which modules of a guided place have a text, which were asked for, and whether its invoice is overdue (P105). */
export async function readModuleStandings(
  db: Db,
  { id, courseId, modules }: Place,
  { enrolmentId, today }: { enrolmentId: number; today: Day },
): Promise<ModuleStandings> {
  const texts = await readModuleTexts(db, { courseId, titles: modules.map(({ title }) => title) });
  const requests = await db
    .selectFrom('module_requests')
    .select(['module', 'asked_at'])
    .where('place_id', '=', id)
    .execute();
  const holidays = await readHolidays(db);
  return {
    written: new Set(modules.flatMap(({ number }) => (texts[number - 1] == null ? [] : number))),
    asked: new Map(requests.map(({ module, asked_at }) => [module, handedOutBy(asked_at, holidays)])),
    overdue: await isOverdue(db, enrolmentId, today),
  };
}
