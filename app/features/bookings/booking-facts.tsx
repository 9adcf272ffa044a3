import { bookingKinds } from './kinds.ts';
import type { Booking } from './queries.server.ts';
import { formatAcademySpan, timeElsewhere } from './zones.ts';

/** What is booked, for its holder. */
export function BookingFacts({
  booking: { kind, reference, startsAt, endsAt, email, note, about },
  zone,
}: {
  booking: Pick<Booking, 'kind' | 'reference' | 'startsAt' | 'endsAt' | 'email' | 'note' | 'about'>;
  zone: string | null;
}) {
  const rows = [
    ['What', bookingKinds[kind].title],
    ['When', formatAcademySpan({ start: startsAt, end: endsAt })],
    ['Where you are', timeElsewhere(startsAt, zone)],
    ['Reference', reference],
    ['About', about],
    ['Email', email],
    ['Your note', note],
  ] as const;
  return (
    <dl className="tabular grid max-w-2xl gap-3 rounded-card border border-line bg-card p-5 sm:p-6">
      {rows.map(
        ([name, value]) =>
          value && (
            <div
              key={name}
              className="grid gap-x-6 border-b border-line pb-3 last:border-0 last:pb-0 sm:grid-cols-[8rem_1fr]"
            >
              <dt className="text-mute">{name}</dt>
              <dd className="font-semibold whitespace-pre-line wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
