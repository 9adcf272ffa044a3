import { everyEnquiry, type listInbox } from '#app/features/inbox/enquiries/inbox.server.ts';
import { inbox, kindLabels } from '#app/features/inbox/enquiries/inbox.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/enquiries-file';
import { type CsvColumn, csvFile, csvInstant } from './lists/csv-file.server.ts';

type Row = Awaited<ReturnType<typeof listInbox>>['page'][number];

const columns: readonly CsvColumn<Row>[] = [
  ['Reference', ({ reference }) => reference],
  ['Kind', ({ kind }) => kindLabels[kind]],
  ['First name', ({ first_name }) => first_name],
  ['Last name', ({ last_name }) => last_name],
  ['Email', ({ email }) => email],
  ['Beginning', ({ beginning }) => beginning],
  ['Status', ({ state }) => state],
  ['Sent', ({ created_at }) => csvInstant(created_at)],
  ['Handled by', ({ state_by }) => state_by],
];

/** The rows of the inbox that an address shows, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const filter = inbox.filterOf(url.searchParams);
  return csvFile(academy, actor, {
    list: 'enquiries',
    columns,
    pieces: everyEnquiry(academy.db, actor, filter),
    filters: [filter.state && `state=${filter.state}`, filter.kind && `kind=${filter.kind}`].filter(Boolean).join('&'),
  });
}
