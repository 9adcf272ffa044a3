import { compareText } from '#app/lib/compare-text.ts';
import { addDays, type Day, daysBetween, mondayOf } from '#app/lib/dates.ts';
import { shortDay, shortMonth } from '#app/lib/short-dates.ts';

type Row = {
  state: string;
  decided_by: Day | null;
  left: number;
  waiting: number;
  lacks_people: boolean;
};

/** The one thing to know of a course date to come: a decision, too few or too many people, or that it is confirmed. */
export function remarkOf(row: Row, today: Day): { text: string; late: boolean } {
  const queue = row.waiting > 0 ? `${row.waiting} waiting` : '';
  if (row.state === 'tentative' && row.decided_by !== null) {
    const late = daysBetween(row.decided_by, today);
    if (late > 0) return { text: `Decide: ${late} ${late === 1 ? 'day' : 'days'} late`, late: true };
    if (late === 0) return { text: 'Decide today', late: true };
    return { text: `Decide ${shortDay(row.decided_by)}`, late: false };
  }
  if (row.lacks_people) return { text: 'Below minimum', late: true };
  if (row.left < 1) {
    return { text: ['Full', queue].filter((part) => part !== '').join(', '), late: false };
  }
  return { text: queue || 'Confirmed', late: false };
}

/** A public holiday of Queensland. */
export type Holiday = { name: string; day: Day };

/** As many dates of a week are shown, and of an academy with more than `mostInAll` dates as many as `mostOfMany`. */
export const mostOfAWeek = 12;
const mostInAll = 60;
const mostOfMany = 6;

/** The Mondays of the weeks from that of tomorrow until a day. */
export function mondaysUntil(last: Day, today: Day): Day[] {
  const mondays: Day[] = [];
  for (let monday = mondayOf(addDays(today, 1)); monday <= last; monday = addDays(monday, 7)) mondays.push(monday);
  return mondays;
}

/**
 * Course dates by the week they start in, from the week of tomorrow on; each with its public holidays, also where there
 * is no date. Of a week at most one date more than `mostOfAWeek` is given: `cut` says that not all are shown.
 */
export function weeksOf<Dated extends { startsOn: Day }>(
  dates: readonly Dated[],
  { today, last, holidays }: { today: Day; last: Day; holidays: readonly Holiday[] },
) {
  const most = dates.length > mostInAll ? mostOfMany : mostOfAWeek;
  return mondaysUntil(last, today).map((monday) => {
    const end = addDays(monday, 6);
    const closed = holidays
      .filter(({ day }) => monday <= day && day <= end && day > today)
      .sort((a, b) => compareText(a.day, b.day))
      .map(({ name, day }) => `${shortDay(day)}: ${name}`);
    const its = dates.filter(({ startsOn }) => monday <= startsOn && startsOn <= end);
    return {
      monday,
      label: `${Number(monday.slice(8))} ${shortMonth(monday)}`,
      dates: its.slice(0, most),
      cut: its.length > most,
      closed,
    };
  });
}
