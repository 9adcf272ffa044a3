import { expect, test } from 'vitest';
import { foldSynonyms, meaningsOf } from './synonyms.ts';

const synonyms = foldSynonyms([
  { typed: 'k8s', means: ['Kubernetes'] },
  { typed: 'pen test', means: ['Penetration Testing', 'PenTest+'] },
]);

test('a search means itself first, then what it is a synonym for, in any spelling', () => {
  expect(meaningsOf('K8s', synonyms)).toEqual(['k8s', 'kubernetes']);
  expect(meaningsOf('pen-test', synonyms)).toEqual(['pentest', 'penetrationtesting', 'pentestplus']);
  expect(meaningsOf('security plus', foldSynonyms([]))).toEqual(['securityplus']);
});

test('a word of a search is looked up too', () => {
  expect(meaningsOf('k8s security', synonyms)).toEqual(['k8ssecurity', 'kubernetessecurity']);
});

test('a text without letters, and a single letter, mean nothing; a long text only itself', () => {
  expect(meaningsOf('.*', synonyms)).toEqual([]);
  expect(meaningsOf('a', synonyms)).toEqual([]);
  expect(meaningsOf('k8s '.repeat(1000), synonyms)).toHaveLength(1);
});
