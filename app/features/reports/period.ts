import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, daysBetween, formatDays, formatMonth, mondayOf } from '#app/lib/dates.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { instantOf } from '#app/lib/wall-clock.ts';

/** Days in Brisbane from `from` until before `end`: half open, so that periods beside one another share no day. */
export type Period = { from: Day; end: Day };

/** Three years and a day. */
const mostDays = 1097;

const isDay = (text: string) => text.startsWith('20') && dayOf(text) !== null;

/**
 * The period of an address: `from` and `to` are its first and its last day. Without them, or when `periodFault` says why
 * they are no period, eleven weeks and this one until today.
 */
export function periodIn(params: URLSearchParams, today: Day): Period {
  const [from, to] = endsIn(params);
  if ((from === '' && to === '') || periodFault(params) !== null) return lastWeeks(today);
  return { from, end: addDays(to, 1) };
}

/** Why an address names no period, in a sentence; null when it names one or none. */
export function periodFault(params: URLSearchParams): string | null {
  const [from, to] = endsIn(params);
  if (from === '' && to === '') return null;
  if (!isDay(from) || !isDay(to)) return 'Choose a first and a last day.';
  if (to < from) return 'The last day is before the first.';
  return daysBetween(from, to) >= mostDays ? 'Choose at most three years.' : null;
}

const endsIn = (params: URLSearchParams): [string, string] => [params.get('from') ?? '', params.get('to') ?? ''];

/** From a Monday on, so that each week but the present one is whole. */
const lastWeeks = (today: Day): Period => ({ from: addDays(mondayOf(today), -77), end: addDays(today, 1) });

/** The last day of a period. */
export const lastDay = ({ end }: Period): Day => addDays(end, -1);

/** `1 July to 30 September 2026`. */
export const periodText = (period: Period): string => formatDays(period.from, lastDay(period));

/** The two instants between which the days of a period lie. */
export const instantsOf = ({ from, end }: Period): { from: Date; end: Date } => ({
  from: instantOf(from, '00:00', academyZone),
  end: instantOf(end, '00:00', academyZone),
});

/** The search of an address for a period. */
export const periodQuery = (period: Period): string =>
  new URLSearchParams({ from: period.from, to: lastDay(period) }).toString();

const monthAfter = (month: string, by: number): string => {
  const at = new Date(`${month}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + by);
  return at.toISOString().slice(0, 7);
};

/** A quarter of the Australian financial year, by its first month: `2026-07`, `2026-10`, `2027-01` or `2027-04`. */
export type Quarter = string;

/** The quarter in which a day lies. */
export const quarterOf = (day: Day): Quarter => {
  const month = Number(day.slice(5, 7));
  return `${day.slice(0, 4)}-${String(month - ((month - 1) % 3)).padStart(2, '0')}`;
};

/** The quarter that an address names; by default the last one that has ended. */
export function quarterIn(params: URLSearchParams, today: Day): Quarter {
  const named = params.get('quarter') ?? '';
  return /^20\d\d-(01|04|07|10)$/.test(named) ? named : quartersBefore(quarterOf(today), 1);
}

export const quartersBefore = (quarter: Quarter, count: number): Quarter => monthAfter(quarter, -3 * count);

export const periodOfQuarter = (quarter: Quarter): Period => ({
  from: `${quarter}-01`,
  end: `${monthAfter(quarter, 3)}-01`,
});

/** `July to September 2026`. */
export const quarterText = (quarter: Quarter): string =>
  `${formatMonth(quarter).split(' ')[0]} to ${formatMonth(monthAfter(quarter, 2))}`;

/** The Mondays of the weeks that a period touches. */
export function weeksOf({ from, end }: Period): Day[] {
  const weeks: Day[] = [];
  for (let monday = mondayOf(from); monday < end; monday = addDays(monday, 7)) weeks.push(monday);
  return weeks;
}

/** The months that a period touches: `2026-07`. */
export function monthsOf({ from, end }: Period): string[] {
  const months: string[] = [];
  for (let month = from.slice(0, 7); `${month}-01` < end; month = monthAfter(month, 1)) months.push(month);
  return months;
}

/** The first day of a week that lies in the period: its Monday, unless the period begins later. */
export const weekStart = (monday: Day, { from }: Period): Day => (monday < from ? from : monday);

/** The note of reports by week about the weeks at both ends. */
export const cutWeeks = 'The first and the last week have only the days that lie in the period.';

/** Periods that are asked for often. */
export function usualPeriods(today: Day): { text: string; period: Period }[] {
  const quarter = quarterOf(today);
  const year = Number(today.slice(0, 4)) - (today.slice(5) < '07-01' ? 1 : 0);
  return [
    { text: 'Last 12 weeks', period: lastWeeks(today) },
    { text: 'This quarter', period: periodOfQuarter(quarter) },
    { text: 'Last quarter', period: periodOfQuarter(quartersBefore(quarter, 1)) },
    { text: 'This financial year', period: { from: `${year}-07-01`, end: `${year + 1}-07-01` } },
    { text: 'Last financial year', period: { from: `${year - 1}-07-01`, end: `${year}-07-01` } },
  ];
}
