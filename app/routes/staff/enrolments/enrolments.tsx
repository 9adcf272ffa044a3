import { href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDay, formatDays, formatMoment } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { ListFilters } from '#app/routes/staff/frame/list-filters.tsx';
import { TextLink, Words } from '#app/routes/staff/frame/parts.tsx';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/enrolments';
import {
  type EnrolmentFilter,
  enrolmentFilterOf,
  enrolmentQuery,
  enrolmentStateLabels,
  enrolmentStates,
} from './enrolment-filter.ts';
import { listEnrolments } from './enrolments.server.ts';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const { db, clock } = context.get(academyContext);
  const filter = enrolmentFilterOf(url.searchParams);
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

const address = (filter: EnrolmentFilter) => href('/staff/enrolments') + enrolmentQuery(filter);

export default function Enrolments({ loaderData: { filter, rows, older, tooMany } }: Route.ComponentProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">Enrolments</h1>
        <Link to={href('/staff/enrolments/new')} className={button.quiet}>
          Enrol somebody
        </Link>
      </div>
      <ListFilters
        key={enrolmentQuery(filter)}
        states={[null, ...enrolmentStates].map((state) => ({
          label: state ? enrolmentStateLabels[state] : 'All',
          to: address({ ...filter, state, before: null }),
          current: state === filter.state,
        }))}
        action={href('/staff/enrolments')}
        state={filter.state}
        search={filter.search}
        searches="Name, e-mail, reference, invoice number, telephone or organisation"
        placeholder="Name, e-mail, reference, invoice"
      />
      {filter.state === 'unpaid' && (
        <p className="mb-4 text-sm">
          <TextLink to={href('/staff/unpaid')}>Unpaid seats that belong together</TextLink>
        </p>
      )}
      {filter.session && (
        <p className="mb-4 text-sm">
          Only those with a place in{' '}
          <TextLink to={href('/staff/sessions/:slug', { slug: filter.session })}>{filter.session}</TextLink>.{' '}
          <TextLink to={address({ ...filter, session: null, before: null })}>All sessions</TextLink>
        </p>
      )}
      {tooMany && (
        <p role="status" className="mb-4 rounded-control border border-edge bg-card p-4">
          More than 2,000 fit these words, so only some of them are searched. Add a word.
        </p>
      )}
      {rows.length === 0 ? (
        <Words>
          {enrolmentQuery({ ...filter, before: null }) === ''
            ? 'Nobody has enrolled yet.'
            : 'Nothing fits. Try fewer words, or another state.'}
        </Words>
      ) : (
        <ul className="overflow-hidden rounded-control border border-line bg-card">
          {rows.map((row) => (
            <li
              key={row.reference}
              className="relative grid gap-x-5 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 hover:bg-paper md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_13rem]"
            >
              <div className="min-w-0">
                <Link
                  to={href('/staff/enrolments/:reference', { reference: row.reference })}
                  className="break-words font-bold text-link underline-offset-4 after:absolute after:inset-0 hover:underline"
                >
                  {row.buyer}
                </Link>
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
            </li>
          ))}
        </ul>
      )}
      <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
        {filter.before && (
          <Link to={address({ ...filter, before: null })} className={button.quiet}>
            Newest
          </Link>
        )}
        {older && (
          <Link to={address({ ...filter, before: older })} className={button.quiet}>
            Older
          </Link>
        )}
      </nav>
    </>
  );
}
