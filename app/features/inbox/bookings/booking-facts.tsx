import type { CalendarLinks } from '#app/lib/calendar-links.ts';
import { CalendarButtons } from '#app/ui/calendar-buttons.tsx';
import { FactList } from '#app/ui/fact-rows.tsx';
import { When } from '#app/ui/when.tsx';
import { bookingKinds } from './kinds.ts';
import type { Booking } from './queries.server.ts';
import { formatAcademySpan, placeOf, timeElsewhere } from './zones.ts';

type Props = {
  booking: Pick<Booking, 'kind' | 'reference' | 'startsAt' | 'endsAt' | 'email' | 'note' | 'about'>;
  zone: string | null;
  calendar: CalendarLinks | null;
  /** The address of the calendar file, where the page has it. */
  file?: string;
};

/** A booking for the person who booked: its time first, with the ways to put it into a calendar, then the facts. */
export function BookingFacts({ booking, zone, calendar, file }: Props) {
  const { kind, reference, startsAt, endsAt, email, note, about } = booking;
  const elsewhere = timeElsewhere(startsAt, zone);
  const rows = [
    ['Reference', reference],
    ['About', about],
    ['Email', email],
    ['Your note', note],
  ] as const;
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-4 rounded-card border border-line bg-card p-5 sm:p-7">
      <div>
        <p>{bookingKinds[kind].title}</p>
        <When text={formatAcademySpan({ start: startsAt, end: endsAt })} />
        {elsewhere && zone && <p className="text-mute">{`${elsewhere} in ${placeOf(zone)}`}</p>}
      </div>
      <CalendarButtons file={file ?? null} links={calendar} />
      <FactList rows={rows} className="border-t border-line pt-4" />
    </div>
  );
}
