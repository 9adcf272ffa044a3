import type { Db } from '#app/db/client.server.ts';
import { moveDatesBack } from './calendar.ts';
import { loadContent } from './load-content.server.ts';
import { loadSessions } from './load-sessions.server.ts';
import { readExtraWeeks } from './read-extra-weeks.server.ts';
import type { Content } from './schema.ts';

/** The content as its files have it: dates moved back to the calendar of asOf. Null while nothing was imported. */
export async function exportContent(db: Db): Promise<Content | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const content = await loadContent(trx);
      if (!content) return null;
      const state = await trx.selectFrom('import_state').select('shift_weeks').executeTakeFirstOrThrow();
      const whole = { ...content, trainingSessions: await loadSessions(trx) };
      return moveDatesBack(whole, state.shift_weeks ?? 0, await readExtraWeeks(trx));
    });
}
