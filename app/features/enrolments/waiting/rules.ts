import { addDays, type Day, formatDayAndMonth, mondayOf } from '#app/lib/dates.ts';
import { hourMs } from '#app/lib/durations.ts';
import { formatEnd } from '#app/lib/short-dates.ts';
import type { FormValues } from '#app/ui/form-state.ts';

/** How long an offer is open from when the mail server took its message (P48). */
export const offerMs = 72 * hourMs;

/** The days after which an entry without a confirmed address is deleted, from its last mailed link (P48). */
export const confirmDays = 7;

/** Why an entry of a waiting list was closed. */
export type ClosedWhy = 'bought' | 'declined' | 'lapsed' | 'left' | 'staff' | 'over' | 'undeliverable';

/** Seats offered to an entry, held for it. */
type WaitingOffer = {
  id: number;
  courseDateId: number;
  holdId: number;
  seats: number;
  madeAt: Date;
  /** Null until the message was taken by the mail server. */
  until: Date | null;
};

/** An entry of a waiting list (P48): of a course date, or of a course for its next date. */
export type WaitingEntry = {
  id: number;
  reference: string;
  courseId: number;
  /** Null on a course's list. */
  courseDateId: number | null;
  seats: number;
  preferences: Preferences;
  name: string;
  email: string;
  /** Set when places were bought that wait for their date; they are offered dates without a payment. */
  enrolmentId: number | null;
  joinedAt: Date;
  /** Its address was confirmed by the mailed link, or its places are bought: until then it reserves nothing (P48). */
  confirmed: boolean;
  /** Staff withdrew its offer: it is offered seats by hand only. */
  pausedAt: Date | null;
  closedAt: Date | null;
  closedWhy: ClosedWhy | null;
  /** The one that is open. */
  offer: WaitingOffer | null;
};

/** A course date as mails and pages of waiting lists name it. */
export type WaitingCourseDate = {
  id: number;
  slug: string;
  when: string;
  day: string;
  where: string;
  /** The date as a form sends it back. */
  shown: string;
  enrolmentEndsOn: Day;
};

/** The private page of an entry. */
export const waitingPath = (token: string): string => `/waiting/${token}`;

/** `2 Nov 2025, 11:59 PM, Brisbane time`: the last full minute before an end. */
export const untilText = (end: Date): string => `${formatEnd(end)}, Brisbane time`;

/** The entries that get an offer for a number of free seats: in order, each entry whose seats all fit (P48). */
export function turnsIn<Entry extends { seats: number }>(waiting: readonly Entry[], free: number): Entry[] {
  let rest = free;
  return waiting.filter(({ seats }) => {
    if (seats > rest) return false;
    rest -= seats;
    return true;
  });
}

/** How many entries and seats a number of additional seats would serve. */
export type RoomGain = { more: number; entries: number; seats: number };

/** The gains of a larger room: the smallest numbers of additional seats that serve more waiting seats, up to `most`. */
export function roomGains(waiting: readonly { seats: number }[], free: number, most = 40): RoomGain[] {
  const gains: RoomGain[] = [];
  for (let more = 1; more <= most; more++) {
    const served = turnsIn(waiting, free + more);
    const seats = served.reduce((sum, entry) => sum + entry.seats, 0);
    const before = gains.at(-1)?.seats ?? turnsIn(waiting, free).reduce((sum, entry) => sum + entry.seats, 0);
    if (seats > before) gains.push({ more, entries: served.length, seats });
  }
  return gains;
}

/** The weeks, by their Mondays, and the place that suit somebody on a course's list (P98). No week, and null: any. */
export type Preferences = { weeks: readonly Day[]; venue: Venue | null };

export const venues = ['online', 'Brisbane', 'Sydney', 'Melbourne'] as const;
type Venue = (typeof venues)[number];

export const anyDate: Preferences = { weeks: [], venue: null };

/** The Mondays of the next twelve weeks. */
export const weeksAhead = (today: Day): Day[] =>
  Array.from({ length: 12 }, (_, at) => addDays(mondayOf(today), 7 * (at + 1)));

/** The field of a week in a form, sent as `on`. */
export const weekField = (monday: Day): string => `week-${monday}`;

export const preferenceFields = (today: Day): string[] => ['venue', ...weeksAhead(today).map(weekField)];

/** What a form says, of the weeks that are still ahead. */
export const preferencesIn = (values: FormValues, today: Day): Preferences => ({
  weeks: weeksAhead(today).filter((week) => values[weekField(week)]),
  venue: venues.find((venue) => venue === values.venue) ?? null,
});

export const preferenceValues = ({ weeks, venue }: Preferences): FormValues => ({
  venue: venue ?? '',
  ...Object.fromEntries(weeks.map((week) => [weekField(week), 'on'])),
});

/** `weeks of 6 October, 13 October, Sydney`; null where nothing was said. */
export function preferencesText({ weeks, venue }: Preferences): string | null {
  const named = weeks.map(formatDayAndMonth).join(', ');
  const parts = [
    ...(named ? [`${weeks.length === 1 ? 'week' : 'weeks'} of ${named}`] : []),
    ...(venue ? [venueText(venue)] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : null;
}

export const weekText = (monday: Day): string => `Week of ${formatDayAndMonth(monday)}`;

export const venueText = (venue: Venue): string => (venue === 'online' ? 'Online' : venue);
