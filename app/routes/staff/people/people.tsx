import { href, Link } from 'react-router';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { standingText } from '#app/lib/keyset.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { listTabs } from '#app/routes/staff/lists/list-tabs.server.ts';
import { SaveView } from '#app/routes/staff/lists/save-view.tsx';
import { KeysetList } from '#app/ui/staff/keyset-list.tsx';
import type { CellOf } from '#app/ui/staff/keyset-rows.tsx';
import type { Route } from './+types/people';
import { listPeople } from './people.server.ts';
import { type PeopleColumn, type PeopleSort, peopleKinds, peopleList } from './people-filter.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'people:read');
  const { db } = context.get(academyContext);
  const view = peopleList.viewOf(url.searchParams);
  const query = peopleList.queryOf(view).toString();
  const { path } = peopleList;
  return unlessDatabaseAway(async () => {
    const { people, newer, older, standing } = await listPeople(db, actor, view);
    const kinds = Object.entries(peopleKinds).map(([kind, text]) => [text, `kind=${kind}`] as const);
    return {
      view,
      query,
      form: blankStaffForm(0),
      ...(await listTabs(db, actor, { list: 'people', path, query, builtIn: kinds })),
      newer: newer && peopleList.address({ ...view, cursor: newer }),
      older: older && peopleList.address({ ...view, cursor: older }),
      standing: standingText(standing),
      rows: people.map(({ id, name, email, phone, organisation, bought, attends, owedCents, since }) => ({
        id: String(id),
        name: showControlCharacters(name ?? 'No name'),
        email: showControlCharacters(email ?? ''),
        phone: shownPhone(phone),
        organisation: showControlCharacters(organisation ?? ''),
        bought,
        attends,
        owed: owedCents === 0 ? '0' : formatCents(owedCents),
        owes: owedCents > 0,
        since: formatMoment(since),
      })),
    };
  });
}

export const meta = () => staffMeta('People');

type Row = Route.ComponentProps['loaderData']['rows'][number];

const cells: Record<PeopleColumn, CellOf<Row, PeopleSort>> = {
  name: {
    cell: ({ id, name }) => (
      <Link to={href('/staff/people/:id', { id })} className="font-semibold hover:underline">
        {name}
      </Link>
    ),
    cut: ({ name }) => name,
    width: 'sm:w-[22%]',
  },
  address: { cell: ({ email }) => email, cut: ({ email }) => email, sort: 'address', width: 'sm:w-[30%]' },
  phone: { cell: ({ phone }) => phone, width: 'sm:w-28' },
  organisation: {
    cell: ({ organisation }) => organisation,
    cut: ({ organisation }) => organisation,
    width: 'sm:w-[24%]',
  },
  bought: { cell: ({ bought }) => bought, right: true, width: 'sm:w-20' },
  attends: { cell: ({ attends }) => attends, right: true, width: 'sm:w-16', wide: true },
  owed: {
    cell: ({ owed, owes }) => <span className={owes ? 'font-semibold' : 'text-mute'}>{owed}</span>,
    right: true,
    width: 'sm:w-24',
  },
  since: {
    cell: ({ since }) => <span className="text-sm text-mute">{since}</span>,
    sort: 'newest',
    right: true,
    wide: true,
    width: 'sm:w-44',
  },
};

export default function People({ loaderData }: Route.ComponentProps) {
  const { view, query, form, tabs, isNamed, newer, older, standing, rows } = loaderData;
  const { kind } = view.values;
  const value = kind && peopleKinds[kind as keyof typeof peopleKinds];
  return (
    <KeysetList
      title="People"
      csv={href('/staff/people.csv')}
      address={peopleList}
      view={view}
      tabs={tabs}
      saving={<SaveView list="people" query={query} form={form} isNamed={isNamed} />}
      searches="Name, email, phone, organisation"
      chips={value ? [{ name: 'kind', label: 'Who', value }] : []}
      rows={rows}
      keyOf={({ id }) => id}
      choosing={{
        list: query,
        shown: rows.map(({ id }) => id),
        all: null,
        acts: [{ to: href('/staff/people.csv'), text: 'Export as CSV', needs: 'lists:export' }],
        labelOf: ({ name, email }) => name + (email && `, ${email}`),
      }}
      cells={cells}
      standing={standing}
      newer={newer}
      older={older}
      none={
        older
          ? 'None of those we looked at match. "Older" looks further.'
          : 'Nobody matches. Use fewer words or letters.'
      }
    />
  );
}
