/** Compares what courses promise about teaching and completion with what the academy does. */
import { holidayDuring } from '#app/features/content/calendar.ts';
import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { Content, CrossFault } from '#app/features/content/schema.ts';
import { addDays } from '#app/lib/dates.ts';
import { minutesADay, taughtHours, usualAttendance } from '#app/lib/taught-hours.ts';
import { numberFrom, proseOf, textsOf } from './prose.ts';

/** A longer day needs a break. */
const minutesWithoutBreak = 6 * 60;

/**
 * Course dates that teach more hours than their course has, have a long day without a break, or fall on a public
 * holiday of their place on the content's own calendar; and course texts that promise more live hours than the shortest
 * course date of the course teaches.
 */
export function taughtHoursFaults(content: Content): CrossFault[] {
  return [...courseDateFaults(content), ...promisedHours(content)];
}

function courseDateFaults({ courseDates, courses, holidays }: Content): CrossFault[] {
  return courseDates.flatMap((courseDate, at): CrossFault[] => {
    const fault = (field: string, message: string) => ({
      file: { name: 'courseDates' } as const,
      path: [at, field],
      message,
    });
    const faults: CrossFault[] = [];
    const courseHours = courses.find(({ slug }) => slug === courseDate.course)?.hours ?? 0;
    const taught = taughtHours(courseDate);
    if (taught > courseHours) {
      faults.push(fault('endTime', `${taught} hours are taught, more than the ${courseHours} of ${courseDate.course}`));
    }
    if (minutesADay(courseDate) > minutesWithoutBreak && courseDate.breakMinutes === undefined) {
      faults.push(fault('endTime', 'a day of more than 6 hours needs "breakMinutes"'));
    }
    const holiday = holidayDuring(courseDate, holidays);
    if (holiday) faults.push(fault('startDate', `${holiday.day} is ${holiday.name} there`));
    return faults;
  });
}

function promisedHours(content: Content): CrossFault[] {
  const shortest = new Map<string, number>();
  for (const courseDate of content.courseDates) {
    shortest.set(
      courseDate.course,
      Math.min(taughtHours(courseDate), shortest.get(courseDate.course) ?? Number.POSITIVE_INFINITY),
    );
  }
  return proseOf(content).flatMap(({ file, path, text }): CrossFault[] => {
    const course = 'course' in file ? content.courses[file.course] : undefined;
    const taught = course && shortest.get(course.slug);
    if (taught === undefined) return [];
    return liveHoursIn(text)
      .filter((hours) => hours > taught)
      .map((hours) => ({ file, path, message: `promises ${hours} hours live; a course date teaches ${taught}` }));
  });
}

/** The numbers of hours in sentences that speak of live teaching: `Thirty hours are live teaching` gives 30. */
export function liveHoursIn(text: string): number[] {
  return text
    .split(/[.;]\s/)
    .filter((sentence) => /\b(?:live|taught|class|classroom|in the room|face to face)\b/i.test(sentence))
    .flatMap((sentence) => [
      ...sentence.matchAll(/\b([a-z]+(?:-[a-z]+)?|\d+(?:\.\d+)?)(?: of (?:the|these) [\w-]+)? hours?\b/gi),
    ])
    .flatMap(([, amount = '']) => numberFrom(amount) ?? []);
}

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

/** Words for things that a person does not have who studies alone, on days of their own. */
const contradictions =
  /\b(?:in (?:mixed )?pairs|each pair|teams of (?:two|three|four|five|six)|classmates?|in class|(?:after|before|between|each|every) class(?:es)?|-hour (?:classes|evenings|lessons?)|lessons of (?:two|three|four) hours|of talk|short talks|(?:he|she) explains|evenings|every evening|each evening|saturdays?|(?:in|share) the room|half-days?|the class|other learners|another (?:group|pair|team)|(?:days?|weeks?|months?) ahead|two instructors|one of ours|peer review|by a peer|next lead|second (?:reviewer|administrator)|mock regulator|design reviews?|hours? of explanation|in the part of|(?:discussed|reviewed|defended|defend them|each one) live)\b/i;

/** Texts of courses offered as guided study (P38) that describe a group, a room or fixed days. */
export function guidedStudyFaults(courses: CourseContent[]): CrossFault[] {
  return courses.flatMap((course, index) => {
    if (!course.guided) return [];
    return textsOf(course).flatMap(([path, text]): CrossFault[] => {
      const found = contradictions.exec(text)?.[0];
      return found ? [{ file: { course: index }, path, message: `"${found}" is not true of guided study (P38)` }] : [];
    });
  });
}

/**
 * Courses with learners or a rating that nobody can have finished by `asOf`, the day of these figures (P41): the weeks
 * that their texts name were not over. Files without that day are not checked.
 */
export function earlyCountFaults({ courses, site }: Pick<Content, 'courses' | 'site'>): CrossFault[] {
  const { asOf } = site;
  if (asOf === undefined) return [];
  return courses.flatMap((course, index) => {
    const weeks = Math.max(0, ...textsOf(course).flatMap(([, text]) => weeksIn(text)));
    const over = addDays(course.published, weeks * 7);
    if (over <= asOf) return [];
    const message = `nobody has finished by asOf, ${asOf}: the course takes ${weeks} weeks from ${course.published} (P41)`;
    const counted = [course.learners > 0 ? 'learners' : [], course.rating === undefined ? [] : 'rating'].flat();
    return counted.map((field): CrossFault => ({ file: { course: index }, path: [field], message }));
  });
}

/** The numbers of weeks that a text names: `for thirty weeks` gives 30. */
const weeksIn = (text: string): number[] =>
  [...text.matchAll(/\b(\d+|[a-z]+(?:-[a-z]+)?) weeks\b/gi)].flatMap(([, amount = '']) => numberFrom(amount) ?? []);
