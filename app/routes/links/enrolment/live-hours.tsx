import { href } from 'react-router';
import { button } from '#app/ui/button.ts';
import { JoinLink } from './join-link.tsx';
import type { LiveHoursShown } from './live-hours-shown.ts';

/** When the live hour of a place is and how to join it (P60). */
export function LiveHours({ shown, token, placeId }: { shown: LiveHoursShown; token: string; placeId: number }) {
  const { weekly, next, link, off } = shown;
  return (
    <div className="grid gap-2">
      <h3 className="mt-3 text-xl">Live hour</h3>
      <p>A live hour online, for questions and for what you have to show or defend. None on public holidays.</p>
      {weekly.map((when) => (
        <p key={when} className="tabular">
          {when}
        </p>
      ))}
      {next && <p className="tabular font-semibold">Next: {next}</p>}
      {off.map((words) => (
        <p key={words} className="tabular">
          {words}
        </p>
      ))}
      {next &&
        (link ? <JoinLink link={link} text="Join the live hour" /> : <p>The link is here once your study begins.</p>)}
      <HoursFile
        to={{ token, placeId }}
        text="Live hours as a calendar file (.ics)"
        hint="Download it again when an email says that something changed."
      />
    </div>
  );
}

/** The file that takes live hours out of the calendar of somebody who may not come to any more. */
export const HoursToTakeOut = (to: Owner) => (
  <HoursFile
    to={to}
    text="Take live hours out of your calendar (.ics)"
    hint="No live hour is ahead. If you saved them in your calendar, open this file there."
  />
);

type Owner = { token: string; placeId: number };

function HoursFile({ to: { token, placeId }, text, hint }: { to: Owner; text: string; hint: string }) {
  return (
    <p className="no-print">
      <a
        href={href('/place/:token/:placeId/calendar.ics', { token, placeId: String(placeId) })}
        download
        className={button.quiet}
      >
        {text}
      </a>
      <span className="mt-2 block text-sm text-mute">{hint}</span>
    </p>
  );
}
