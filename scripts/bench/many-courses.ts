import type { CourseContent } from '#app/features/content/course-schema.ts';

/**
 * A catalogue of `count` courses: the academy's own, then variations of them with other titles, numbers and slugs, and
 * with texts as long and as varied as the originals. The same on every call.
 */
export function manyCourses(courses: readonly CourseContent[], count: number): CourseContent[] {
  return Array.from({ length: count }, (_, at): CourseContent => {
    const original = courses[at % courses.length];
    if (!original) throw new Error('There is no course to vary');
    const round = Math.floor(at / courses.length);
    if (round === 0) return original;
    const other = courses[(at * 7 + round) % courses.length] ?? original;
    const varied: CourseContent = {
      ...original,
      slug: `${original.slug}-v${round}`,
      title: `${original.title.split(' ').slice(0, 3).join(' ')} ${other.title.split(' ').slice(-2).join(' ')} ${round}`
        .slice(0, 80)
        .trim(),
      description: `${other.description.slice(0, 100)} ${original.description.slice(-100)}`.replace(/\s+/g, ' ').trim(),
      price: original.price + round,
      hours: 24 + ((at * 13) % 96),
      learners: (at * 7919) % 9000,
      published: `${2020 + (at % 5)}-${String(1 + (at % 12)).padStart(2, '0')}-${String(1 + (at % 28)).padStart(2, '0')}`,
    };
    // These fields are valid for the original only.
    for (const field of ['aliases', 'needs', 'leadsTo', 'originalPrice'] as const) delete varied[field];
    return varied;
  });
}
