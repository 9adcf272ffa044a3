import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type EmailState, emailState, findRun, runItems } from '#app/features/runs/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { byteOrderMark, csvLine } from '#app/lib/csv-cell.ts';
import { recordExport } from '#app/routes/staff/lists/csv-file.server.ts';
import type { Route } from './+types/run-file';
import { leftOutWords } from './message-labels.ts';
import { didOf } from './run-words.ts';

/** The results of a run's items, as CSV. */
export async function loader({ context, params: { id } }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'lists:export');
  const academy = context.get(academyContext);
  const { db } = academy;
  const runId = Number(/^\d{1,9}$/.exec(id)?.[0] ?? 0);
  const found = await orAway(async () => {
    const run = await findRun(db, actor, runId);
    if (!run) return null;
    const items = await runItems(db, actor, runId);
    await recordExport(academy, actor, { list: 'run', rows: items.length, filters: `run=${runId}` });
    return { run, items };
  });
  if (!found) return new Response('Not found\n', { status: 404 });
  const { run, items } = found;
  const did = didOf(run.act);
  const results: Record<string, string> = { done: did, 'left-out': 'left out', 'to-do': `not ${did}` };
  const emails: Record<EmailState, string> = {
    sent: 'sent',
    waits: 'waiting',
    failed: 'did not arrive',
    withdrawn: 'withdrawn',
    unknown: 'email no longer kept',
  };
  const dated = items.some(({ date }) => date !== null);
  const lines = items.map(({ reference, name, email, state, why, mail, withdrawn, date }) =>
    csvLine([
      ...(dated ? [date] : []),
      reference,
      name,
      email,
      state === 'done' && did === 'sent' ? emails[emailState(mail)] : (results[state] ?? state),
      ...(did === 'done' ? [mail && emails[emailState(mail)]] : []),
      why === null ? (withdrawn ?? '') : (leftOutWords[why] ?? why),
    ]),
  );
  const head = csvLine([
    ...(dated ? ['Course date'] : []),
    'Number',
    'Name',
    'Email',
    'Result',
    ...(did === 'done' ? ['Letter'] : []),
    'Why',
  ]);
  return new Response(byteOrderMark + [head, ...lines].join(''), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="run-${runId}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
