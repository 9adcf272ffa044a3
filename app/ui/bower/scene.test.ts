import { expect, test } from 'vitest';
import { splitOf, splits } from '#app/ui/treasure-art.ts';
import { type BowerFacts, bowerScene } from './scene.ts';
import { hoursPerStraw, straws } from './straws.ts';
import { apart, type Treasure } from './treasure.ts';

const strawsIn = (svg: string) =>
  // Dotted paths are places that wait, not hours.
  (svg.replaceAll(/<path [^>]*stroke-dasharray[^>]*>/g, '').match(/M[^MC"]+C/g) ?? []).length;

test('P63: a straw for every hour studied, and one for two above 600 hours', () => {
  for (const [hours, drawn] of [
    [0, 0],
    [1, 1],
    [5, 5],
    [59, 59],
    [60, 60],
    [414, 414],
    [600, 600],
    [602, 301],
    [1_200, 600],
    [3_000, 600],
  ] as const) {
    expect(strawsIn(straws(hours, 1)), `${hours} hours`).toBe(drawn);
  }
  expect(hoursPerStraw(600)).toBe(1);
  expect(hoursPerStraw(601)).toBe(2);
});

test('P63: on the day of a mark the newest straw alone falls into its place', () => {
  const fallen = straws(5, 1, true);
  expect(fallen.match(/class="falls"/g)).toHaveLength(1);
  expect(strawsIn(fallen)).toBe(5);
  expect(straws(5, 1)).not.toContain('falls');
  expect(straws(0, 1, true)).not.toContain('falls');
});

const shield = (seed: string) => ({ seed, icon: 'shield', tier: 'bronze', split: splitOf(seed) }) as const;

test('P63: eight treasures of one shape and level differ, each by its division', () => {
  const treasures: Treasure[] = [];
  for (let at = 0; at < 8; at += 1) treasures.push(apart(shield(`course-${at}`), treasures));
  expect(new Set(treasures.map(({ split }) => split)).size).toBe(splits.length);
  expect(apart(shield('course-9'), treasures)).toEqual(shield('course-9'));
});

test('a treasure keeps its division among those of another shape or tier', () => {
  const first = shield('cissp');
  expect(apart(first, [])).toEqual(first);
  expect(apart(first, [first]).split).not.toBe(first.split);
  expect(apart({ ...first, icon: 'key' }, [first]).split).toBe(first.split);
  expect(apart({ ...first, tier: 'gold' }, [first]).split).toBe(first.split);
});

const facts = (many: number): BowerFacts => {
  const treasures: Treasure[] = [];
  for (let at = 0; at < many; at += 1) treasures.push(apart(shield(`course-${at}`), treasures));
  return {
    seed: 'ada',
    hours: 10 * many,
    treasures,
    coming: ['eye'],
    crown: [{ courses: 3, finished: 1 }],
    carries: 'straw',
  };
};

test('the same facts give the same drawing, another person another one', () => {
  expect(bowerScene(facts(9), 'wide')).toBe(bowerScene(facts(9), 'wide'));
  expect(bowerScene({ ...facts(9), seed: 'grace' }, 'wide')).not.toBe(bowerScene(facts(9), 'wide'));
});

test('a drawing stays small and whole, with nobody’s hours and with sixty courses', () => {
  for (const many of [0, 1, 2, 9, 10, 17, 41, 60]) {
    for (const frame of ['wide', 'tall', 'door', 'band'] as const) {
      const svg = bowerScene(facts(many), frame);
      expect(svg).not.toMatch(/NaN|undefined|null|Infinity/);
      expect(svg.length).toBeLessThan(80_000);
      const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      // One stands in the avenue, 40 lie before it.
      expect(svg.match(/<clipPath/g)?.length ?? 0).toBe(Math.min(many, 41));
    }
  }
});
