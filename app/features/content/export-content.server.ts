import type { Db, Trx } from '#app/db/client.server.ts';
import { moveDatesBack } from './calendar.ts';
import { type ExtraWeeks, extraWeeksBack } from './holidays.ts';
import { loadContent } from './load-content.server.ts';
import { loadSessions } from './load-sessions.server.ts';
import { readExtraWeeks } from './read-extra-weeks.server.ts';
import type { Content } from './schema.ts';

/**
 * The content as its files have it: dates moved back to the calendar of asOf. Null while nothing was imported. Where a
 * session goes back by further weeks past a public holiday of that calendar, that is noted with it, so that an import of
 * the files finds the same date.
 */
export async function exportContent(db: Db): Promise<Content | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const content = await loadContent(trx);
      if (!content) return null;
      const state = await trx.selectFrom('import_state').select('shift_weeks').executeTakeFirstOrThrow();
      const whole = { ...content, trainingSessions: await loadSessions(trx) };
      const [weeks, known] = [state.shift_weeks ?? 0, await readExtraWeeks(trx)];
      const extra = extraWeeksBack(whole, weeks, known);
      await noteExtraWeeks(trx, { extra, known });
      return moveDatesBack(whole, weeks, extra);
    });
}

async function noteExtraWeeks(trx: Trx, { extra, known }: { extra: ExtraWeeks; known: ExtraWeeks }): Promise<void> {
  for (const [slug, weeks] of extra) {
    if (known.get(slug) === weeks) continue;
    await trx.updateTable('training_sessions').set({ extra_weeks: weeks }).where('slug', '=', slug).execute();
  }
}
