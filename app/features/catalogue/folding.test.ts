import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginsAWord, foldedWords, foldText, holdsFolded } from './folding.ts';

const fold = (text: string) => foldedWords(text).join('');

test.each([
  ['ISO/IEC 27001 Lead Auditor', 'iso27001'],
  ['Microsoft Security Fundamentals (SC-900)', 'sc900'],
  ['Microsoft Azure Security Technologies (AZ-500)', 'AZ 500'],
  ['Starting a Career in Cybersecurity', 'cyber security'],
  ['CompTIA Security+ (SY0-701)', 'security plus'],
  ['CompTIA Security+ (SY0-701)', 'SECURITY+'],
  ['CompTIA PenTest+ (PT0-003)', 'pen-test'],
  ['Résumé clinic', 'resume'],
])('%s is found by %s', (title, typed) => {
  expect(holdsFolded(foldText(title), fold(typed))).toBe(true);
});

test('words are joined only as wholes, and never across parts', () => {
  expect(holdsFolded(foldText('Learn it so Cisco devices obey'), 'soc')).toBe(false);
  expect(holdsFolded(foldText('Risk analysis'), 'sk')).toBe(false);
  expect(holdsFolded(foldText('Okta', 'IAM'), 'oktaiam')).toBe(false);
  expect(holdsFolded(foldText('Okta', 'IAM'), 'iam')).toBe(true);
  expect(holdsFolded(foldText('Okta', 'IAM'), 'okta')).toBe(true);
});

test('a search may end within a word', () => {
  const title = foldText('Azure (AZ-500)');
  expect(beginsAWord(title, 'az50')).toBe(true);
  expect(holdsFolded(title, 'az50')).toBe(false);
  expect(beginsAWord(title, 'ure')).toBe(false);
});

test('any text is found by itself, however it is spaced, and its marks are as long as its words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ maxLength: 10 }), (text, other) => {
      fc.pre(fold(text) !== '');
      const folded = foldText(other, text);
      expect(folded.starts).toHaveLength(folded.text.length);
      expect(holdsFolded(folded, fold(text))).toBe(true);
    }),
  );
});
