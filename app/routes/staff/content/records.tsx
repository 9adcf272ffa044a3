import { data, Form, href, Link } from 'react-router';
import { type ListState, listRecords, listStates } from '#app/features/catalogue/site/content-list.server.ts';
import { kindInAddress, kindOfAddress, singleKinds, wordsOf } from '#app/features/content/form/kinds.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { CutCell } from '#app/ui/staff/cells.tsx';
import { PageHead, Tabs } from '#app/ui/staff/page-head.tsx';
import { Back, Pill, Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/records';

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'content:read');
  const kind = kindOfAddress(params.kind);
  if (!kind) throw data(`There is no kind of content "${params.kind}".`, { status: 404 });
  const { db } = context.get(academyContext);
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, 100);
  const asked = url.searchParams.get('state');
  const state = listStates.find((one) => one === asked) ?? null;
  const records = await unlessDatabaseAway(() => listRecords(db, actor, kind, { search, state }));
  const { many, one } = wordsOf(kind);
  return { address: kindInAddress(kind), many, one, single: singleKinds.includes(kind), records, search, state };
}

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.many ?? 'Content');

const stateWords: Record<ListState, string> = {
  live: 'Published',
  draft: 'With a draft',
  scheduled: 'Scheduled',
  retired: 'Retired',
};

export default function Records({ loaderData }: Route.ComponentProps) {
  const { address, many, one, single, records, search, state } = loaderData;
  const path = href('/staff/content/:kind', { kind: address });
  const to = (change: { state: string | null }) => {
    const query = new URLSearchParams({ ...(search && { search }), ...(change.state && { state: change.state }) });
    return query.size > 0 ? `${path}?${query}` : path;
  };
  const tabs = [null, ...(['live', 'draft', 'scheduled', 'retired'] as const)].map((each) => ({
    to: to({ state: each }),
    text: each ? stateWords[each] : 'All',
    current: each === state,
  }));
  return (
    <>
      <Back to={href('/staff/content')}>Content</Back>
      <PageHead title={many} beside={`${records.length}`}>
        {!single && (
          <OnlyWith permission="content:change">
            <Link to={href('/staff/content/:kind/new', { kind: address })} className={button.quiet}>
              New {one}
            </Link>
          </OnlyWith>
        )}
      </PageHead>
      <Tabs label="States" tabs={tabs} />
      {!single && (
        <Form role="search" action={path} key={`${search} ${state}`} className="mb-3 flex max-w-md gap-2">
          {state && <input type="hidden" name="state" value={state} />}
          <input
            type="search"
            name="search"
            aria-label={`Search ${many}`}
            placeholder="Name or address"
            defaultValue={search}
            className={`${field} min-w-0 flex-1`}
          />
          <button type="submit" className={button.quiet}>
            Search
          </button>
        </Form>
      )}
      {records.length === 0 ? (
        <Words wide>
          {search || state ? (
            <>
              Nothing matches {search && `“${search}”`} {state && `“${stateWords[state]}”`}.{' '}
              <TextLink to={path}>Show all</TextLink>
            </>
          ) : (
            `There is no ${one} yet.`
          )}
        </Words>
      ) : (
        <Table label={many} rows="dense" head={['Name', 'State', 'Changed', 'By']}>
          {records.map((record) => (
            <tr key={record.id}>
              <CutCell title={record.title} className="w-1/2">
                <Link
                  to={href('/staff/content/:kind/:id', { kind: address, id: String(record.id) })}
                  className="font-semibold underline-offset-3 hover:underline"
                >
                  {record.title}
                </Link>
              </CutCell>
              <td>
                <RecordState {...record} />
              </td>
              <td className="whitespace-nowrap">{record.changed}</td>
              <CutCell title={record.by} className="w-1/5">
                {record.by}
              </CutCell>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

type Row = Route.ComponentProps['loaderData']['records'][number];

function RecordState({ state, overState, publishAt }: Row) {
  const live = state === 'published' ? 'Published' : state === 'retired' ? 'Retired' : 'Not published yet';
  if (overState === 'scheduled') return <Pill look="open">{`${live}, goes out ${publishAt}`}</Pill>;
  if (overState === 'draft') return <Pill look="open">{`${live}, draft`}</Pill>;
  return <Pill look="calm">{live}</Pill>;
}
