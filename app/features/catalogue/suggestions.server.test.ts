import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import { createSuggester } from './suggestions.server.ts';

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

test('P11: typing mistakes are forgiven', () => {
  expect(suggester.suggest('kubernets', 8)[0]?.label).toBe('Kubernetes Security');
  expect(suggester.suggest('hakcing', 8)[0]?.label).toBe('Ethical Hacking');
});

test('a category without courses leads nowhere and is not suggested', () => {
  expect(suggester.suggest('finance', 8)).toEqual([]);
});

test('P11: a search without results names the closest titles, courses only', () => {
  expect(suggester.closestCourses('kubernetis hardening', 3)).toEqual([
    { slug: 'course-1', title: 'Kubernetes Security' },
  ]);
});

test('any text is answered', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => suggester.suggest(text, 3).length <= 3));
});
