import { expect, test } from 'vitest';
import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { Content } from '#app/features/content/schema.ts';
import { earlyCountFaults } from './early-counts.ts';

const faults = (parts: Partial<CourseContent>) => {
  const texts = { description: '', objectives: [], curriculum: [], prerequisites: [], credential: '' };
  const course = { ...texts, overview: '', learners: 0, published: '2025-03-31', ...parts } as unknown as CourseContent;
  return earlyCountFaults({ courses: [course], site: { asOf: '2025-09-08' } as Content['site'] });
};

test('P41: a course has learners and a rating only once somebody can have finished it', () => {
  const message = 'nobody has finished by asOf, 2025-09-08: the course takes 28 weeks from 2025-03-31 (P41)';
  const overview = 'Two evenings for twenty-eight weeks, the last six weeks of them on a project.';
  expect(faults({ overview, learners: 480, rating: 4.9 })).toEqual([
    { file: { course: 0 }, path: ['learners'], message },
    { file: { course: 0 }, path: ['rating'], message },
  ]);
  expect(faults({ overview })).toEqual([]);
  expect(faults({ overview, learners: 480, rating: 4.9, published: '2025-02-24' })).toEqual([]);
  expect(faults({ overview: 'Forty hours.', learners: 480, rating: 4.9 })).toEqual([]);
});
