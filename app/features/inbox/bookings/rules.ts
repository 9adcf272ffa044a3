import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { businessHoursOn } from '#app/lib/business-hours.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { minuteMs } from '#app/lib/durations.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { BookingKind } from './kinds.ts';

/** From the start to the end, the end excluded. */
export type Span = { start: Date; end: Date };
/** The times at which an adviser cannot be booked, including the pause after a booking. */
export type Taken = Span & { adviser: number };

const noticeMs = 2 * 60 * minuteMs;
const daysAhead = 28;

/** The days on which times may be offered at `now`, closed ones included: today and the four weeks after it. */
export function bookableDays(now: Date): Day[] {
  const today = academyDay(now);
  return Array.from({ length: daysAhead + 1 }, (_, days) => addDays(today, days));
}

/** The first and last instant at which a booking made at `now` may start: from two hours to four weeks ahead (P20). */
export function bookableWindow(now: Date): { from: Date; to: Date } {
  return {
    from: new Date(now.getTime() + noticeMs),
    to: new Date(now.getTime() + daysAhead * 24 * 60 * minuteMs),
  };
}

/**
 * The parts of a day in which bookings may lie: business hours in Brisbane without breaks, none on public holidays of
 * Queensland (P20).
 */
export function openSpans(day: Day, { breaks, holidays }: Pick<BookingSettings, 'breaks' | 'holidays'>): Span[] {
  const hours = businessHoursOn(day);
  if (!hours || holidays.has(day)) return [];
  let open: Hours[] = [hours];
  for (const pause of breaks) open = open.flatMap((span) => without(span, pause));
  return open.map(({ from, to }) => ({
    start: instantOf(day, from, academyZone),
    end: instantOf(day, to, academyZone),
  }));
}

/** Times of a day such as `09:00`, which compare as text. */
type Hours = { from: string; to: string };

/** The parts of a span before and after a gap. */
function without(span: Hours, gap: Hours): Hours[] {
  if (gap.to <= span.from || span.to <= gap.from) return [span];
  return [
    { from: span.from, to: gap.from },
    { from: gap.to, to: span.to },
  ].filter(({ from, to }) => from < to);
}

const gridMinutes = 15;

/**
 * The starts at which a kind is offered on a day, free or not. They follow each other by length and pause, rounded up
 * to quarters of an hour, from the beginning of each open span; the booking itself ends within the span.
 */
export function startsOn(day: Day, kind: BookingKind, settings: BookingSettings): Date[] {
  const length = settings.lengths[kind];
  const stepMs = Math.ceil((length + settings.pause) / gridMinutes) * gridMinutes * minuteMs;
  return openSpans(day, settings).flatMap(({ start, end }) => {
    const count = Math.floor((end.getTime() - length * minuteMs - start.getTime()) / stepMs) + 1;
    return Array.from({ length: Math.max(0, count) }, (_, at) => new Date(start.getTime() + at * stepMs));
  });
}

/** The end of a booking that starts at `start`, and the end of its adviser's pause after it. */
export function spansOf(kind: BookingKind, start: Date, { lengths, pause }: BookingSettings) {
  const end = new Date(start.getTime() + lengths[kind] * minuteMs);
  return { end, occupied: { start, end: new Date(end.getTime() + pause * minuteMs) } };
}

/** The first adviser who is free during a span, null when none is. */
export function freeAdviser(span: Span, taken: readonly Taken[], advisers: number): number | null {
  const busy = new Set(
    taken.filter(({ start, end }) => start < span.end && span.start < end).map(({ adviser }) => adviser),
  );
  for (let adviser = 1; adviser <= advisers; adviser++) if (!busy.has(adviser)) return adviser;
  return null;
}

/** The starts of a day at which a booking made at `now` finds a free adviser, in order. */
export function freeStartsOn(
  day: Day,
  kind: BookingKind,
  settings: BookingSettings,
  { taken, now }: { taken: readonly Taken[]; now: Date },
): Date[] {
  const { from, to } = bookableWindow(now);
  return startsOn(day, kind, settings).filter(
    (start) =>
      from <= start &&
      start <= to &&
      freeAdviser(spansOf(kind, start, settings).occupied, taken, settings.advisers) !== null,
  );
}

/** Whether a booking made at `now` may start at an instant, without regard to other bookings. */
export function isOffered(start: Date, kind: BookingKind, settings: BookingSettings, now: Date): boolean {
  return freeStartsOn(academyDay(start), kind, settings, { taken: [], now }).some(
    (one) => one.getTime() === start.getTime(),
  );
}

export type BookingState = 'upcoming' | 'past' | 'cancelled';

/** A booking that has begun is past. */
export function stateOf(booking: { startsAt: Date; cancelledAt: Date | null }, now: Date): BookingState {
  if (booking.cancelledAt) return 'cancelled';
  return booking.startsAt <= now ? 'past' : 'upcoming';
}
