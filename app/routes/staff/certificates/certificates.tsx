import { href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { inFours } from '#app/features/study/certificates/number.ts';
import { listCertificates } from '#app/features/study/certificates/staff-list.server.ts';
import {
  type CertificateColumn,
  type CertificateSort,
  certificateList,
  certificateStates,
} from '#app/features/study/certificates/staff-list.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { standingText } from '#app/lib/keyset.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { nameWithin } from '#app/lib/short-name.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { KeysetList } from '#app/ui/staff/keyset-list.tsx';
import type { CellOf } from '#app/ui/staff/keyset-rows.tsx';
import type { Route } from './+types/certificates';
import { StatePill } from './state-pill.tsx';

/** Of a course's title in a list. */
const mostTitle = 32;

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'certificates:read');
  const academy = context.get(academyContext);
  const view = certificateList.viewOf(url.searchParams);
  const { certificates, newer, older, standing } = await unlessDatabaseAway(() =>
    listCertificates(academy.db, actor, view, momentOf(academy)),
  );
  return {
    view,
    newer: newer && certificateList.address({ ...view, cursor: newer }),
    older: older && certificateList.address({ ...view, cursor: older }),
    standing: standingText(standing),
    rows: certificates.map(({ number, holderName, facts, state, issuedAt }) => ({
      number,
      shown: inFours(number),
      name: holderName === null ? 'Erased' : showControlCharacters(holderName),
      course: nameWithin(facts.course.title, mostTitle),
      whole: facts.course.title,
      state,
      issued: shortDate(academyDay(issuedAt)),
      issuedAt: formatMoment(issuedAt),
    })),
  };
}

export const meta = () => staffMeta('Certificates');

type Row = Route.ComponentProps['loaderData']['rows'][number];

const cells: Record<CertificateColumn, CellOf<Row, CertificateSort>> = {
  name: {
    cell: ({ number, name }) => (
      <Link to={href('/staff/certificates/:number', { number })} className="font-semibold hover:underline">
        {name}
      </Link>
    ),
    cut: ({ name }) => name,
    width: 'sm:w-32 lg:w-auto',
  },
  course: { cell: ({ course }) => course, cut: ({ whole }) => whole },
  number: { cell: ({ shown }) => <span className="text-mute">{shown}</span>, width: 'sm:w-36' },
  state: { cell: ({ state }) => <StatePill state={state} />, width: 'sm:w-24' },
  issued: {
    cell: ({ issued, issuedAt }) => (
      <span className="text-mute" title={issuedAt}>
        {issued}
      </span>
    ),
    sort: 'issued',
    right: true,
    width: 'sm:w-28',
  },
};

export default function Certificates({ loaderData }: Route.ComponentProps) {
  const { view, newer, older, standing, rows } = loaderData;
  const { state } = view.values;
  const tabs = [['', 'All'] as const, ...Object.entries(certificateStates)].map(([name, text]) => ({
    text,
    to: certificateList.to(view, { values: { state: name || null } }),
    current: (state ?? '') === name,
  }));
  const nothing = state === 'look' ? 'Nothing to look at.' : 'No certificates here.';
  return (
    <KeysetList
      title="Certificates"
      csv={href('/staff/certificates.csv')}
      address={certificateList}
      view={view}
      tabs={tabs}
      searches="Number, name, course"
      chips={[]}
      rows={rows}
      keyOf={({ number }) => number}
      cells={cells}
      standing={standing}
      newer={newer}
      older={older}
      none={view.search ? 'No matches. Try fewer words.' : nothing}
    />
  );
}
