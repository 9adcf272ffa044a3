import type { Content } from '#app/features/content/schema.ts';
import type { Catalogue, CertificationGroup, CourseCard, ListedCourse, QuestLine } from './catalogue.ts';

type Courses = Pick<Catalogue, 'bySlug' | 'byId' | 'aliases'>;

/** Quest lines with the courses on offer; a retired course is left out of its line. */
export function questLinesOf(
  questLines: Content['questLines'],
  courses: Courses,
  certificationGroups: readonly CertificationGroup[],
): QuestLine[] {
  const certifications = certificationGroups.flatMap((group) => group.certifications);
  return questLines.flatMap(({ steps, ...line }): QuestLine[] => {
    const offered = steps.flatMap(({ course, reason }) => {
      const listed = courses.bySlug.get(courses.aliases.get(course) ?? course);
      return listed ? [{ listed, reason }] : [];
    });
    if (offered.length === 0) return [];
    const cards = offered.map(({ listed }) => listed.card);
    const sum = (figure: (course: CourseCard) => number) => cards.reduce((total, course) => total + figure(course), 0);
    return [
      {
        ...line,
        steps: offered.map(({ listed, reason }, at) => ({
          course: listed.card,
          reason,
          alsoNeeds: neededBeside(
            offered.slice(0, at).map((step) => step.listed),
            listed,
            courses,
          ),
        })),
        hours: sum(({ hours }) => hours),
        priceCents: sum(({ priceCents }) => priceCents),
        xp: sum(({ xp }) => xp),
        certifications: cards.flatMap(({ slug: course }) =>
          certifications
            .filter((certification) => certification.course.slug === course)
            .map(({ slug, name }) => ({ slug, name })),
        ),
      },
    ];
  });
}

/** The prerequisites of a course without the earlier steps and their prerequisites. */
function neededBeside(
  taken: ListedCourse[],
  course: ListedCourse,
  { byId }: Courses,
): QuestLine['steps'][number]['alsoNeeds'] {
  const known = new Set<number>();
  const learn = (id: number) => {
    if (known.has(id)) return;
    known.add(id);
    for (const needed of byId.get(id)?.needs ?? []) learn(needed);
  };
  for (const { id } of taken) learn(id);
  return course.needs.flatMap((id) => {
    const needed = byId.get(id)?.card;
    return needed && !known.has(id) ? [{ slug: needed.slug, title: needed.title }] : [];
  });
}
