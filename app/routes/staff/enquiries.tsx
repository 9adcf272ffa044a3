import { href } from 'react-router';
import { listInbox } from '#app/features/enquiries/inbox.server.ts';
import { type EnquiryState, inbox, kindLabels } from '#app/features/enquiries/inbox.ts';
import type { EnquiryKind } from '#app/features/enquiries/schema.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { select } from '#app/ui/field.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { ListPage, RowLink } from '#app/ui/staff/list.tsx';
import { Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/enquiries';
import { staffMeta } from './frame/staff-meta.ts';
import { StateCell } from './frame/state-pill.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enquiries:read');
  const filter = inbox.filterOf(url.searchParams);
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

export default function Enquiries({ loaderData: { filter, rows, older } }: Route.ComponentProps) {
  const everything = inbox.to(filter, filter) === inbox.path;
  const nothing = everything ? 'Nobody has written yet.' : 'No matches. Try fewer words, or another status.';
  return (
    <ListPage
      title="Inbox"
      address={inbox}
      filter={filter}
      searches="Name, email, reference or words of the message"
      placeholder="Name, email, reference, words"
      field={<KindField kind={filter.kind} />}
      rows={rows}
      keyOf={({ reference }) => reference}
      columns="md:grid-cols-[13rem_minmax(0,1fr)_11rem] lg:grid-cols-[17rem_minmax(0,1fr)_12rem]"
      leads
      none={<Words wide>{older ? 'No matches among the newest. You can also search the older ones.' : nothing}</Words>}
      pages={inbox.newestAndOlder(filter, older, filter.search ? 'Search older ones' : 'Older')}
    >
      {(row) => (
        <>
          <div className="min-w-0">
            <RowLink to={href('/staff/enquiries/:reference', { reference: row.reference })}>{row.sender}</RowLink>
            <p className="truncate text-sm text-mute">{row.email}</p>
          </div>
          <div className="min-w-0 text-sm">
            <p className="font-semibold">
              {row.kind} <span className="tabular font-normal text-mute">{row.reference}</span>
              {row.corrects && <span className="font-normal text-mute"> corrects {row.corrects}</span>}
            </p>
            <p className="truncate text-mute">{row.beginning}</p>
          </div>
          <StateCell state={row.state} at={row.sentAt} by={row.handled} />
        </>
      )}
    </ListPage>
  );
}

function KindField({ kind }: { kind: EnquiryKind | null }) {
  return (
    <label>
      <span className="sr-only">Kind</span>
      <select name="kind" defaultValue={kind ?? ''} className={select}>
        <Options none="Every kind" of={Object.entries(kindLabels)} />
      </select>
    </label>
  );
}
