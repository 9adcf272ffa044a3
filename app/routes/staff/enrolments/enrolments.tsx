import { href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay, formatDays } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { ListPage, RowLink } from '#app/ui/staff/list.tsx';
import { TextLink, Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/enrolments';
import { enrolmentList } from './enrolment-filter.ts';
import { listEnrolments } from './enrolments.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const { db, clock } = context.get(academyContext);
  const filter = enrolmentList.filterOf(url.searchParams);
  const { enrolments, older, tooMany } = await orAway(() => listEnrolments(db, actor, filter, academyToday(clock)));
  return {
    filter,
    older,
    tooMany,
    rows: enrolments.map((row) => ({
      reference: row.reference,
      title: row.title,
      buyer: showControlCharacters(row.organisation ? `${row.buyer_name}, ${row.organisation}` : row.buyer_name),
      email: showControlCharacters(row.email),
      places: row.places ?? 0,
      firstDay: row.first_day ? formatDays(row.first_day, row.first_day) : null,
      placed: `${formatMoment(row.placed_at)}${row.placed_by ? `, by ${row.placed_by}` : ''}`,
      money: moneyInWords(row.balance_cents, row.due_on),
      owes: row.balance_cents > 0,
    })),
  };
}

function moneyInWords(balanceCents: number, dueOn: string | null): string {
  if (balanceCents === 0) return 'Nothing owed';
  if (balanceCents < 0) return `${formatMoney(-balanceCents)} too much paid`;
  return `${formatMoney(balanceCents)} owed, ${dueOn ? `due ${formatDay(dueOn).replace(/^\w+ /, '')}` : 'not due yet'}`;
}

export const meta = () => staffMeta('Enrolments');

export default function Enrolments({ loaderData: { filter, rows, older, tooMany } }: Route.ComponentProps) {
  const everything = enrolmentList.to(filter, {}) === enrolmentList.path;
  return (
    <ListPage
      title="Enrolments"
      begin={
        <OnlyWith permission="enrolments:change">
          <Link to={href('/staff/enrolments/new')} className={button.quiet}>
            Enrol somebody
          </Link>
        </OnlyWith>
      }
      address={enrolmentList}
      filter={filter}
      searches="Name, email, reference, invoice number, phone or organisation"
      placeholder="Name, email, reference, invoice"
      notes={<Notes filter={filter} tooMany={tooMany} />}
      rows={rows}
      keyOf={({ reference }) => reference}
      columns="md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_13rem]"
      leads
      none={
        <Words>{everything ? 'Nobody has enrolled yet.' : 'No matches. Try fewer words, or another status.'}</Words>
      }
      pages={enrolmentList.newestAndOlder(filter, older)}
    >
      {(row) => (
        <>
          <div className="min-w-0">
            <RowLink to={href('/staff/enrolments/:reference', { reference: row.reference })}>{row.buyer}</RowLink>
            <p className="truncate text-sm text-mute">{row.email}</p>
          </div>
          <div className="min-w-0 text-sm">
            <p className="font-semibold">
              {row.title} <span className="tabular font-normal text-mute">{row.reference}</span>
            </p>
            <p className="tabular text-mute">
              {row.places === 0 ? 'No place left' : `${row.places} ${row.places === 1 ? 'place' : 'places'}`}
              {row.firstDay && `, first day ${row.firstDay}`}
            </p>
          </div>
          <div className="tabular text-sm md:text-right">
            <p className={row.owes ? 'font-bold' : 'text-mute'}>{row.money}</p>
            <p className="text-mute">{row.placed}</p>
          </div>
        </>
      )}
    </ListPage>
  );
}

function Notes({ filter, tooMany }: Pick<Route.ComponentProps['loaderData'], 'filter' | 'tooMany'>) {
  return (
    <>
      {filter.state === 'unpaid' && (
        <p className="mb-4 text-sm">
          <TextLink to={href('/staff/unpaid')}>Unpaid seats that belong together</TextLink>
        </p>
      )}
      {filter.session && (
        <p className="mb-4 text-sm">
          Only enrolments with a place in{' '}
          <TextLink to={href('/staff/sessions/:slug', { slug: filter.session })}>{filter.session}</TextLink>.{' '}
          <TextLink to={enrolmentList.to(filter, { session: null })}>All sessions</TextLink>
        </p>
      )}
      {tooMany && (
        <p role="status" className="mb-4 rounded-control border border-edge bg-card p-4">
          More than 2,000 match these words, so we searched only some of them. Add a word.
        </p>
      )}
    </>
  );
}
