import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import type { Tier } from '#app/features/catalogue/rules.ts';
import { formatCount } from '#app/lib/money.ts';
import type { BowerFacts } from '#app/ui/bower/scene.ts';
import { hoursPerStraw } from '#app/ui/bower/straws.ts';
import { apart, type Treasure } from '#app/ui/bower/treasure.ts';
import { type IconName, isIconName } from '#app/ui/icons.ts';
import { type Split, splitOf } from '#app/ui/treasure-art.ts';

/** A course as a bower shows it, with the facts of the day on which it was finished or bought. */
export type BowerCourse = {
  slug: string;
  title: string;
  icon: string;
  tier: Tier;
  /** How the certificate divides the treasure; null where there is none yet. */
  split: Split | null;
};

/** Records of one person that a bower is made of (P63). */
export type BowerRecords = {
  /** Minutes studied, over all courses. */
  minutes: number;
  /** Courses with a valid certificate; the first is in the avenue. */
  finished: readonly BowerCourse[];
  /** Courses bought and not finished, the one studied last first. */
  underWay: readonly BowerCourse[];
};

/** The facts of a drawing. The bird carries the course that was studied last, and a straw where there is none. */
export function bowerFacts(
  { minutes, finished, underWay }: BowerRecords,
  { questLines }: Pick<Catalogue, 'questLines'>,
  seed: string,
): BowerFacts {
  const done = new Set(finished.map(({ slug }) => slug));
  const treasures: Treasure[] = [];
  for (const course of finished) treasures.push(asTreasure(course, treasures));
  const [carried] = underWay;
  return {
    seed,
    hours: Math.floor(minutes / 60),
    treasures,
    coming: underWay.map(({ icon }) => known(icon)),
    crown: questLines.map(({ steps }) => ({
      courses: steps.length,
      finished: steps.filter(({ course }) => done.has(course.slug)).length,
    })),
    carries: carried ? asTreasure(carried, treasures) : 'straw',
  };
}

const known = (icon: string): IconName => (isIconName(icon) ? icon : 'gem');

function asTreasure({ slug, icon, tier, split }: BowerCourse, others: readonly Treasure[]): Treasure {
  const treasure = { icon: known(icon), tier, split: split ?? splitOf(slug), seed: slug };
  return split === null ? apart(treasure, others) : treasure;
}

/** The figures beside a bower: straws, treasures, whole points of the crown. */
export function bowerFigures(facts: BowerFacts) {
  const straws = Math.floor(facts.hours / hoursPerStraw(facts.hours));
  return {
    straws,
    hoursPerStraw: hoursPerStraw(facts.hours),
    treasures: facts.treasures.length,
    points: facts.crown.filter(({ courses, finished }) => courses > 0 && finished >= courses).length,
  };
}

/** `1 straw`, `414 straws`, `1 treasure`, `1 point of the crown`: the figures in words. */
export function figuresInWords(facts: BowerFacts) {
  const { straws, treasures, points } = bowerFigures(facts);
  const many = (count: number, one: string, more: string) => `${formatCount(count)} ${count === 1 ? one : more}`;
  return {
    straws: many(straws, 'straw', 'straws'),
    treasures: many(treasures, 'treasure', 'treasures'),
    points: points > 0 ? many(points, 'point of the crown', 'points of the crown') : null,
    coming: facts.coming.length > 0 ? many(facts.coming.length, 'course under way', 'courses under way') : null,
  };
}

/** A description of the drawing for people who do not see it. */
export function bowerSentence(facts: BowerFacts): string {
  const { straws, treasures, points, coming } = figuresInWords(facts);
  const said = points ? `${straws}, ${treasures} and ${points}` : `${straws} and ${treasures}`;
  return `A bower of ${said}${coming ? `, with places for ${coming}` : ''}.`;
}
