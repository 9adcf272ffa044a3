import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { type FailedMail, failedSince, listFailedMail } from '#app/outbox/failed-mail.server.ts';
import type { Route } from './+types/mail-file';
import { type CsvColumn, csvFile, csvInstant } from './lists/csv-file.server.ts';

/** How many rows the file has at most. */
const mostRows = 10_000;

const columns: readonly CsvColumn<FailedMail>[] = [
  ['To', ({ to }) => to],
  ['Subject', ({ subject }) => subject],
  ['Kind', ({ kind }) => kind],
  ['Queued', ({ queuedAt }) => csvInstant(queuedAt)],
  ['Failed', ({ failedAt }) => failedAt && csvInstant(failedAt)],
  ['Tries', ({ attempts }) => attempts],
  ['Answer', ({ reason }) => reason],
];

/** The mails that failed, as CSV (P78). */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const day = dayOf(url.searchParams.get('since') ?? '');
  return csvFile(academy, actor, {
    list: 'mail',
    columns,
    pieces: everyFailedMail(academy.db, actor, {
      since: day === null ? null : failedSince(day),
      now: academy.clock.now(),
    }),
    filters: day ? `since=${day}` : '',
    most: mostRows,
  });
}

async function* everyFailedMail(db: Db, actor: StaffActor, { since, now }: { since: Date | null; now: Date }) {
  requirePermission(actor, 'mail:read');
  yield await listFailedMail(db, now, { since, limit: mostRows + 1 });
}
