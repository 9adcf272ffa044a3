import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import { createSuggester } from './suggestions.server.ts';
import { foldSynonyms } from './synonyms.ts';

const suggester = createSuggester(
  snapshotOf(
    [
      listedCourse(0, { title: 'Certified Ethical Hacker (CEH v13)', category: 'ethical-hacking' }),
      listedCourse(1, { title: 'Kubernetes Security', category: 'container-security' }),
    ],
    {
      categories: [
        { slug: 'ethical-hacking', name: 'Ethical Hacking', icon: 'terminal', inFilter: true },
        { slug: 'finance', name: 'Finance', icon: 'scroll', inFilter: false },
      ],
      tracks: [{ slug: 'offensive', name: 'Offensive', icon: 'terminal', description: '' }],
      certificationGroups: [
        {
          slug: 'professional',
          title: 'Professional',
          description: '',
          certifications: [
            {
              slug: 'ceh',
              name: 'CEH',
              provider: 'EC-Council',
              description: '',
              overview: '',
              passRate: 87,
              passRateSource: null,
              exam: [],
              domains: [],
              suits: [],
              jobRoles: [],
              course: listedCourse(0).card,
            },
          ],
        },
      ],
    },
  ),
);

test('P11: courses, categories, tracks and certifications are suggested as one types', () => {
  expect(suggester.suggest('eth', 8).map(({ label }) => label)).toEqual([
    'Ethical Hacking',
    'Certified Ethical Hacker (CEH v13)',
  ]);
  expect(suggester.suggest('offen', 8)).toEqual([
    { kind: 'Track', label: 'Offensive', address: '/courses?category=offensive' },
  ]);
  expect(suggester.suggest('ceh', 8)[0]).toEqual({
    kind: 'Certification',
    label: 'CEH',
    address: '/certifications/ceh',
  });
});

const learner = createSuggester(
  snapshotOf(
    [
      listedCourse(0, { title: 'Cisco Network Security' }),
      listedCourse(1, { title: 'Information Security Professional (CISSP)' }),
      listedCourse(2, { title: 'ISO/IEC 27001 Lead Auditor' }),
      listedCourse(3, { title: 'Microsoft Security Fundamentals (SC-900)' }),
      listedCourse(4, { title: 'Azure Security Technologies', exams: ['AZ-500'] }),
      listedCourse(5, { title: 'Starting in Cybersecurity' }),
      listedCourse(6, { title: 'CompTIA Security+ (SY0-701)' }),
      listedCourse(7, { title: 'CompTIA PenTest+ (PT0-003)' }),
      listedCourse(8, { title: 'Kubernetes Administrator' }),
      listedCourse(9, { title: 'Python for Security Work' }),
      listedCourse(10, { title: 'Mobile Penetration Testing' }),
    ],
    {
      synonyms: foldSynonyms([
        { typed: 'k8s', means: ['Kubernetes'] },
        { typed: 'pen test', means: ['Penetration Testing'] },
      ]),
    },
  ),
);

test.each([
  ['iso27001', 'ISO/IEC 27001 Lead Auditor'],
  ['sc900', 'Microsoft Security Fundamentals (SC-900)'],
  ['az50', 'Azure Security Technologies'],
  ['cyber security', 'Starting in Cybersecurity'],
  ['security plus', 'CompTIA Security+ (SY0-701)'],
  ['pen test', 'CompTIA PenTest+ (PT0-003)'],
  ['ciss', 'Information Security Professional (CISSP)'],
  ['k8s', 'Kubernetes Administrator'],
  ['py', 'Python for Security Work'],
])('P11: %s suggests first %s', (typed, first) => {
  expect(learner.suggest(typed, 8)[0]?.label).toBe(first);
});

test('P11: names that begin with the typed text come first, then names with a word that does, then synonyms', () => {
  expect(learner.suggest('pen test', 8).map(({ label }) => label)).toEqual([
    'CompTIA PenTest+ (PT0-003)',
    'Mobile Penetration Testing',
  ]);
  expect(learner.suggest('cisc', 8)[0]?.label).toBe('Cisco Network Security');
});

test('P11: typing mistakes are forgiven', () => {
  expect(suggester.suggest('kubernets', 8)[0]?.label).toBe('Kubernetes Security');
  expect(suggester.suggest('hakcing', 8)[0]?.label).toBe('Ethical Hacking');
});

test('a category without courses leads nowhere and is not suggested', () => {
  expect(suggester.suggest('finance', 8)).toEqual([]);
});

test('P11: a text still being typed is forgiven as far as it goes', () => {
  expect(suggester.suggest('kubre', 8)[0]?.label).toBe('Kubernetes Security');
  expect(suggester.suggest('secuirty kub', 8)[0]?.label).toBe('Kubernetes Security');
});

test('P11: names are suggested by their words in any order, and courses by their description', () => {
  expect(suggester.suggest('security kube', 8)[0]?.label).toBe('Kubernetes Security');
  expect(suggester.suggest('description', 8)).toHaveLength(2);
});

test('P11: near a search that no course matches are courses only, and nothing is near to just any text', () => {
  expect(suggester.nearest('kubernetis hardening')).toEqual(['course-1']);
  expect(suggester.nearest('ethical hakcing')).toEqual(['course-0']);
  expect(suggester.nearest('underwater basket weaving')).toEqual([]);
});

test('a course that is gone, or has another title, is near no more', () => {
  const gone = createSuggester(
    snapshotOf([listedCourse(0, { title: 'Kubernetes' }), listedCourse(1, { title: 'Terraform' })]),
  );
  expect(gone.nearest('kubernetis')).toEqual(['course-0']);
  gone.update(snapshotOf([listedCourse(0, { title: 'Containers' })]));
  expect(gone.nearest('kubernetis')).toEqual([]);
  expect(gone.nearest('terrafrom')).toEqual([]);
  expect(gone.nearest('contianers')).toEqual(['course-0']);
});

test('any text is answered', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }),
      (text) => suggester.suggest(text, 3).length <= 3 && suggester.nearest(text).length <= 2,
    ),
  );
});
