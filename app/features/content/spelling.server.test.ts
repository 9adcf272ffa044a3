import { expect, test } from 'vitest';
import { contentFolder, readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { readWording, spellingFaults } from './spelling.server.ts';

const wrong = (overview: string, wording = { terms: [] as string[], officialNames: [] as string[] }) => {
  const terms = ['cybersecurity', 'Whitlock', ...wording.terms];
  const content = sampleContent([sampleCourse('a', { overview })]);
  return spellingFaults(content, { ...wording, terms })
    .filter(({ path }) => path[0] === 'overview')
    .map(({ message }) => message.replace('spelling: ', ''));
};

test('Australian spelling passes, American and wrong spelling do not', () => {
  expect(wrong('We organise the defence of a colourful centre, and practise what we analyse.')).toEqual([]);
  expect(wrong('We organize the defense of a colorful center.')).toEqual(['organize, defense, colorful, center']);
  expect(wrong('An acount is locked.')).toEqual(['acount']);
});

test('code, addresses, abbreviations and names with figures or inner capitals are not words', () => {
  expect(
    wrong('Run `grep -rn foo`, see https://exmple.test/abcd, ask a@exmple.test; SIEM, IPv6, OpenSSH and PCIs.'),
  ).toEqual([]);
});

test('compounds are correct when their parts are, or when they are terms', () => {
  expect(wrong('A well-known back-and-forth.')).toEqual([]);
  expect(wrong('A well-knwon one.')).toEqual(['well-knwon']);
  expect(wrong('Wi-Fi at work.')).toEqual(['Wi-Fi']);
  expect(wrong('Wi-Fi at work.', { terms: ['Wi-Fi'], officialNames: [] })).toEqual([]);
});

test('a lower-case term holds for any case, a capital one only as it stands', () => {
  const wording = { terms: ['subnet', 'Artifact'], officialNames: [] };
  expect(wrong('Subnet and subnet, AWS Artifact.', wording)).toEqual([]);
  expect(wrong('An artifact.', wording)).toEqual(['artifact']);
});

test('an official name keeps its owner’s spelling', () => {
  const wording = { terms: [], officialNames: ['Department of Defense'] };
  expect(wrong('The Department of Defense asks for it.', wording)).toEqual([]);
});

test('every term and official name is still needed', async () => {
  const academy = await readAcademy();
  const texts = JSON.stringify(academy);
  const { terms, officialNames } = await readWording(contentFolder, { ...academy, exams: [], courses: [] });
  const has = (term: string) => (term === term.toLowerCase() ? texts.toLowerCase() : texts).includes(term);
  expect(terms.filter((term) => !has(term))).toEqual([]);
  expect(officialNames.filter((name) => !has(name))).toEqual([]);
  expect(new Set(terms).size).toBe(terms.length);
});
