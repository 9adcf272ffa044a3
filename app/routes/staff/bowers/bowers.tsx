import { href } from 'react-router';
import { listBowers } from '#app/features/bower/queries.server.ts';
import { bowerList } from '#app/features/bower/staff-list.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ListPage, RowLink } from '#app/ui/staff/list.tsx';
import { Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/bowers';
import { BowerPill } from './bower-pill.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'bowers:read');
  const filter = bowerList.filterOf(url.searchParams);
  const { bowers, more } = await orAway(() => listBowers(context.get(academyContext).db, actor, filter));
  return {
    filter,
    more,
    rows: bowers.map(({ personId, name, shownAt, hiddenWhy, reports }) => ({
      person: String(personId),
      name: name ?? reports.at(-1)?.name ?? 'Not shown now',
      isPublic: shownAt !== null && hiddenWhy === null,
      hidden: hiddenWhy !== null,
      reports: reports.length,
      shown: shownAt && formatMoment(shownAt),
    })),
  };
}

export const meta = () => staffMeta('Bowers');

export default function Bowers({ loaderData: { filter, rows, more } }: Route.ComponentProps) {
  return (
    <ListPage
      title="Bowers"
      address={bowerList}
      filter={filter}
      searches="Name"
      placeholder="Name"
      rows={rows}
      keyOf={({ person }) => person}
      columns="md:grid-cols-[15rem_minmax(0,1fr)_11rem]"
      leads
      none={<Words wide>{filter.search ? 'No matches. Try fewer letters.' : 'No bowers here.'}</Words>}
      pages={bowerList.numbered(filter, more)}
    >
      {({ person, name, isPublic, hidden, reports, shown }) => (
        <>
          <RowLink to={href('/staff/bowers/:person', { person })}>{name}</RowLink>
          <p className="text-sm">{reports === 0 ? '' : reports === 1 ? '1 report' : `${reports} reports`}</p>
          <div className="tabular text-sm">
            <BowerPill isPublic={isPublic} hidden={hidden} />
            <p className="text-mute">{shown}</p>
          </div>
        </>
      )}
    </ListPage>
  );
}
