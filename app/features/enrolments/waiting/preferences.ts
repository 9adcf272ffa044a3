import { addDays, type Day, formatDayAndMonth, mondayOf } from '#app/lib/dates.ts';
import type { FormValues } from '#app/ui/form-state.ts';

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
