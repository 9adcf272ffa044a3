/** The addresses that open an entry in a calendar on the web. Nothing private is in them: they go to others. */
export type CalendarLinks = { google: string; outlook: string };

type Entry = {
  title: string;
  where: string;
  /** Instants; the same wall-clock time on consecutive days. */
  days: readonly { start: Date; end: Date }[];
};

/** Links to Google Calendar and Outlook. Outlook's knows no repetition: several days are there one entry of whole days. */
export function calendarLinks({ title, where, days }: Entry): CalendarLinks | null {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return null;
  const compact = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const several = days.length > 1;
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    dates: `${compact(first.start)}/${compact(first.end)}`,
    location: where,
    ...(several && { recur: `RRULE:FREQ=DAILY;COUNT=${days.length}` }),
  });
  const outlook = new URLSearchParams({
    rru: 'addevent',
    subject: title,
    startdt: first.start.toISOString(),
    enddt: last.end.toISOString(),
    location: where,
    ...(several && { allday: 'true' }),
  });
  return {
    google: `https://calendar.google.com/calendar/render?${google}`,
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
  };
}
