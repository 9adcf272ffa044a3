import { bookingFile } from '#app/features/inbox/bookings/mails.server.ts';
import { findBookingByToken } from '#app/features/inbox/bookings/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { returnWhenAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/booking-file';

const own = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** The booking of a private link as a calendar file; like the mails' it holds no link. */
export async function loader({ context, params: { token } }: Route.LoaderArgs): Promise<Response> {
  const { db, academy } = context.get(academyContext);
  try {
    const booking = await findBookingByToken(db, token);
    if (!booking) return new Response('Not found\n', { status: 404, headers: own });
    return new Response(bookingFile(booking, academy()), {
      headers: {
        ...own,
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': `attachment; filename="${booking.reference}.ics"`,
      },
    });
  } catch (error) {
    returnWhenAway(error);
    const text =
      'Our system is not available. Your booking is saved and is not lost. Please try again in a few minutes.\n';
    return new Response(text, { status: 503, headers: { ...own, 'Retry-After': '60' } });
  }
}
