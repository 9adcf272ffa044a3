import { href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { SessionPill } from '#app/routes/staff/frame/session-pill.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { ListPage, RowLink } from '#app/ui/staff/list.tsx';
import { Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/sessions';
import { sessionList } from './session-filter.ts';
import { listSessions } from './sessions.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'sessions:read');
  const { db, clock } = context.get(academyContext);
  const filter = sessionList.filterOf(url.searchParams);
  const mayChange = actor.can.has('sessions:change');
  return { filter, mayChange, ...(await orAway(() => listSessions(db, actor, filter, academyToday(clock)))) };
}

export const meta = () => staffMeta('Sessions');

export default function Sessions({ loaderData: { filter, sessions, more, mayChange } }: Route.ComponentProps) {
  return (
    <ListPage
      title="Sessions"
      begin={
        mayChange && (
          <Link to={href('/staff/sessions/new')} className={button.quiet}>
            New session
          </Link>
        )
      }
      address={sessionList}
      filter={filter}
      searches="Course, place or instructor"
      placeholder="Course, place, instructor"
      rows={sessions}
      keyOf={({ id }) => id}
      columns="md:grid-cols-[minmax(0,1fr)_15rem_11rem]"
      leads
      none={<Words>{filter.search ? 'No sessions match. Try fewer words, or another time.' : 'There are none.'}</Words>}
      pages={sessionList.numbered(filter, more)}
    >
      {(session) => (
        <>
          <div className="min-w-0">
            <RowLink to={href('/staff/sessions/:slug', { slug: session.slug })}>{session.title}</RowLink>
            <p className="text-sm text-mute">
              <span className="tabular">{session.days}</span>, {session.where}
            </p>
          </div>
          <div className="tabular text-sm">
            <p>
              <b>{session.sold}</b> of {session.capacity} sold, {session.left} left
            </p>
            <p className="text-mute">
              {[
                session.held > 0 && `${session.held} held`,
                session.offered > 0 && `${session.offered} offered`,
                `minimum ${session.minimum}`,
                session.waiting > 0 && `${session.waiting} waiting`,
              ]
                .filter(Boolean)
                .join(', ')}
            </p>
          </div>
          <div className="tabular text-sm md:text-right">
            <p className="flex flex-wrap gap-2 md:justify-end">
              <SessionPill session={session} />
            </p>
            <p className="mt-1 text-mute">
              {session.chargedCents !== null && formatMoney(session.chargedCents)}
              {session.unpaid > 0 && `, ${session.unpaid} unpaid`}
            </p>
            {session.belowMinimum && (
              <p className="text-fault">
                {session.sold} of at least {session.minimum}
              </p>
            )}
            {session.state === 'tentative' && session.decidedBy && (
              <p className="text-mute">Decide by {formatDay(session.decidedBy)}</p>
            )}
          </div>
        </>
      )}
    </ListPage>
  );
}
