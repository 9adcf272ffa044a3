import { brisbaneTime } from '#app/lib/short-dates.ts';

/** Seats of a course date that are neither sold nor free, by purpose (P27). */
export type KeptSeats = {
  /** For people who are filling in the form. */
  held: number;
  /** When the last of the held seats is free again, unless somebody buys or extends it; null when none is held. */
  heldUntil: Date | null;
  /** Offered to people on the waiting list (P48). */
  offered: number;
  /** For a quote that staff gave. */
  quoted: number;
};

/**
 * The kept seats of a course date in sentences, such as "3 seats are held for people who are enrolling, and free again
 * by 4:15 PM if they don’t enrol."; '' for none. Times are Brisbane's. `own` are the seats that this visitor holds.
 */
export function keptText(kept: KeptSeats | null, own = 0): string {
  if (!kept) return '';
  const held = Math.max(0, kept.held - own);
  const sentences = [
    held > 0 &&
      kept.heldUntil &&
      `${seats(held)} held for ${held === 1 ? 'someone who is' : 'people who are'} enrolling, and free again by ${timeOf(kept.heldUntil)} Brisbane time if they don’t enrol.`,
    kept.offered > 0 && `${seats(kept.offered)} offered to people on the waiting list.`,
    kept.quoted > 0 && `${seats(kept.quoted)} held for a quote.`,
  ];
  return sentences.filter((sentence) => typeof sentence === 'string').join(' ');
}

const seats = (count: number) => (count === 1 ? '1 seat is' : `${count} seats are`);

/** The minute in which an instant falls, or the next one, so that no page gives a time that is too early. */
function timeOf(instant: Date): string {
  const minute = 60_000;
  return brisbaneTime(new Date(Math.ceil(instant.getTime() / minute) * minute));
}
