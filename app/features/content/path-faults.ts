import { levels } from '#app/lib/levels.ts';
import type { CourseContent } from './course-schema.ts';
import type { CrossFault, ReadableContent } from './faults.ts';

const rank = (course: CourseContent) => levels.indexOf(course.level);

/**
 * Faults of the ways through the catalogue: a course that goes round to itself, a step down in level, and quest lines
 * whose order contradicts what their courses need. Other checks report unknown slugs.
 */
export function pathFaults(content: ReadableContent): CrossFault[] {
  const courses = new Map(content.courses.map((course) => [course.slug, course]));
  return [...stepsDown(content, courses), ...roundTrips(content, courses), ...questLinesOutOfOrder(content, courses)];
}

type Courses = ReadonlyMap<string, CourseContent>;

function stepsDown({ courses: list }: ReadableContent, courses: Courses): CrossFault[] {
  return list.flatMap((course, index): CrossFault[] => {
    const file = { course: index };
    const check = (relation: 'needs' | 'leadsTo', wrong: (other: CourseContent) => boolean, message: string) =>
      (course[relation] ?? []).flatMap((slug, at): CrossFault[] => {
        const other = courses.get(slug);
        if (other && wrong(other)) return [{ file, path: [relation, at], message: `"${slug}" ${message}` }];
        return [];
      });
    return [
      ...check('needs', (other) => rank(other) > rank(course), `is of a higher level than ${course.level}`),
      ...check('leadsTo', (other) => rank(other) < rank(course), `is of a lower level than ${course.level}`),
    ];
  });
}

/** Courses that may be taken right after each course: those it leads to, and those that need it. */
function followers({ courses: list }: ReadableContent, courses: Courses): Map<string, Set<string>> {
  const next = new Map(list.map(({ slug }): [string, Set<string>] => [slug, new Set()]));
  for (const { slug, leadsTo = [], needs = [] } of list) {
    for (const other of leadsTo) if (courses.has(other)) next.get(slug)?.add(other);
    for (const other of needs) next.get(other)?.add(slug);
  }
  return next;
}

function roundTrips(content: ReadableContent, courses: Courses): CrossFault[] {
  const next = followers(content, courses);
  const faults: CrossFault[] = [];
  const done = new Set<string>();
  const walk = (slug: string, trail: string[]) => {
    const start = trail.indexOf(slug);
    if (start >= 0) {
      const round = [...trail.slice(start), slug].join(' → ');
      const index = content.courses.findIndex((course) => course.slug === slug);
      faults.push({ file: { course: index }, path: ['leadsTo'], message: `goes round in a circle: ${round}` });
      return;
    }
    if (done.has(slug)) return;
    for (const other of next.get(slug) ?? []) walk(other, [...trail, slug]);
    done.add(slug);
  };
  for (const { slug } of content.courses) walk(slug, []);
  return faults;
}

function questLinesOutOfOrder(content: ReadableContent, courses: Courses): CrossFault[] {
  const next = followers(content, courses);
  return (content.questLines ?? []).flatMap(({ steps }, line) =>
    steps.flatMap(({ course: slug }, at): CrossFault[] => {
      const fault = (message: string) => [
        { file: { name: 'questLines' } as const, path: [line, 'steps', at, 'course'], message },
      ];
      const before = steps.slice(0, at);
      if (before.some((step) => step.course === slug)) return fault(`"${slug}" is in this quest line twice`);
      const course = courses.get(slug);
      const previous = courses.get(before.at(-1)?.course ?? '');
      if (course && previous && rank(course) < rank(previous)) {
        return fault(`"${slug}" is of a lower level than the step before it`);
      }
      const later = reachedFrom(slug, next);
      const tooLate = before.find((step) => later.has(step.course));
      return tooLate ? fault(`"${slug}" comes before "${tooLate.course}" in the catalogue`) : [];
    }),
  );
}

/** Every course that comes somewhere after this one. */
function reachedFrom(slug: string, next: ReadonlyMap<string, Set<string>>): Set<string> {
  const reached = new Set<string>();
  const walk = (from: string) => {
    for (const other of next.get(from) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      walk(other);
    }
  };
  walk(slug);
  return reached;
}
