import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levels } from '#app/lib/levels.ts';
import { assembleCatalogue } from './assemble.ts';
import type { CatalogueFrame, CourseRow } from './queries.server.ts';

const frame: CatalogueFrame = {
  categories: [{ slug: 'soc', name: 'SOC', icon: 'eye', inFilter: true, retired: false }],
  tracks: [],
  instructors: [],
  certificationGroups: [],
  questLines: [],
  exams: [],
  synonyms: [],
  site: {},
};

function row(id: number, parts: Partial<CourseRow> = {}): CourseRow {
  return {
    id,
    slug: `course-${id}`,
    title: `Course ${id}`,
    description: 'Description',
    categorySlug: 'soc',
    level: 'Beginner',
    priceId: 1,
    originalProof: null,
    priceSince: '2025-09-08',
    priceCents: 150_000,
    originalPriceCents: null,
    hours: 30,
    learners: id * 100,
    rating: 4.8,
    guided: id % 2 === 0,
    publishedOn: `2025-01-${String(id + 10)}`,
    changedAt: new Date('2025-09-08T00:00:00Z'),
    instructorSlug: 'mara',
    examCodes: [],
    trackSlugs: [],
    aliases: [],
    needs: [],
    leadsTo: [],
    revision: id,
    ...parts,
  };
}

const ten = Array.from({ length: 10 }, (_, id) => row(id));
const badged = (badge: 'isNew' | 'isPopular', rows = ten) =>
  assembleCatalogue(rows, frame)
    .courses.filter(({ card }) => card[badge])
    .map(({ card }) => card.slug)
    .sort();

test('P5: NEW is the newest 30%, Popular Choice the 40% with most learners', () => {
  expect(badged('isNew')).toEqual(['course-7', 'course-8', 'course-9']);
  expect(badged('isPopular')).toEqual(['course-6', 'course-7', 'course-8', 'course-9']);
});

test('P5: badges do not depend on the order courses come in', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ten, { minLength: 10 }), (shuffled) => {
      expect(badged('isNew', shuffled)).toEqual(badged('isNew'));
    }),
  );
});

const edit = fc.record({
  id: fc.integer({ min: 0, max: 11 }),
  learners: fc.integer({ min: 0, max: 3 }),
  publishedOn: fc.constantFrom('2024-12-01', '2025-01-15', '2025-06-01'),
  priceCents: fc.constantFrom(100_000, 150_000, 200_000),
  level: fc.constantFrom(...levels),
  gone: fc.boolean(),
});

test('a catalogue that follows edits one by one equals one made from nothing', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
      let rows = new Map(ten.map((one) => [one.id, one]));
      let catalogue = assembleCatalogue([...rows.values()], frame);
      for (const [at, { gone, id, ...parts }] of edits.entries()) {
        rows = new Map(rows);
        if (gone) rows.delete(id);
        else rows.set(id, row(id, { ...parts, revision: 100 + at }));
        catalogue = assembleCatalogue([...rows.values()], frame, catalogue);
      }
      expect(catalogue).toEqual(assembleCatalogue([...rows.values()], frame));
    }),
  );
});

test('an edited course leaves the others the same objects', () => {
  const before = assembleCatalogue(ten, frame);
  const after = assembleCatalogue(
    ten.map((one) => (one.id === 3 ? row(3, { title: 'Another title', revision: 100 }) : one)),
    frame,
    before,
  );
  const changed = after.courses.filter((course) => before.byId.get(course.id) !== course);
  expect(changed.map(({ card }) => card.title)).toEqual(['Another title']);
});

test('P106: original prices that nothing proves but the brief go and come with the switch of the settings', () => {
  const priced = (proof: string) => ({ originalPriceCents: 299_900, originalProof: { proof, charged: [] } });
  const rows = [row(1, priced('the brief')), row(2, priced('Price list of 1 March 2025'))];
  const shown = (hideUnprovedPrices: boolean, before?: ReturnType<typeof assembleCatalogue>) => {
    const catalogue = assembleCatalogue(rows, { ...frame, site: { hideUnprovedPrices } }, before);
    return { catalogue, originals: [1, 2].map((id) => catalogue.byId.get(id)?.card.originalPriceCents) };
  };
  const first = shown(false);
  expect(first.originals).toEqual([299_900, 299_900]);
  expect(shown(true, first.catalogue).originals).toEqual([null, 299_900]);
});
