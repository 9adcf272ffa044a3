import { href, Link } from 'react-router';
import { listInbox } from '#app/features/enquiries/inbox.server.ts';
import {
  type EnquiryState,
  enquiryStates,
  type InboxFilter,
  inboxFilterOf,
  inboxQuery,
  kindLabels,
  stateLabels,
} from '#app/features/enquiries/inbox.ts';
import type { EnquiryKind } from '#app/features/enquiries/schema.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import type { Route } from './+types/enquiries';
import { ListFilters } from './frame/list-filters.tsx';
import { staffMeta } from './frame/staff-meta.ts';
import { StatePill } from './frame/state-pill.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enquiries:read');
  const filter = inboxFilterOf(url.searchParams);
  const { page, older } = await orAway(() => listInbox(context.get(academyContext).db, actor, filter));
  return {
    filter,
    older,
    rows: page.map((row) => ({
      reference: row.reference,
      kind: kindLabels[row.kind as EnquiryKind],
      state: row.state as EnquiryState,
      sender: showControlCharacters(`${row.first_name} ${row.last_name}`),
      email: showControlCharacters(row.email),
      beginning: showControlCharacters(row.beginning ?? ''),
      corrects: row.corrects,
      sentAt: formatMoment(row.created_at),
      handled: row.state_by && row.state_at ? `${row.state_by}, ${formatMoment(row.state_at)}` : null,
    })),
  };
}

export const meta = () => staffMeta('Inbox');

type Row = Route.ComponentProps['loaderData']['rows'][number];

export default function Enquiries({ loaderData }: Route.ComponentProps) {
  const { filter, rows, older } = loaderData;
  return (
    <>
      <h1 className="text-2xl">Inbox</h1>
      <Filters filter={filter} />
      {rows.length === 0 ? (
        <p className="rounded-control border border-line bg-card p-5">
          {older
            ? 'Nothing among the newest of these. Older ones can be searched too.'
            : inboxQuery(filter) === ''
              ? 'Nobody has written yet.'
              : 'Nothing fits. Try fewer words, or another state.'}
        </p>
      ) : (
        <ul className="overflow-hidden rounded-control border border-line bg-card">
          {rows.map((row) => (
            <EnquiryRow key={row.reference} row={row} />
          ))}
        </ul>
      )}
      <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
        {filter.before && (
          <Link to={inboxAddress({ ...filter, before: null })} className={button.quiet}>
            Newest
          </Link>
        )}
        {older && (
          <Link to={inboxAddress({ ...filter, before: older })} className={button.quiet}>
            {filter.search ? 'Search older ones' : 'Older'}
          </Link>
        )}
      </nav>
    </>
  );
}

const inboxAddress = (filter: InboxFilter) => href('/staff/enquiries') + inboxQuery(filter);

function Filters({ filter }: { filter: InboxFilter }) {
  return (
    <ListFilters
      states={[null, ...enquiryStates].map((state) => ({
        label: state ? stateLabels[state] : 'All',
        to: inboxAddress({ ...filter, state, before: null }),
        current: state === filter.state,
      }))}
      key={inboxQuery(filter)}
      action={href('/staff/enquiries')}
      state={filter.state}
      search={filter.search}
      searches="Name, e-mail, reference or words of the message"
      placeholder="Name, e-mail, reference, words"
    >
      <label>
        <span className="sr-only">Kind</span>
        <select name="kind" defaultValue={filter.kind ?? ''} className={select}>
          <option value="">Every kind</option>
          {Object.entries(kindLabels).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </ListFilters>
  );
}

function EnquiryRow({ row }: { row: Row }) {
  return (
    <li className="relative grid gap-x-5 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 hover:bg-paper md:grid-cols-[13rem_minmax(0,1fr)_11rem] lg:grid-cols-[17rem_minmax(0,1fr)_12rem]">
      <div className="min-w-0">
        <Link
          to={href('/staff/enquiries/:reference', { reference: row.reference })}
          className="font-bold text-link underline-offset-4 after:absolute after:inset-0 hover:underline"
        >
          {row.sender}
        </Link>
        <p className="truncate text-sm text-mute">{row.email}</p>
      </div>
      <div className="min-w-0 text-sm">
        <p className="font-semibold">
          {row.kind} <span className="tabular font-normal text-mute">{row.reference}</span>
          {row.corrects && <span className="font-normal text-mute"> corrects {row.corrects}</span>}
        </p>
        <p className="truncate text-mute">{row.beginning}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm md:block md:text-right">
        <StatePill state={row.state} />
        <p className="tabular text-mute md:mt-1">{row.sentAt}</p>
        {row.handled && <p className="text-mute">{row.handled}</p>}
      </div>
    </li>
  );
}
