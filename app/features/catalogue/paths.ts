import type { Day } from '../../lib/dates.ts';
import type { CoursePathsOf } from './course-paths.tsx';
import type { ExamFact } from './exam-facts.tsx';
import { examStanding } from './rules.ts';
import type { ListedCourse, Snapshot } from './snapshot.ts';

/** The ways through a course; neighbours that are no longer offered are left out. */
export function coursePaths(
  { bySlug, questLines }: Pick<Snapshot, 'bySlug' | 'questLines'>,
  { card, needs, leadsTo }: ListedCourse,
): CoursePathsOf {
  const cards = (slugs: readonly string[]) => slugs.flatMap((other) => bySlug.get(other)?.card ?? []);
  return {
    needs: cards(needs),
    leadsTo: cards(leadsTo),
    questLines: questLines.flatMap(({ slug: line, title, steps }) => {
      const at = steps.findIndex(({ course }) => course.slug === card.slug);
      return at < 0 ? [] : [{ slug: line, title, step: at + 1, steps: steps.length }];
    }),
  };
}

/** What a learner must know before training for an exam that is retired or going; null when there is nothing. */
export function examWarning(snapshot: Snapshot, courseSlug: string, today: Day): string | null {
  const facts = examFacts(snapshot, snapshot.bySlug.get(courseSlug)?.examCodes ?? [], today);
  const going = facts.filter(({ standing }) => standing === 'retired' || standing === 'closing');
  return going.length === 0 ? null : going.map(({ code, text }) => `Exam ${code}: ${text}`).join(' ');
}

/** The outside exams of these codes as they stand on a day of the real calendar. */
export function examFacts({ exams }: Pick<Snapshot, 'exams'>, codes: readonly string[], today: Day): ExamFact[] {
  return codes.flatMap((code) => {
    const exam = exams.get(code);
    return exam ? [{ code, title: exam.title, body: exam.body, ...examStanding(exam, today) }] : [];
  });
}
