import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { listWaitingLists } from '#app/features/waiting/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatDays } from '#app/lib/dates.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/heads.tsx';
import { Rows } from '#app/ui/staff/list.tsx';
import { TextLink } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/waiting';
import { staffMeta } from './frame/staff-meta.ts';
import { courseListPrefix } from './waiting-board.server.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'waiting:read');
  const lists = await orAway(() => listWaitingLists(context.get(academyContext).db, actor));
  return lists.map(
    ({ courseSlug, courseTitle, sessionSlug, startsOn, endsOn, people, seats, offers, unconfirmed }) => ({
      to: href('/staff/waiting/:session', { session: sessionSlug ?? courseListPrefix + courseSlug }),
      title: courseTitle,
      date: startsOn && endsOn ? formatDays(startsOn, endsOn) : 'The next date',
      people,
      seats,
      offers,
      unconfirmed,
    }),
  );
}

export const meta = () => staffMeta('Waiting lists');

export default function WaitingLists({ loaderData: lists }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Waiting lists">
        <OnlyWith permission="lists:export">
          <a href={href('/staff/waiting.csv')} className={button.quiet}>
            Export CSV
          </a>
        </OnlyWith>
      </PageHead>
      <p className="mb-5 max-w-prose text-sm text-mute">
        When seats become free, we offer them automatically and in order, before anyone else can buy them. We offer none
        to people who have not confirmed their address.
      </p>
      <Rows
        rows={lists}
        keyOf={({ to }) => to}
        columns="md:grid-cols-[minmax(0,1fr)_16rem_14rem]"
        none={<p>Nobody is waiting.</p>}
      >
        {(list) => (
          <>
            <span>
              <TextLink to={list.to}>{list.title}</TextLink>
            </span>
            <span className="tabular">{list.date}</span>
            <span className="tabular text-mute">
              {list.people === 1 ? '1 entry' : `${list.people} entries`},{' '}
              {list.seats === 1 ? '1 seat' : `${list.seats} seats`}
              {list.offers > 0 && `, ${list.offers} offered`}
              {list.unconfirmed > 0 && `, ${list.unconfirmed} not confirmed yet`}
            </span>
          </>
        )}
      </Rows>
    </>
  );
}
