import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { listRuns } from '#app/features/runs/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { PageHead } from '#app/ui/staff/heads.tsx';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { TextLink, Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/runs';
import { type RunState, runState, runTitle } from './run-words.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const { db, clock } = context.get(academyContext);
  const before = /^\d{1,9}$/.exec(url.searchParams.get('before') ?? '');
  const { runs, next } = await orAway(() => listRuns(db, actor, before && Number(before[0])));
  return {
    next,
    rows: runs.map(({ id, act, subject, by, madeAt, all, done, leftOut, ...run }) => ({
      id: String(id),
      title: runTitle(act, subject),
      by: `${by ?? 'Somebody who left'}, ${formatMoment(madeAt)}`,
      state: words[runState(run, clock.now())],
      counts: `${formatCount(done)} of ${formatCount(all)} done${leftOut > 0 ? `, ${formatCount(leftOut)} left out` : ''}`,
    })),
  };
}

const words: Record<RunState, string> = {
  waits: 'Not begun yet',
  runs: 'Under way',
  ended: 'Finished',
  stopped: 'Stopped',
};

export const meta = () => staffMeta('Acts on many');

/** The acts of staff on many at once, latest first (P79). */
export default function Runs({ loaderData: { rows, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Acts on many"
        beside="Reminders, questions and messages to several people, and more time to pay."
      />
      <Rows
        label="Acts on many"
        rows={rows}
        keyOf={({ id }) => id}
        columns="md:grid-cols-[minmax(0,1fr)_14rem_14rem]"
        leads
        none={
          <Words wide>
            There are none yet. Tick rows in the list of enrolments or of course dates, then choose what to do.
          </Words>
        }
      >
        {({ id, title, by, state, counts }) => (
          <>
            <div className="min-w-0">
              <RowLink to={href('/staff/runs/:id', { id })}>{title}</RowLink>
              <p className="text-sm text-mute">{by}</p>
            </div>
            <span className="tabular">{counts}</span>
            <span>{state}</span>
          </>
        )}
      </Rows>
      {next !== null && (
        <p className="mt-4">
          <TextLink to={`${href('/staff/runs')}?before=${next}`}>Older</TextLink>
        </p>
      )}
    </>
  );
}
