import { href, Link } from 'react-router';
import { bookingKinds } from '#app/features/inbox/bookings/kinds.ts';
import { listBookings } from '#app/features/inbox/bookings/queries.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { button } from '#app/ui/button.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { PagesNav, RowLink, Rows } from '#app/ui/staff/list.tsx';
import { listAddress, oneOf } from '#app/ui/staff/list-address.ts';
import { ListBar } from '#app/ui/staff/list-bar.tsx';
import { PageHead, Tabs } from '#app/ui/staff/page-head.tsx';
import type { Route } from './+types/bookings';
import { staffMeta } from './frame/staff-meta.ts';

const states = { upcoming: 'To come', past: 'Past', cancelled: 'Cancelled' } as const;
const address = listAddress({
  path: href('/staff/bookings'),
  filters: { state: (text) => oneOf(states)(text) ?? 'upcoming' },
});

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'bookings:read');
  const { db, clock } = context.get(academyContext);
  const view = address.viewOf(url.searchParams);
  const { bookings, total, pages } = await unlessDatabaseAway(() =>
    listBookings(db, actor, { ...view, ...view.values, now: clock.now() }),
  );
  return {
    view,
    total,
    pages,
    rows: bookings.map((booking) => ({
      reference: booking.reference,
      kind: bookingKinds[booking.kind].title,
      start: formatMoment(booking.startsAt),
      name: showControlCharacters(booking.name),
      email: showControlCharacters(booking.email),
      note: showControlCharacters(booking.note ?? ''),
      cancelled: booking.cancelledAt ? formatMoment(booking.cancelledAt) : null,
    })),
  };
}

export const meta = () => staffMeta('Bookings');

export default function Bookings({ loaderData: { view, rows, total, pages } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Bookings">
        <OnlyWith permission="bookings:change">
          <Link to={href('/staff/bookings/new')} className={button.primary}>
            New booking
          </Link>
        </OnlyWith>
      </PageHead>
      <Tabs label="State" tabs={address.tabsOf(view, 'state', states)} />
      <ListBar list={address} view={view} searches="Name, email or reference" placeholder="Name, email, reference" />
      <p className="mb-5 text-sm text-mute">
        {total === 0 ? 'No bookings' : total === 1 ? '1 booking' : `${total} bookings`}. All times are in Brisbane.
      </p>
      <Rows rows={rows} keyOf={({ reference }) => reference} leads columns="md:grid-cols-[13rem_17rem_minmax(0,1fr)]">
        {(row) => (
          <>
            <div>
              <p className="tabular font-bold">{row.start}</p>
              <p className="text-sm text-mute">{row.kind}</p>
            </div>
            <div className="min-w-0">
              <p className="break-words">
                <RowLink to={href('/staff/bookings/:reference', { reference: row.reference })}>{row.name}</RowLink>
              </p>
              <p className="break-words text-sm text-mute">{row.email}</p>
            </div>
            <div className="min-w-0 text-sm">
              <p className="tabular text-mute">
                {row.reference}
                {row.cancelled && ` cancelled ${row.cancelled}`}
              </p>
              {row.note && <p className="whitespace-pre-wrap break-words">{row.note}</p>}
            </div>
          </>
        )}
      </Rows>
      <PagesNav pages={address.numbered(view, view.page < pages, ['Previous page', 'Next page'])} />
    </>
  );
}
