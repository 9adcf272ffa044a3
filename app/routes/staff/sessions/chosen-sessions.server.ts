import type { Db } from '#app/db/client.server.ts';
import { onlySessionsOf, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Chosen } from '#app/routes/staff/lists/chosen.ts';
import { everyChosen } from '#app/routes/staff/lists/every-chosen.server.ts';
import { sessionKeyset } from './list-sessions.server.ts';
import { mostDates, sessionList } from './session-filter.ts';

/**
 * The ids of the course dates that were chosen and that the person may see, in the order of their first days; 'too-many' where
 * they are more than one message can go to.
 */
export async function chosenSessions(
  db: Db,
  actor: StaffActor,
  chosen: Chosen,
  today: Day,
): Promise<readonly number[] | 'too-many'> {
  if (chosen.all) {
    const view = sessionList.viewOf(new URLSearchParams(chosen.list));
    const set = await sessionKeyset(db, actor, view, today);
    return everyChosen(db, set, { descending: view.descending, most: mostDates });
  }
  const only = onlySessionsOf(actor);
  const rows = await db
    .selectFrom('training_sessions')
    .select('id')
    .where('retired_at', 'is', null)
    .where('slug', 'in', ['', ...chosen.rows])
    .$if(only !== null, (query) => query.where('instructor_slug', 'in', ['', ...(only ?? [])]))
    .orderBy('starts_on')
    .orderBy('id')
    .execute();
  return rows.length > mostDates ? 'too-many' : rows.map(({ id }) => id);
}
