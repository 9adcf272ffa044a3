/** Parts of the content that will become untrue. */
import type { Content, CrossFault } from '#app/features/content/schema.ts';
import { addDays, type Day, formatDays, months } from '#app/lib/dates.ts';
import { textsOf } from './prose.ts';

/** Words of something that is to change. */
const passing =
  /\b(?:as at|as it st(?:ood|ands) in|expected (?:from|around|by|late|to retire)|due from|may still move|in preparation|has announced)\b/gi;
/** Days, months, parts of a year, and years, but no numbers of standards and versions such as ISO 19011:2026. */
const dates = new RegExp(
  `(?:(?<day>\\d{1,2}) )?\\b(?<month>${months.join('|')}) (?<year>20\\d\\d)\\b|\\b(?<part>early|mid|late)[- ](?<ofYear>20\\d\\d)\\b|(?<![-:\\d])\\b(?<whole>20\\d\\d)\\b(?![-\\d])`,
  'g',
);
const partEnds = { early: '04-30', mid: '08-31', late: '12-31' };

/**
 * Texts of courses that will not stay true and have no day in `facts` until which they hold: words such as "as at", and
 * dates that were still to come when the exams were last checked. Facts that the course does not say are faults too.
 */
export function datedTextFaults({ courses, exams }: Pick<Content, 'courses' | 'exams'>): CrossFault[] {
  const writtenOn = exams.reduce((last, { checked = '' }) => (checked > last ? checked : last), '');
  return courses.flatMap((course, index) => {
    const facts = (course.facts ?? []).map(({ text }) => text);
    const texts = textsOf(course);
    const unsaid = facts.flatMap((fact, at): CrossFault[] =>
      texts.some(([, text]) => text.includes(fact))
        ? []
        : [{ file: { course: index }, path: ['facts', at, 'text'], message: `the course does not say "${fact}"` }],
    );
    const undated = texts.flatMap(([path, text]): CrossFault[] =>
      passingIn(text, writtenOn).flatMap(({ words, at }) =>
        facts.some((fact) => covers(text, fact, at, words.length))
          ? []
          : [{ file: { course: index }, path, message: `"${words}" needs a day in "facts" until which it holds` }],
      ),
    );
    return [...unsaid, ...undated];
  });
}

function passingIn(text: string, writtenOn: Day): { words: string; at: number }[] {
  const later = [...text.matchAll(dates)].filter(({ groups = {} }) => endOf(groups) >= writtenOn);
  return [...text.matchAll(passing), ...later].map((match) => ({ words: match[0], at: match.index }));
}

/** The last day of a named date; for a year alone the first day, since most of this year may be over. */
function endOf({ day, month, year, part, ofYear, whole }: Record<string, string | undefined>): Day {
  if (whole) return `${whole}-01-01`;
  if (ofYear) return `${ofYear}-${partEnds[part as keyof typeof partEnds]}`;
  const number = String(months.indexOf(month ?? '') + 1).padStart(2, '0');
  return `${year}-${number}-${(day ?? '31').padStart(2, '0')}`;
}

/** Whether a fact's words contain those of the text at a position. */
function covers(text: string, fact: string, at: number, length: number): boolean {
  for (let from = text.indexOf(fact); from !== -1; from = text.indexOf(fact, from + 1)) {
    if (from <= at && at + length <= from + fact.length) return true;
  }
  return false;
}

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
 * Parts of the content to review on a day of the real calendar: words of courses whose day is over, exams that nobody
 * checked for a year, and public holidays that end within a year.
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
