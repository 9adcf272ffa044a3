import type { CalendarLinks } from '#app/lib/calendar-links.ts';

type Props = {
  /** The address of the file; null where there is none. */
  file: string | null;
  links: CalendarLinks | null;
};

/** The ways to put something into one's calendar: two on the web, and a file for all others. */
export function CalendarButtons({ file, links }: Props) {
  const ways = [
    ['Google Calendar', links?.google],
    ['Outlook', links?.outlook],
  ] as const;
  return (
    <p className="no-print flex flex-wrap items-center gap-x-5 gap-y-1 font-bold">
      {ways.map(
        ([name, address]) =>
          address && (
            <a key={name} href={address} target="_blank" rel="noopener noreferrer" className={link}>
              {name}
            </a>
          ),
      )}
      {file && (
        <a href={file} download className={link}>
          Calendar file (.ics)
        </a>
      )}
    </p>
  );
}

const link = 'inline-block py-1 text-link underline underline-offset-4';
