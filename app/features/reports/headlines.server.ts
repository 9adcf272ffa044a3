import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays, type Day, mondayOf } from '#app/lib/dates.ts';
import { answers } from './answers.server.ts';
import { enrolments, money } from './by-week.server.ts';
import { fill } from './fill.server.ts';
import type { Period } from './period.ts';
import type { Cell, Column, Report } from './report.ts';
import { moneyDue } from './today/money.server.ts';

/** A figure with what it was before, and its run where it has one. */
export type Headline = {
  title: string;
  /** The days that it is of, in words, and those of `before`. */
  of: string;
  kind: Column['kind'];
  value: number | null;
  before: { value: number; of: string } | null;
  series: readonly number[];
  /** The report that it is taken from; for what is owed, the list. */
  slug: string;
};

const weeks = 4;
const shownWeeks = 12;
const fillDays = 42;

/**
 * How the academy is doing, in six figures that reports give: money and places of the last four whole weeks, what is
 * late, how full the next six weeks are, and answers in time. `late` and `long` are in cents.
 */
export async function readHeadlines(db: Db, actor: StaffActor, now: Date) {
  requirePermission(actor, 'reports:read');
  const today = academyDay(now);
  const end = mondayOf(today);
  const read = async (report: Report, period: Period) => (await report.read(db, actor, period, now)).rows;
  const since = (days: number, until: Day): Period => ({ from: addDays(until, -days), end: until });
  const perWeek = since(shownWeeks * 7, end);
  const [cash, placed] = [await read(money, perWeek), await read(enrolments, perWeek)];
  const coming = await read(fill, { from: addDays(today, 1), end: addDays(today, 1 + fillDays) });
  const past = await read(fill, since(fillDays, today));
  const lately = await read(answers, since(weeks * 7, today));
  const earlier = await read(answers, since(weeks * 7, addDays(today, -weeks * 7)));
  const { late, long } = await moneyDue(db, actor, today);
  const byWeek = (title: string, slug: string, kind: Column['kind'], series: number[]): Headline => ({
    ...{ title, slug, kind, series, of: 'in the last 4 weeks' },
    value: sum(series.slice(-weeks)),
    before: { value: sum(series.slice(-2 * weeks, -weeks)), of: 'in the 4 before' },
  });
  const share = (
    title: string,
    of: string,
    slug: string,
    shares: readonly [number | null, number | null],
    before: string,
  ): Headline => ({
    ...{ title, of, slug, kind: 'share', value: shares[0], series: [] },
    before: shares[1] === null ? null : { value: shares[1], of: before },
  });
  return [
    byWeek('Invoiced', money.slug, 'money', columnOf(cash, 3)),
    byWeek('Received', money.slug, 'money', columnOf(cash, 6)),
    {
      ...{ title: 'Late', of: `${late.parts + long.parts} payments`, kind: 'money', value: late.cents + long.cents },
      ...{ before: { value: long.cents, of: 'of it over 14 days' }, series: [], slug: '' },
    } satisfies Headline,
    byWeek('Places sold', enrolments.slug, 'count', columnOf(placed, 3)),
    {
      ...share('Seats sold', 'of the next 6 weeks', fill.slug, [filled(coming), filled(past)], 'of the last 6'),
      series: [...Map.groupBy(coming, ([day]) => mondayOf(String(day))).values()].map((week) => filled(week) ?? 0),
    },
    share(
      'Answered in time',
      'in the last 4 weeks',
      answers.slug,
      [inTime(lately), inTime(earlier)],
      'in the 4 before',
    ),
  ];
}

type Rows = readonly (readonly Cell[])[];
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const columnOf = (rows: Rows, at: number) => rows.map((row) => Number(row[at] ?? 0));
/** A part of a whole, from 0 to 1; null of nothing. */
const partOf = (part: number, whole: number) => (whole === 0 ? null : part / whole);
const filled = (rows: Rows) => partOf(sum(columnOf(rows, 7)), sum(columnOf(rows, 2)));
const inTime = (rows: Rows) => partOf(sum(columnOf(rows, 3)), sum(columnOf(rows, 3)) + sum(columnOf(rows, 4)));
