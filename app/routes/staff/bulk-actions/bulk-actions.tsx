import { href } from 'react-router';
import { listBulkActions } from '#app/features/inbox/bulk-actions/queries.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/bulk-actions';
import { bulkActionTitle, countsInWords } from './words.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const { db } = context.get(academyContext);
  const before = /^\d{1,9}$/.exec(url.searchParams.get('before') ?? '');
  const { actions, next } = await unlessDatabaseAway(() => listBulkActions(db, actor, before && Number(before[0])));
  return {
    next,
    rows: actions.map(({ number, act, subject, made_by, made_at, taken_back_at, ...counts }) => ({
      number: String(number),
      title: bulkActionTitle(act, subject),
      made: `${made_by ?? 'Somebody who left'}, ${formatMoment(made_at)}`,
      state: taken_back_at ? 'Taken back' : countsInWords(counts),
    })),
  };
}

export const meta = () => staffMeta('Bulk actions');

/** What staff sent to several people at once, latest first (P101). */
export default function BulkActions({ loaderData: { rows, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Bulk actions" beside="Reminders, questions and messages to several people." />
      <Rows
        label="Bulk actions"
        rows={rows}
        keyOf={({ number }) => number}
        columns="md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]"
        leads
        none={
          <Words wide>
            There are none. Tick rows in the list of enrolments or of course dates, then choose what to do.
          </Words>
        }
      >
        {({ number, title, made, state }) => (
          <>
            <div className="min-w-0">
              <RowLink to={href('/staff/bulk-actions/:number', { number })}>{title}</RowLink>
              <p className="text-sm text-mute">{made}</p>
            </div>
            <span className="tabular">{state}</span>
          </>
        )}
      </Rows>
      {next !== null && (
        <p className="mt-4">
          <TextLink to={`${href('/staff/bulk-actions')}?before=${next}`}>Older</TextLink>
        </p>
      )}
    </>
  );
}
