import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { CrossFault } from '#app/features/content/faults.ts';
import { usualAttendance } from '#app/features/content/usual-attendance.ts';
import { textsOf } from './guided-study.ts';

/**
 * Texts of a course that ask for something else than its rule of completion (P61): another share of attendance, or work
 * where attendance alone is enough; and texts that promise a weekly live hour: the page says by itself when one is, and
 * only where staff set it (P60).
 */
export function completionFaults(courses: CourseContent[]): CrossFault[] {
  return courses.flatMap((course, index) => {
    const rule = course.completion?.attendance ?? usualAttendance;
    return textsOf(course).flatMap(([path, text]): CrossFault[] => {
      const fault = (message: string): CrossFault => ({ file: { course: index }, path, message });
      const others = attendanceIn(text).filter((percent) => percent !== rule);
      return [
        ...others.map((percent) =>
          fault(`asks for ${percent}% attendance, and the course is completed with ${rule}% (P61)`),
        ),
        ...(/\blive hours? (?:each|every|a) week|\bweekly live hours?\b/i.test(text)
          ? [fault('promises a weekly live hour, which only the page itself does where one is set (P60)')]
          : []),
        ...daysIn(text)
          .filter(({ days, of }) => days * 100 < rule * of || (days - 1) * 100 >= rule * of)
          .map(({ days, of }) =>
            fault(`asks for ${days} of ${of} days, and the course is completed with ${rule}% of the hours (P61)`),
          ),
        ...(path[0] === 'credential' && course.completion?.attendanceAlone && asksForWork(text)
          ? [fault('asks for work, and the course is completed by attendance alone (P61)')]
          : []),
      ];
    });
  });
}

/** Whether a sentence on the academy's certificate asks for more than being there. */
export const asksForWork = (credential: string): boolean =>
  credential.split(/(?<=\.) /).some((sentence) => /\bcertifi/i.test(sentence) && work.test(sentence));

const work =
  /\b(?:hand\w* (?:in|back|over)|submi\w+|pass\w*|scor\w+|present\w*|defen[ds]\w*|accept\w*|mark\w*|assess\w*|complet(?:e|ed|ing)|finish\w*|solve\w*|reports?|exams?|papers?|plans?|notes|files?|labs?|projects?|exercises?|tickets?|quiz|per cent|\d+%)\b/i;

/** The days that a text asks to attend, of how many: "attend five of the six Saturdays". */
function daysIn(text: string): { days: number; of: number }[] {
  const pattern = new RegExp(String.raw`\battend (${counts.join('|')}) of (?:the )?(${counts.join('|')})\b`, 'gi');
  return [...text.matchAll(pattern)].map(([, days = '', of = '']) => ({ days: countOf(days), of: countOf(of) }));
}

const counts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const countOf = (word: string): number => counts.indexOf(word.toLowerCase()) + 1;

/** The shares of attendance that a text asks for, in percent; who may miss 15% attends 85%. */
export function attendanceIn(text: string): number[] {
  const share = String.raw`(\d{1,3}) ?(?:%|per cent)`;
  const attended = [
    new RegExp(String.raw`\battend(?:ed|ance)?(?: of)?(?: at least)? ${share}`, 'gi'),
    new RegExp(String.raw`${share} (?:or more )?(?:of (?:the )?)?(?:attendance|classes)\b`, 'gi'),
  ].flatMap((pattern) => [...text.matchAll(pattern)].map((found) => ({ found, percent: Number(found[1]) })));
  return [...new Set(attended.map(({ found, percent }) => (missed(text, found.index) ? 100 - percent : percent)))];
}

const missed = (text: string, at: number): boolean => /\bmiss no more than $/i.test(text.slice(0, at));
