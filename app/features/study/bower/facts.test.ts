import { expect, test } from 'vitest';
import { type BowerCourse, bowerFacts, bowerFigures, bowerSentence } from './facts.ts';

const course = (slug: string, more: Partial<BowerCourse> = {}): BowerCourse => ({
  slug,
  title: slug,
  icon: 'shield',
  tier: 'bronze',
  split: null,
  ...more,
});

const line = (...slugs: string[]) => ({ steps: slugs.map((slug) => ({ course: { slug } })) });
const catalogue = { questLines: [line('a', 'b'), line('b', 'c'), line('d')] } as unknown as Parameters<
  typeof bowerFacts
>[1];

const records = { minutes: 125, finished: [course('a'), course('b')], underWay: [course('c', { icon: 'key' })] };

test('P63: whole hours are straws, finished courses treasures, a line’s courses the stones of its point', () => {
  const facts = bowerFacts(records, catalogue, 'ada');
  expect(bowerFigures(facts)).toEqual({ straws: 2, hoursPerStraw: 1, treasures: 2, points: 1 });
  expect(facts.crown).toEqual([
    { courses: 2, finished: 2 },
    { courses: 2, finished: 1 },
    { courses: 1, finished: 0 },
  ]);
  expect(facts.coming).toEqual(['key']);
  expect(facts.carries).toMatchObject({ icon: 'key' });
  expect(bowerSentence(facts)).toBe(
    'A bower of 2 straws, 2 treasures and 1 point of the crown, with places for 1 course under way.',
  );
});

test('a treasure keeps the division that its certificate stored', () => {
  const finished = [course('a', { split: 'pile' }), course('b', { split: 'pile' })];
  expect(bowerFacts({ ...records, finished }, catalogue, 'ada').treasures.map(({ split }) => split)).toEqual([
    'pile',
    'pile',
  ]);
});

test('59 minutes are no straw yet', () => {
  const facts = bowerFacts({ minutes: 59, finished: [], underWay: [] }, { questLines: [] }, 'ada');
  expect(bowerSentence(facts)).toBe('A bower of 0 straws and 0 treasures.');
});
