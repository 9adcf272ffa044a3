import { expect, test } from 'vitest';
import { foldedWords } from './folding.ts';
import { foldSynonyms, meaningsOf } from './synonyms.ts';

const synonyms = foldSynonyms([
  { typed: 'k8s', means: ['Kubernetes'] },
  { typed: 'pen test', means: ['Penetration Testing', 'PenTest+'] },
]);

test('a search means itself first, then its synonyms, in any spelling', () => {
  expect(meaningsOf(foldedWords('K8s'), synonyms)).toEqual(['k8s', 'kubernetes']);
  expect(meaningsOf(foldedWords('pen-test'), synonyms)).toEqual(['pentest', 'penetrationtesting', 'pentestplus']);
  expect(meaningsOf(foldedWords('security plus'), foldSynonyms([]))).toEqual(['securityplus']);
});

test('a word of a search is looked up too', () => {
  expect(meaningsOf(foldedWords('k8s security'), synonyms)).toEqual(['k8ssecurity', 'kubernetessecurity']);
});

test('a text without letters, and a single letter, mean nothing; a long text only itself', () => {
  expect(meaningsOf(foldedWords('.*'), synonyms)).toEqual([]);
  expect(meaningsOf(foldedWords('a'), synonyms)).toEqual([]);
  expect(meaningsOf(foldedWords('k8s '.repeat(1000)), synonyms)).toHaveLength(1);
});
