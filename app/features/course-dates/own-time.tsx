import { use, useSyncExternalStore } from 'react';
import { NonceContext } from '#app/ui/nonce.ts';
import type { OwnTimes } from './own-times.ts';

/**
 * The course date's time in the visitor's own time zone, when it differs (P14). Only the browser knows that zone: in a page
 * that arrives `OwnTimesAtOnce` writes it.
 */
export function OwnTime({ times }: { times: OwnTimes | null }) {
  const text = useSyncExternalStore(
    never,
    () => (times ? ownTime(...times) : ''),
    () => '',
  );
  if (times === null) return null;
  return (
    <span data-own-time={times} suppressHydrationWarning>
      {text}
    </span>
  );
}

const never = () => () => undefined;

/**
 * The own time of a visitor in words, '' where every day has the same as the course date's; the last day is named where summer
 * time begins or ends before it. It runs as text in the page too, so it can use nothing from outside itself.
 */
export function ownTime(...[start, end, ahead, lastStart, lastAhead]: OwnTimes): string {
  const own = (instant: number) => -new Date(instant).getTimezoneOffset();
  const wall = (instant: number, minutes: number) => new Date(instant + minutes * 60_000).toISOString();
  const span = (from: number, minutes: number) => {
    const walls = [from, from + end - start].map((instant) => wall(instant, own(instant)));
    // The weekday is shown where it differs from the course date's own.
    const sameDay = walls.every((one) => one.startsWith(wall(from, minutes).slice(0, 10)));
    const texts = walls.map((one) => {
      const hours = Number(one.slice(11, 13));
      const weekday = sameDay ? '' : `${new Date(one).toUTCString().slice(0, 3)}\u00a0`;
      return `${weekday}${hours % 12 || 12}:${one.slice(14, 16)}\u00a0${hours < 12 ? 'AM' : 'PM'}`;
    });
    return texts.join(' to ');
  };
  const [first, last] = [ahead - own(start), lastAhead - own(lastStart)];
  if (first === 0 && last === 0) return '';
  const other = first === last ? '' : `, ${span(lastStart, lastAhead)} on the last day`;
  return ` (${span(start, ahead)} where you are${other})`;
}

/** Writes all times; runs as text in the page. */
function writeOwnTimes(textOf: typeof ownTime): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-own-time]')) {
    const [start = 0, end = 0, ahead = 0, lastStart = 0, lastAhead = 0] =
      place.dataset.ownTime?.split(',').map(Number) ?? [];
    place.textContent = textOf(start, end, ahead, lastStart, lastAhead);
  }
}

/**
 * Comes after the course dates of a page, so that the visitor's own times are written before the first paint and
 * nothing moves.
 */
export function OwnTimesAtOnce() {
  const nonce = use(NonceContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: atOnce }} />;
}

/** Only the server writes it. */
const atOnce = import.meta.env.SSR ? `(${writeOwnTimes})(${ownTime})` : '';
