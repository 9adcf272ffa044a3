import { addDays, type Day, formatDays } from '#app/lib/dates.ts';
import type { Content } from './schema.ts';

/** Something written in content/ that no longer holds, or that nobody has checked for too long. */
export type LookAgain = {
  /** The course or file of the text. */
  where: string;
  text: string;
};

type Dated = {
  courses: readonly Pick<Content['courses'][number], 'title' | 'facts'>[];
  exams: readonly Pick<Content['exams'][number], 'code' | 'status' | 'checked'>[];
  holidays: readonly Pick<Content['holidays'][number], 'days'>[];
};

const dayOf = (day: Day) => formatDays(day, day);
const examDays = 365;
const holidayDays = 365;

/**
 * What of the content somebody has to look at again on a day of the real calendar: words of courses whose day is over,
 * exams that nobody checked for a year, and public holidays that end within a year.
 */
export function lookAgain({ courses, exams, holidays }: Dated, today: Day): LookAgain[] {
  const words = courses.flatMap(({ title, facts = [] }) =>
    facts
      .filter(({ until }) => until < today)
      .map(({ text, until }) => ({ where: title, text: `"${text}" held until ${dayOf(until)}` })),
  );
  const checkedFrom = addDays(today, -examDays);
  const unchecked = exams
    .filter(({ status, checked }) => status !== 'retired' && checked !== undefined && checked < checkedFrom)
    .map(({ code, checked }) => ({
      where: 'exams.yaml',
      text: `${code} was last checked on ${dayOf(checked ?? today)}`,
    }));
  const lastHoliday = holidays
    .flatMap(({ days }) => days)
    .sort()
    .at(-1);
  const ending =
    lastHoliday === undefined || lastHoliday < addDays(today, holidayDays)
      ? [
          {
            where: 'holidays.yaml',
            text: `the last public holiday is ${lastHoliday ? dayOf(lastHoliday) : 'missing'}`,
          },
        ]
      : [];
  return [...words, ...unchecked, ...ending];
}
