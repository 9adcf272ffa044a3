import { href, Link } from 'react-router';
import { bookingKinds } from '#app/features/bookings/kinds.ts';
import { listBookings } from '#app/features/bookings/queries.server.ts';
import type { BookingState } from '#app/features/bookings/rules.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/bookings';
import { ListFilters } from './frame/list-filters.tsx';
import { staffMeta } from './frame/staff-meta.ts';

const states: readonly [BookingState, string][] = [
  ['upcoming', 'To come'],
  ['past', 'Past'],
  ['cancelled', 'Cancelled'],
];

type Filter = { state: BookingState; search: string; page: number };

function filterOf(params: URLSearchParams): Filter {
  const page = Number(params.get('page') ?? 1);
  return {
    state: states.find(([state]) => state === params.get('state'))?.[0] ?? 'upcoming',
    search: (params.get('search') ?? '').toWellFormed().replaceAll('\0', '').trim().slice(0, 100),
    page: Number.isSafeInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'bookings:read');
  const { db, clock } = context.get(academyContext);
  const filter = filterOf(url.searchParams);
  const { bookings, total, pages } = await orAway(() => listBookings(db, actor, { ...filter, now: clock.now() }));
  return {
    filter,
    total,
    pages,
    rows: bookings.map((booking) => ({
      reference: booking.reference,
      kind: bookingKinds[booking.kind].title,
      start: formatMoment(booking.startsAt),
      adviser: booking.adviser,
      name: showControlCharacters(booking.name),
      email: showControlCharacters(booking.email),
      note: showControlCharacters(booking.note ?? ''),
      cancelled: booking.cancelledAt ? formatMoment(booking.cancelledAt) : null,
    })),
  };
}

export const meta = () => staffMeta('Bookings');

function addressOf({ state, search, page }: Filter): string {
  const params = new URLSearchParams();
  if (search) params.set('search', search);
  if (state !== 'upcoming') params.set('state', state);
  if (page > 1) params.set('page', String(page));
  return href('/staff/bookings') + (params.size > 0 ? `?${params}` : '');
}

export default function Bookings({ loaderData }: Route.ComponentProps) {
  const { filter, rows, total, pages } = loaderData;
  return (
    <>
      <h1 className="text-2xl">Bookings</h1>
      <ListFilters
        states={states.map(([state, label]) => ({
          label,
          to: addressOf({ ...filter, state, page: 1 }),
          current: state === filter.state,
        }))}
        key={addressOf(filter)}
        action={href('/staff/bookings')}
        state={filter.state === 'upcoming' ? null : filter.state}
        search={filter.search}
        searches="Name, e-mail or reference"
        placeholder="Name, e-mail, reference"
      />
      <p className="mb-5 text-sm text-mute">{total === 1 ? '1 booking' : `${total} bookings`}. Times are Brisbane's.</p>
      {rows.length > 0 && (
        <ul className="overflow-hidden rounded-control border border-line bg-card">
          {rows.map((row) => (
            <li
              key={row.reference}
              className="grid gap-x-5 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 md:grid-cols-[13rem_17rem_minmax(0,1fr)]"
            >
              <div>
                <p className="tabular font-bold">{row.start}</p>
                <p className="text-sm text-mute">
                  {row.kind}, adviser {row.adviser}
                </p>
              </div>
              <div className="min-w-0">
                <p className="break-words font-bold">{row.name}</p>
                <p className="break-words text-sm text-mute">{row.email}</p>
              </div>
              <div className="min-w-0 text-sm">
                <p className="tabular text-mute">
                  {row.reference}
                  {row.cancelled && ` cancelled ${row.cancelled}`}
                </p>
                {row.note && <p className="whitespace-pre-wrap break-words">{row.note}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
      <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
        {filter.page > 1 && (
          <Link to={addressOf({ ...filter, page: filter.page - 1 })} className={button.quiet}>
            Previous page
          </Link>
        )}
        {filter.page < pages && (
          <Link to={addressOf({ ...filter, page: filter.page + 1 })} className={button.quiet}>
            Next page
          </Link>
        )}
      </nav>
    </>
  );
}
