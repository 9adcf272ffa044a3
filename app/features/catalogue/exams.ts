import { type Day, formatDays, formatMonth } from '#app/lib/dates.ts';
import type { Catalogue, CourseCard, Exam, QuestLine } from './catalogue.ts';

/** Whether an exam can still be sat on a day of the real calendar, in a sentence for learners. */
type ExamStanding = { standing: 'on offer' | 'announced' | 'closing' | 'retired' | 'unconfirmed'; text: string };

function examStanding(exam: Exam, today: Day): ExamStanding {
  const { body, status, on, checked, replacedBy } = exam;
  const successor = replacedBy ? `; ${replacedBy} takes its place` : '';
  const over = on !== undefined && on < today;
  if (status === 'retired' || (status === 'retiring' && over)) {
    return { standing: 'retired', text: `Retired${on ? ` on ${formatDays(on, on)}` : ''}${successor}.` };
  }
  if (status === 'retiring') {
    const last = on ? `Last day to sit it: ${formatDays(on, on)}` : `${body} is retiring it`;
    return { standing: 'closing', text: `${last}${successor}.` };
  }
  if (status === 'announced' && !over) {
    return {
      standing: 'announced',
      text: on ? `Opens on ${formatDays(on, on)}.` : `Announced; ask ${body} for dates.`,
    };
  }
  // A check from before it opened confirms no more than that it was announced.
  if (checked && (status === 'current' || (on !== undefined && checked >= on)))
    return { standing: 'on offer', text: `On offer when last checked, in ${formatMonth(checked.slice(0, 7))}.` };
  return { standing: 'unconfirmed', text: `Ask ${body} which version is on offer before you book.` };
}

export type ExamFact = ExamStanding & {
  code: string;
  title: string;
  body: string;
  /** The body takes only people trained by those it has accredited, and the academy is not one of them. */
  accreditedTraining: boolean;
};

/** The outside exams of these codes on a day of the real calendar. */
export function examFacts({ exams }: Pick<Catalogue, 'exams'>, codes: readonly string[], today: Day): ExamFact[] {
  return codes.flatMap((code) => {
    const exam = exams.get(code);
    if (!exam) return [];
    const { title, body, accreditedTraining = false } = exam;
    return [{ code, title, body, accreditedTraining, ...examStanding(exam, today) }];
  });
}

/** Whether the exam guarantee applies to a course with these exams; the link to the terms follows the words. */
export function guaranteeSentence(exams: readonly ExamFact[], isJobGuarantee: boolean): string {
  if (isJobGuarantee) return 'The exam guarantee does not apply here; the job guarantee does. Both are in the';
  const open = exams.filter(({ standing }) => standing !== 'retired');
  if (open.length === 0) return 'The exam guarantee does not apply, because you can no longer sit the exam. See the';
  const covered = open.filter(({ accreditedTraining }) => !accreditedTraining);
  if (covered.length === 0) {
    const bodies = [...new Set(open.map(({ body }) => body))].join(' and ');
    return `The exam guarantee does not apply: ${bodies} asks for training with an organisation that it has accredited, and we are not one. See the`;
  }
  if (covered.length > 1 && covered.length === open.length) {
    return 'Exam guarantee: if you fail one of these exams, retake the course free, on the conditions in the';
  }
  const which = covered.length < open.length ? `exam ${covered.map(({ code }) => code).join(' or ')}` : 'the exam';
  return `Exam guarantee: pass ${which} or retake the course free, on the conditions in the`;
}

export type ExamWarning = {
  text: string;
  successors: Pick<CourseCard, 'slug' | 'title'>[];
  /** True when no exam can be sat any more, so that the pass rate is history. */
  over: boolean;
};

/** A warning before a course whose exam is retired or about to be; null for other exams. */
export function examWarning(catalogue: Catalogue, courseSlug: string, today: Day): ExamWarning | null {
  const { bySlug, exams, courses } = catalogue;
  const facts = examFacts(catalogue, bySlug.get(courseSlug)?.examCodes ?? [], today);
  const going = facts.filter(({ standing }) => standing === 'retired' || standing === 'closing');
  if (going.length === 0) return null;
  const replacements = new Set(going.map(({ code }) => exams.get(code)?.replacedBy));
  return {
    over: facts.every(({ standing }) => standing === 'retired'),
    text: going.map(({ code, text }) => `Exam ${code}: ${text}`).join(' '),
    successors: courses
      .filter(({ examCodes }) => examCodes.some((code) => replacements.has(code)))
      .map(({ card: { slug, title } }) => ({ slug, title })),
  };
}

export type ExamOnTheWay = Pick<Exam, 'code' | 'title' | 'body'> & {
  /** Slug of the certification's own page, null when it has none. */
  certification: string | null;
};

/** The outside exams that the courses of a quest line prepare for, in its order. */
export function examsOnTheWay(catalogue: Catalogue, { steps }: QuestLine): ExamOnTheWay[] {
  const { bySlug, exams, certificationGroups } = catalogue;
  const certifications = certificationGroups.flatMap((group) => group.certifications);
  return steps.flatMap(({ course }) =>
    (bySlug.get(course.slug)?.examCodes ?? []).flatMap((code): ExamOnTheWay[] => {
      const exam = exams.get(code);
      const page = certifications.find((certification) => certification.course.slug === course.slug);
      return exam ? [{ code, title: exam.title, body: exam.body, certification: page?.slug ?? null }] : [];
    }),
  );
}
