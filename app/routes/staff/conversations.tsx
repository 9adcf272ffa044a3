import { useEffect, useEffectEvent } from 'react';
import { href, useOutletContext, useRevalidator } from 'react-router';
import { listConversations } from '#app/features/inbox/conversations/queries.server.ts';
import { chats, stateLabels } from '#app/features/inbox/conversations/states.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { PagesNav, RowLink, Rows } from '#app/ui/staff/list.tsx';
import { ListBar } from '#app/ui/staff/list-bar.tsx';
import { PageHead, Tabs } from '#app/ui/staff/page-head.tsx';
import { Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/conversations';
import { staffMeta } from './frame/staff-meta.ts';
import { StateCell } from './frame/state-pill.tsx';
import type { LiveCount } from './layout.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'conversations:read');
  const view = chats.viewOf(url.searchParams);
  const { rows, more } = await unlessDatabaseAway(() => listConversations(context.get(academyContext).db, actor, view));
  return {
    view,
    more,
    rows: rows.map((row) => ({
      id: row.id,
      state: row.state,
      name: showControlCharacters(row.name ?? 'Visitor'),
      email: row.email ? showControlCharacters(row.email) : 'no email address',
      beginning: showControlCharacters(row.beginning ?? ''),
      since: `${row.state === 'waiting' ? 'since ' : ''}${formatMoment(row.state_at)}`,
      by: row.by,
    })),
  };
}

export const meta = () => staffMeta('Chats');

export default function Conversations({ loaderData: { view, rows, more } }: Route.ComponentProps) {
  useRenewedList();
  return (
    <>
      <PageHead title="Chats" />
      <Tabs label="State" tabs={chats.tabsOf(view, 'state', stateLabels)} />
      <ListBar list={chats} view={view} searches="Name, email or words of a message" placeholder="Name, email, words" />
      <Rows
        rows={rows}
        keyOf={({ id }) => id}
        columns="md:grid-cols-[13rem_minmax(0,1fr)_15.5rem] lg:grid-cols-[17rem_minmax(0,1fr)_15.5rem]"
        leads
        none={
          <Words wide>
            {chats.address(view) === chats.path
              ? 'Nobody has started a chat yet.'
              : 'No matches. Try fewer words, or another status.'}
          </Words>
        }
      >
        {(row) => (
          <>
            <div className="min-w-0">
              <RowLink to={href('/staff/conversations/:id', { id: String(row.id) })}>{row.name}</RowLink>
              <p className="truncate text-sm text-mute">{row.email}</p>
            </div>
            <p className="min-w-0 truncate text-sm text-mute">{row.beginning}</p>
            <StateCell state={row.state} at={row.since} by={row.by} />
          </>
        )}
      </Rows>
      <PagesNav pages={chats.numbered(view, more)} />
    </>
  );
}

/** Reads the list again whenever the frame has heard that conversations may have changed. */
function useRenewedList(): void {
  const { reads } = useOutletContext<LiveCount>();
  const { revalidate } = useRevalidator();
  const renew = useEffectEvent(revalidate);
  useEffect(() => {
    if (reads > 0) void renew();
  }, [reads]);
}
