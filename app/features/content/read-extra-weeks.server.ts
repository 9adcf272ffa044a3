import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { ExtraWeeks } from './holidays.ts';

/** The weeks that live sessions were moved beyond the others, by every slug that one has or had. */
export async function readExtraWeeks(trx: Db): Promise<ExtraWeeks> {
  const rows = await trx
    .selectFrom('training_sessions')
    .select(['slug', 'extra_weeks'])
    .select(
      sql<string[]>`array(select alias from training_session_aliases where training_session_id = id)`.as('aliases'),
    )
    .where('retired_at', 'is', null)
    .execute();
  const former = rows.flatMap(({ aliases, extra_weeks }) =>
    aliases.map((alias): [string, number] => [alias, extra_weeks]),
  );
  const present = rows.map(({ slug, extra_weeks }): [string, number] => [slug, extra_weeks]);
  return new Map([...former, ...present]);
}
