import { href } from 'react-router';
import { listInbox } from '#app/features/inbox/enquiries/inbox.server.ts';
import { inbox, kindLabels, stateLabels } from '#app/features/inbox/enquiries/inbox.ts';
import type { EnquiryKind } from '#app/features/inbox/enquiries/schema.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { PagesNav, RowLink, Rows } from '#app/ui/staff/list.tsx';
import { ListBar } from '#app/ui/staff/list-bar.tsx';
import { PageHead, Tabs } from '#app/ui/staff/page-head.tsx';
import { Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/enquiries';
import { staffMeta } from './frame/staff-meta.ts';
import { StateCell } from './frame/state-pill.tsx';
import { listTabs } from './lists/list-tabs.server.ts';
import { SaveView } from './lists/save-view.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enquiries:read');
  const view = inbox.viewOf(url.searchParams);
  const { db } = context.get(academyContext);
  const query = inbox.queryOf(view).toString();
  const { page, older, tabs, isNamed } = await unlessDatabaseAway(async () => ({
    ...(await listInbox(db, actor, view)),
    ...(await listTabs(db, actor, { list: 'enquiries', path: inbox.path, query, builtIn: [] })),
  }));
  return {
    view,
    older,
    query,
    isNamed,
    // The states stand above the list already.
    tabs: tabs.slice(1),
    file: actor.can.has('lists:export') ? inbox.address(view, `${inbox.path}.csv`) : null,
    form: blankStaffForm(0),
    rows: page.map((row) => ({
      reference: row.reference,
      kind: kindLabels[row.kind],
      state: row.state,
      sender: showControlCharacters(`${row.first_name} ${row.last_name}`),
      email: showControlCharacters(row.email),
      beginning: showControlCharacters(row.beginning ?? ''),
      corrects: row.corrects,
      came: row.state_at && `Came ${formatMoment(row.created_at)}`,
      since: formatMoment(row.state_at ?? row.created_at),
      by: row.state_by,
    })),
  };
}

export const meta = () => staffMeta('Messages');

export default function Enquiries({ loaderData }: Route.ComponentProps) {
  const { view, rows, older, query, isNamed, tabs, file, form } = loaderData;
  const everything = inbox.address(view) === inbox.path;
  const nothing = everything ? 'Nobody has written yet.' : 'No matches. Try fewer words, or another status.';
  return (
    <>
      <PageHead title="Messages">
        {file && (
          <a href={file} className={button.quiet}>
            Export CSV
          </a>
        )}
        <SaveView list="enquiries" query={query} form={form} isNamed={isNamed} />
      </PageHead>
      <Tabs label="State" tabs={inbox.tabsOf(view, 'state', stateLabels)} />
      <ListBar
        list={inbox}
        view={view}
        searches="Name, email, reference or words of the message"
        placeholder="Name, email, reference, words"
        field={{ name: 'kind', input: <KindField kind={view.values.kind} /> }}
      />
      {tabs.length > 0 && <Tabs label="Views" tabs={tabs} />}
      <Rows
        rows={rows}
        keyOf={({ reference }) => reference}
        columns="md:grid-cols-[13rem_minmax(0,1fr)_auto] lg:grid-cols-[17rem_minmax(0,1fr)_auto]"
        leads
        none={
          <Words wide>{older ? 'No matches among the newest. You can also search the older ones.' : nothing}</Words>
        }
      >
        {(row) => (
          <>
            <div className="min-w-0">
              <RowLink to={href('/staff/enquiries/:reference', { reference: row.reference })}>{row.sender}</RowLink>
              <p className="truncate text-sm text-mute">{row.email}</p>
            </div>
            <div className="min-w-0 text-sm">
              <p className="font-semibold">
                {row.kind} <span className="tabular font-normal whitespace-nowrap text-mute">{row.reference}</span>
                {row.corrects && (
                  <span className="font-normal whitespace-nowrap text-mute"> corrects {row.corrects}</span>
                )}
                {row.came && <span className="tabular ml-3 font-normal whitespace-nowrap text-mute">{row.came}</span>}
              </p>
              <p className="truncate text-mute">{row.beginning}</p>
            </div>
            <StateCell state={row.state} at={row.since} by={row.by} />
          </>
        )}
      </Rows>
      <PagesNav pages={inbox.newestAndOlder(view, older, view.search ? 'Search older ones' : 'Older')} />
    </>
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
