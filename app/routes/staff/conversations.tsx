import { useEffect, useEffectEvent } from 'react';
import { href, Link, useOutletContext, useRevalidator } from 'react-router';
import { listConversations } from '#app/features/conversations/queries.server.ts';
import {
  type ConversationFilter,
  type ConversationState,
  conversationFilterOf,
  conversationQuery,
  conversationStates,
  stateLabels,
} from '#app/features/conversations/states.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/conversations';
import { ListFilters } from './frame/list-filters.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import { StatePill } from './frame/state-pill.tsx';
import type { LiveCount } from './layout.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'conversations:read');
  const filter = conversationFilterOf(url.searchParams);
  const { rows, more } = await orAway(() => listConversations(context.get(academyContext).db, actor, filter));
  return {
    filter,
    more,
    rows: rows.map((row) => ({
      id: row.id,
      state: row.state as ConversationState,
      name: showControlCharacters(row.name ?? 'Visitor'),
      email: row.email ? showControlCharacters(row.email) : 'no e-mail address',
      beginning: showControlCharacters(row.beginning ?? ''),
      since: formatMoment(row.state_at),
      by: row.by,
    })),
  };
}

export const meta = () => staffMeta('Chats');

type Row = Route.ComponentProps['loaderData']['rows'][number];

export default function Conversations({ loaderData }: Route.ComponentProps) {
  const { filter, rows, more } = loaderData;
  useRenewedList();
  return (
    <>
      <h1 className="text-2xl">Chats</h1>
      <Filters filter={filter} />
      {rows.length === 0 ? (
        <p className="rounded-control border border-line bg-card p-5">
          {conversationQuery(filter) === ''
            ? 'Nobody has started a chat yet. While this page is open, visitors are told that staff are online.'
            : 'Nothing fits. Try fewer words, or another state.'}
        </p>
      ) : (
        <ul className="overflow-hidden rounded-control border border-line bg-card">
          {rows.map((row) => (
            <ConversationRow key={row.id} row={row} />
          ))}
        </ul>
      )}
      <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
        {filter.page > 1 && (
          <Link to={listAddress({ ...filter, page: filter.page - 1 })} className={button.quiet}>
            Back
          </Link>
        )}
        {more && (
          <Link to={listAddress({ ...filter, page: filter.page + 1 })} className={button.quiet}>
            Further
          </Link>
        )}
      </nav>
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

const listAddress = (filter: ConversationFilter) => href('/staff/conversations') + conversationQuery(filter);

function Filters({ filter }: { filter: ConversationFilter }) {
  return (
    <ListFilters
      states={[null, ...conversationStates].map((state) => ({
        label: state ? stateLabels[state] : 'All',
        to: listAddress({ ...filter, state, page: 1 }),
        current: state === filter.state,
      }))}
      key={conversationQuery(filter)}
      action={href('/staff/conversations')}
      state={filter.state}
      search={filter.search}
      searches="Name, e-mail or words of a message"
      placeholder="Name, e-mail, words"
    />
  );
}

function ConversationRow({ row }: { row: Row }) {
  return (
    <li className="relative grid gap-x-5 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 hover:bg-paper md:grid-cols-[13rem_minmax(0,1fr)_11rem] lg:grid-cols-[17rem_minmax(0,1fr)_12rem]">
      <div className="min-w-0">
        <Link
          to={href('/staff/conversations/:id', { id: String(row.id) })}
          className="font-bold text-link underline-offset-4 after:absolute after:inset-0 hover:underline"
        >
          {row.name}
        </Link>
        <p className="truncate text-sm text-mute">{row.email}</p>
      </div>
      <p className="min-w-0 truncate text-sm text-mute">{row.beginning}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm md:block md:text-right">
        <StatePill state={row.state} />
        <p className="tabular text-mute md:mt-1">
          {row.state === 'waiting' && 'since '}
          {row.since}
        </p>
        {row.by && <p className="text-mute">{row.by}</p>}
      </div>
    </li>
  );
}
