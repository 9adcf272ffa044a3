import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, shortMonth, shortWeekday } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';

/** Something that waits for a person, with the instant by which it was promised or is of use. */
export type Need = {
  /** Its kind, such as `Message`. */
  kind: string;
  /** Tells it from all others. */
  key: string;
  dueAt: Date;
  who: string;
  words: string;
  /** Where it is worked off. */
  to: string;
  /** The person who has it in hand. */
  holder: string | null;
  /** Only for items of the inbox. */
  hold?: Hold;
};

/** An item that can be taken in hand, put off and finished (P81). */
type Hold = {
  /** Its subject, such as `enquiry:BB-7KQ2MX`. */
  item: string;
  holderId: number | null;
  /** The number of the last act or message; 0 for none. */
  seen: number;
  snoozedUntil: Date | null;
  done: { at: Date; by: string | null } | null;
};

/** How many items of a kind are read at most; a line below them says when there are more. */
export const mostOfAKind = 20;

/** The list of all that waits of a kind. */
export type NeedList = { text: string; to: string };
/** The waiting items of one kind; `cut` when there are more. */
export type Needs = { needs: Need[]; list: NeedList; cut: boolean };

/** The first `most` of rows that were read one too many. */
export function needsOf<Row>(
  rows: readonly Row[],
  list: NeedList,
  needOf: (row: Row) => Need,
  most = mostOfAKind,
): Needs {
  return { needs: rows.slice(0, most).map(needOf), list, cut: rows.length > most };
}

/** The groups of the first page, in its order. */
const needGroups = ['Money and dates', 'People', 'Teaching'] as const;
export type NeedGroup = (typeof needGroups)[number];

/** So many are shown on the first page. */
const mostShown = 30;

/**
 * All that waits, group by group, the oldest promise first, with how many are late at `now`. Of the kinds of which not all
 * is shown, `lists` leads to the rest; `open` is then the least that is open.
 */
export function oneList(kinds: readonly (Needs & { group: NeedGroup })[], now: Date) {
  const all = kinds
    .flatMap(({ needs, list, group }) => needs.map((need) => ({ need: { ...need, group }, list })))
    .sort(
      ({ need: a }, { need: b }) =>
        needGroups.indexOf(a.group) - needGroups.indexOf(b.group) || a.dueAt.getTime() - b.dueAt.getTime(),
    );
  const hidden = all.slice(mostShown).map(({ list }) => list);
  const lists = [...hidden, ...kinds.filter(({ cut }) => cut).map(({ list }) => list)];
  return {
    needs: all.slice(0, mostShown).map(({ need }) => need),
    open: all.length,
    late: all.filter(({ need }) => need.dueAt < now).length,
    isLeast: kinds.some(({ cut }) => cut),
    lists: [...new Map(lists.map((list) => [list.to, list])).values()],
  };
}

/**
 * An instant near another one, in Brisbane: `Today, 9:00 AM`, `Fri, 6:00 PM`; the day and month when it is a week off.
 * A weekday alone is always to come: late and coming ones stand in one list.
 */
export function nearText(at: Date, now: Date): string {
  const { day, time } = wallClockAt(academyZone, at);
  const today = wallClockAt(academyZone, now).day;
  if (day === today) return `Today, ${formatTime(time)}`;
  if (day === addDays(today, -1)) return `Yesterday, ${formatTime(time)}`;
  if (Math.abs(at.getTime() - now.getTime()) < 6 * dayMs) {
    return at < now ? shortDay(day) : `${shortWeekday(day)}, ${formatTime(time)}`;
  }
  return `${Number(day.slice(8))} ${shortMonth(day)}`;
}
