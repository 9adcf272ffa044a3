import type { CrossFault } from '#app/features/content/faults.ts';
import type { Content } from '#app/features/content/schema.ts';
import { type Day, months } from '#app/lib/dates.ts';
import { textsOf } from './guided-study.ts';

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
