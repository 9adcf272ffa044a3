import { FactRows } from '#app/ui/fact-rows.tsx';
import { bookingKinds } from './kinds.ts';
import type { Booking } from './queries.server.ts';
import { formatAcademySpan, placeOf, timeElsewhere } from './zones.ts';

/** The facts of a booking, for the person who booked. */
export function BookingFacts({
  booking: { kind, reference, startsAt, endsAt, email, note, about },
  zone,
}: {
  booking: Pick<Booking, 'kind' | 'reference' | 'startsAt' | 'endsAt' | 'email' | 'note' | 'about'>;
  zone: string | null;
}) {
  const elsewhere = timeElsewhere(startsAt, zone);
  const rows = [
    ['What', bookingKinds[kind].title],
    ['When', formatAcademySpan({ start: startsAt, end: endsAt })],
    ['Where you are', elsewhere && zone && `${elsewhere} in ${placeOf(zone)}`],
    ['Reference', reference],
    ['About', about],
    ['Email', email],
    ['Your note', note],
  ] as const;
  return <FactRows rows={rows} className="max-w-2xl" />;
}
