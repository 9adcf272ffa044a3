import { href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { ListFilters } from '#app/routes/staff/frame/list-filters.tsx';
import { Words } from '#app/routes/staff/frame/parts.tsx';
import { SessionPill } from '#app/routes/staff/frame/session-pill.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/sessions';
import { type SessionFilter, sessionFilterOf, sessionQuery, sessionTimes } from './session-filter.ts';
import { listSessions } from './sessions.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'sessions:read');
  const { db, clock } = context.get(academyContext);
  const filter = sessionFilterOf(url.searchParams);
  const mayChange = actor.can.has('sessions:change');
  return { filter, mayChange, ...(await orAway(() => listSessions(db, actor, filter, academyToday(clock)))) };
}

export const meta = () => staffMeta('Sessions');

const labels = {
  upcoming: 'To come and running',
  undecided: 'To decide',
  below: 'Below minimum',
  'way-in': 'Room or link missing',
  past: 'Past',
};
const address = (filter: SessionFilter) => href('/staff/sessions') + sessionQuery(filter);

export default function Sessions({ loaderData: { filter, sessions, more, mayChange } }: Route.ComponentProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">Sessions</h1>
        {mayChange && (
          <Link to={href('/staff/sessions/new')} className={button.quiet}>
            New session
          </Link>
        )}
      </div>
      <ListFilters
        key={sessionQuery(filter)}
        states={sessionTimes.map((when) => ({
          label: labels[when],
          to: address({ ...filter, when, page: 1 }),
          current: when === filter.when,
        }))}
        action={href('/staff/sessions')}
        state={filter.when === 'upcoming' ? null : filter.when}
        search={filter.search}
        searches="Course, place or instructor"
        placeholder="Course, place, instructor"
      />
      {sessions.length === 0 ? (
        <Words>{filter.search ? 'No session fits. Try fewer words, or another time.' : 'There are none.'}</Words>
      ) : (
        <ul className="overflow-hidden rounded-control border border-line bg-card">
          {sessions.map((session) => (
            <li
              key={session.id}
              className="relative grid gap-x-5 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 hover:bg-paper md:grid-cols-[minmax(0,1fr)_15rem_11rem]"
            >
              <div className="min-w-0">
                <Link
                  to={href('/staff/sessions/:slug', { slug: session.slug })}
                  className="font-bold text-link underline-offset-4 after:absolute after:inset-0 hover:underline"
                >
                  {session.title}
                </Link>
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
            </li>
          ))}
        </ul>
      )}
      <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
        {filter.page > 1 && (
          <Link to={address({ ...filter, page: filter.page - 1 })} className={button.quiet}>
            Back
          </Link>
        )}
        {more && (
          <Link to={address({ ...filter, page: filter.page + 1 })} className={button.quiet}>
            Further
          </Link>
        )}
      </nav>
    </>
  );
}
