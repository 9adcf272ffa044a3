import { expect, test } from 'vitest';
import { nextQuest } from './next-quest.ts';

type Catalogue = Parameters<typeof nextQuest>[0];
const slugs = ['first-look', 'security', 'shift', 'hunting', 'containment', 'kubernetes', 'clusters'];
const card = (slug: string) => ({ slug, title: slug.toUpperCase() });
const line = (slug: string, ...steps: string[]) => ({
  slug,
  title: slug,
  steps: steps.map((step) => ({ course: card(step), reason: `Why ${step}.`, alsoNeeds: [] })),
});
const leads: Record<string, number[]> = { kubernetes: [slugs.indexOf('clusters')], security: [0] };
const byId = new Map(slugs.map((slug, id) => [id, { card: card(slug), leadsTo: leads[slug] ?? [] }]));
const catalogue = {
  byId,
  bySlug: new Map(slugs.map((slug, id) => [slug, byId.get(id)])),
  questLines: [
    line('responder', 'security', 'containment'),
    line('analyst', 'first-look', 'security', 'shift', 'hunting'),
  ],
} as unknown as Catalogue;

const next = (...finished: string[]) => {
  const quest = nextQuest(catalogue, finished);
  return quest && [quest.course.slug, quest.line && `${quest.line.step} of ${quest.line.steps} in ${quest.line.slug}`];
};

test('P56: the next quest is the next step of the line of the last course, the one most is finished of', () => {
  expect(next('first-look', 'security')).toEqual(['shift', '3 of 4 in analyst']);
  expect(next('security')).toEqual(['containment', '2 of 2 in responder']);
  // A step that was left out is not asked for afterwards: a beginner's course after the third step helps nobody.
  expect(next('shift')).toEqual(['hunting', '4 of 4 in analyst']);
  expect(nextQuest(catalogue, ['security'])?.line?.reason).toBe('Why containment.');
});

test('P56: a line that is finished gives way to another line of the course, then to what the course leads to', () => {
  expect(next('first-look', 'containment', 'security')).toEqual(['shift', '3 of 4 in analyst']);
  expect(next('shift', 'hunting', 'security', 'containment')).toBeNull();
  expect(next('shift', 'hunting', 'containment', 'security')).toEqual(['first-look', null]);
  expect(next('kubernetes')).toEqual(['clusters', null]);
  expect(next('kubernetes', 'clusters')).toBeNull();
  expect(next('no-longer-offered')).toBeNull();
  expect(next()).toBeNull();
});
