import { href } from 'react-router';
import { inFours } from '#app/features/certificates/number.ts';
import { listCertificates } from '#app/features/certificates/staff-list.server.ts';
import { certificateList } from '#app/features/certificates/staff-list.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { ListPage, RowLink } from '#app/ui/staff/list.tsx';
import { Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/certificates';
import { StatePill } from './state-pill.tsx';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'certificates:read');
  const academy = context.get(academyContext);
  const filter = certificateList.filterOf(url.searchParams);
  const { certificates, more } = await orAway(() => listCertificates(academy.db, actor, filter, momentOf(academy)));
  return {
    filter,
    more,
    rows: certificates.map(({ number, holderName, facts, state, issuedAt }) => ({
      number,
      shown: inFours(number),
      name: holderName === null ? 'Erased' : showControlCharacters(holderName),
      course: facts.course.title,
      state,
      issuedAt: formatMoment(issuedAt),
    })),
  };
}

export const meta = () => staffMeta('Certificates');

export default function Certificates({ loaderData: { filter, rows, more } }: Route.ComponentProps) {
  const nothing = filter.state === 'look' ? 'Nothing to look at.' : 'No certificates here.';
  return (
    <ListPage
      title="Certificates"
      address={certificateList}
      filter={filter}
      searches="Number, name or course"
      placeholder="Number, name, course"
      rows={rows}
      keyOf={({ number }) => number}
      columns="md:grid-cols-[15rem_minmax(0,1fr)_11rem]"
      leads
      none={<Words wide>{filter.search ? 'No matches. Try fewer words.' : nothing}</Words>}
      pages={certificateList.numbered(filter, more)}
    >
      {({ number, shown, name, course, state, issuedAt }) => (
        <>
          <div className="min-w-0">
            <RowLink to={href('/staff/certificates/:number', { number })}>{name}</RowLink>
            <p className="tabular text-sm text-mute">{shown}</p>
          </div>
          <p className="min-w-0 text-sm">{course}</p>
          <div className="tabular text-sm">
            <StatePill state={state} />
            <p className="text-mute">{issuedAt}</p>
          </div>
        </>
      )}
    </ListPage>
  );
}
