import { use, useSyncExternalStore } from 'react';
import { instantOf } from '#app/lib/wall-clock.ts';
import { NonceContext } from '#app/ui/nonce.ts';
import type { TrainingSession } from './session.ts';

/**
 * The session's time in the visitor's own time zone, when it differs (P14). Only the browser knows that zone: in a page
 * that arrives `OwnTimesAtOnce` writes it.
 */
export function OwnTime({ session: { startDate, startTime, endTime, zone } }: { session: TrainingSession }) {
  const [start, end] = [startTime, endTime].map((time) => instantOf(startDate, time, zone).getTime());
  const shown = `${startDate}T${startTime}`;
  const text = useSyncExternalStore(
    never,
    () => ownTime(shown, start, end),
    () => '',
  );
  return (
    <span data-own-time={[shown, start, end]} suppressHydrationWarning>
      {text}
    </span>
  );
}

const never = () => () => undefined;

/**
 * Of a session that starts at an instant (milliseconds) when the clock of its place shows, for example,
 * `2025-09-15T09:00`. It runs as text in the page too, so it can use nothing from outside itself.
 */
export function ownTime(shown = '', start = 0, end = 0): string {
  const [from = '', to = ''] = [start, end].map((instant) =>
    new Date(instant - new Date(instant).getTimezoneOffset() * 60_000).toISOString(),
  );
  if (from.slice(11, 16) === shown.slice(11)) return '';
  const day = shown.slice(0, 10);
  // The weekday is shown where it differs from the session's own.
  const sameDay = from.startsWith(day) && to.startsWith(day);
  const text = (wall: string) => {
    const hours = Number(wall.slice(11, 13));
    const weekday = sameDay ? '' : `${new Date(wall).toUTCString().slice(0, 3)}\u00a0`;
    return `${weekday}${hours % 12 || 12}:${wall.slice(14, 16)}\u00a0${hours < 12 ? 'AM' : 'PM'}`;
  };
  return ` (${text(from)} to ${text(to)} where you are)`;
}

/** Writes all of them; runs as text in the page. */
function writeOwnTimes(textOf: typeof ownTime): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-own-time]')) {
    const [shown, start, end] = place.dataset.ownTime?.split(',') ?? [];
    place.textContent = textOf(shown, Number(start), Number(end));
  }
}

/** Stands after the sessions of a page: the visitor's own times are there before the first paint, so nothing moves. */
export function OwnTimesAtOnce() {
  const nonce = use(NonceContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: atOnce }} />;
}

/** Only the server writes it. */
const atOnce = import.meta.env.SSR ? `(${writeOwnTimes})(${ownTime})` : '';
