import type { Day } from '#app/lib/dates.ts';

/** The calendar's query parameters: the selected day, the month shown, and the list's own filters (P15). */
export type CalendarQuery = {
  /** The selected day, by default today; null when the selection was cleared. */
  date: Day | null;
  /** `2025-09`: the month in the picker. */
  show: string;
  /** The place: `online`, `sydney`. */
  mode: string;
  /** The slug of a course. */
  course: string;
  /** Lower case, as in the course listing. */
  level: string;
  month: string;
};

/** Reads any query string; invalid values fall back to the default. `first` is the first month with a date to come. */
export function parseCalendarQuery(params: URLSearchParams, today: Day, first: string): CalendarQuery {
  const chosen = params.get('date') ?? '';
  const date = chosen === 'none' ? null : isDay(chosen) ? chosen : today;
  const show = params.get('show') ?? '';
  return {
    date,
    show: isShownMonth(show) ? show : usualMonth(date, today, first),
    course: params.get('course') ?? '',
    mode: (params.get('mode') ?? '').toLowerCase(),
    level: (params.get('level') ?? '').toLowerCase(),
    month: params.get('month') ?? '',
  };
}

/** The query string with its `?`, defaults left out; '' when all are defaults. */
export function calendarSearch(query: CalendarQuery, today: Day, first: string): string {
  const params = new URLSearchParams();
  if (query.date === null) params.set('date', 'none');
  else if (query.date !== today) params.set('date', query.date);
  if (query.show !== usualMonth(query.date, today, first)) params.set('show', query.show);
  for (const key of ['course', 'mode', 'level', 'month'] as const) if (query[key]) params.set(key, query[key]);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** The month that the picker opens on: of a chosen day, otherwise the first one with a date. */
const usualMonth = (date: Day | null, today: Day, first: string) =>
  date === null || date === today ? first : date.slice(0, 7);

/** Whether the picker can show a month (`2025-09`): those from 1900 to 2199. */
export function isShownMonth(month: string): boolean {
  return isDay(`${month}-01`);
}

function isDay(text: string): boolean {
  if (!/^(19|20|21)\d\d-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
