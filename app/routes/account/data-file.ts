import { data, href } from 'react-router';
import { dataAsCsv } from '#app/features/people/data-csv.ts';
import { ownDataContext } from '#app/features/people/own-data.ts';
import { freshPlayerFor } from '#app/features/people/players.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/data-file';

const types = {
  'bowerbird-data.json': 'application/json; charset=utf-8',
  'bowerbird-data.csv': 'text/csv; charset=utf-8',
} as const;

/** All that is held about the player, in one file (P58), for players who logged in within the last ten minutes (P54). */
export async function loader({ context, params: { file } }: Route.LoaderArgs) {
  const { person } = freshPlayerFor(context, href('/account/data'));
  if (file !== 'bowerbird-data.json' && file !== 'bowerbird-data.csv') throw data(null, { status: 404 });
  const own = await unlessDatabaseAway(() => context.get(ownDataContext)(context.get(academyContext).db, person.id));
  const text = file.endsWith('.csv') ? dataAsCsv(own) : `${JSON.stringify(own, null, 2)}\n`;
  const headers = { 'Content-Type': types[file], 'Content-Disposition': `attachment; filename="${file}"` };
  return new Response(text, { headers });
}
