import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import type { BowerFacts } from '#app/ui/bower/scene.ts';
import { type BowerCourse, bowerFacts } from './facts.ts';

/** The courses of an invented player on the way to SOC analyst and cloud, with the hours of the courses. */
const finished = [
  'comptia-security-plus',
  'soc-fundamentals',
  'comptia-network-plus',
  'soc-analyst-hands-on',
  'comptia-cysa-plus',
  'threat-hunting',
  'aws-cloud-practitioner',
  'ai-security-foundations',
];
const underWay = ['cissp'];

/** The bower that /demo shows as an example: made from courses of the catalogue, and nobody's. */
export function exampleBower(catalogue: Pick<Catalogue, 'bySlug' | 'questLines'>): BowerFacts {
  const of = (slugs: string[]) =>
    slugs.flatMap((slug) => {
      const listed = catalogue.bySlug.get(slug);
      return listed ? [listed.card] : [];
    });
  const asCourse = ({ slug, title, icon, tier }: ReturnType<typeof of>[number]): BowerCourse => ({
    slug,
    title,
    icon,
    tier,
    split: null,
  });
  const hours = of(finished).reduce((sum, card) => sum + card.hours, 0);
  return bowerFacts(
    { minutes: hours * 60, finished: of(finished).map(asCourse), underWay: of(underWay).map(asCourse) },
    catalogue,
    'an example',
  );
}
