import { changesInWords, detailsInWords } from '#app/audit/details-in-words.ts';
import type { TraceEntry } from '#app/audit/trace.server.ts';
import { actionInWords } from '#app/features/people/action-words.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { everyEntryForStaff, readTraceForStaff } from '#app/features/reports/trace.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { type CsvColumn, csvFile, csvInstant } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/trace-file';
import { traceFilterOf, traceQueryOf } from './trace-filter.ts';

const columns: readonly CsvColumn<TraceEntry>[] = [
  ['When', ({ at }) => csvInstant(at)],
  ['Who', ({ by }) => by ?? 'The program'],
  ['What', ({ action }) => action],
  ['In words', ({ action }) => actionInWords(action)],
  ['About', ({ subject }) => subject],
  ['Details', ({ details }) => detailsInWords(details)],
  ['Changes', ({ changes }) => changesInWords(changes).join('; ')],
];

/** The entries that an address of the trace shows, as CSV (P69). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const filter = traceFilterOf(url.searchParams);
  // What is in no entry is not a reference but something that a person typed, which the trace would keep for good.
  const [known] = await unlessDatabaseAway(() =>
    readTraceForStaff(academy.db, actor, filter, { before: null, limit: 1 }),
  );
  const filters = traceQueryOf(known ? filter : { ...filter, about: null }).toString();
  return csvFile(academy, actor, {
    list: 'trace',
    columns,
    pieces: everyEntryForStaff(academy.db, actor, filter),
    filters,
  });
}
