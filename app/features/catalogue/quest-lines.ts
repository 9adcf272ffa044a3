import type { Content } from '../content/schema.ts';
import type { CertificationGroup, CourseCard, ListedCourse, QuestLine } from './snapshot.ts';

type BySlug = ReadonlyMap<string, ListedCourse>;

/** Quest lines of courses that are offered; a line that has lost a course stands without it. */
export function questLinesOf(
  questLines: Content['questLines'],
  bySlug: BySlug,
  certificationGroups: readonly CertificationGroup[],
): QuestLine[] {
  const certifications = certificationGroups.flatMap((group) => group.certifications);
  return questLines.flatMap(({ steps, ...line }): QuestLine[] => {
    const offered = steps.flatMap(({ course, reason }) => {
      const listed = bySlug.get(course);
      return listed ? [{ listed, reason }] : [];
    });
    if (offered.length === 0) return [];
    const courses = offered.map(({ listed }) => listed.card);
    const sum = (figure: (course: CourseCard) => number) =>
      courses.reduce((total, course) => total + figure(course), 0);
    return [
      {
        ...line,
        steps: offered.map(({ listed, reason }, at) => ({
          course: listed.card,
          reason,
          alsoNeeds: neededBeside(courses.slice(0, at), listed, bySlug),
        })),
        hours: sum(({ hours }) => hours),
        priceCents: sum(({ priceCents }) => priceCents),
        xp: sum(({ xp }) => xp),
        certifications: courses.flatMap(({ slug: course }) =>
          certifications
            .filter((certification) => certification.course.slug === course)
            .map(({ slug, name }) => ({ slug, name })),
        ),
      },
    ];
  });
}

/** What a course needs beyond the courses taken before it and beyond what those need themselves. */
function neededBeside(
  taken: CourseCard[],
  course: ListedCourse,
  bySlug: BySlug,
): QuestLine['steps'][number]['alsoNeeds'] {
  const known = new Set<string>();
  const learn = (slug: string) => {
    if (known.has(slug)) return;
    known.add(slug);
    for (const needed of bySlug.get(slug)?.needs ?? []) learn(needed);
  };
  for (const { slug } of taken) learn(slug);
  return course.needs.flatMap((slug) => {
    const needed = bySlug.get(slug)?.card;
    return needed && !known.has(slug) ? [{ slug, title: needed.title }] : [];
  });
}
