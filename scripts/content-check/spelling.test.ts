import { expect, test } from 'vitest';
import { proseOf } from '#app/features/content/check/prose.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { torture } from '#tests/support/torture.ts';
import { readWording, spellingFaults } from './spelling.ts';

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

torture('every term and official name is still needed', async () => {
  const academy = await readAcademy();
  const texts = proseOf(academy)
    .map(({ text }) => text)
    .join('\n');
  const { terms, officialNames } = await readWording();
  const has = (term: string) => {
    const word = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<!\\p{L})${word}(?!\\p{Ll})`, term === term.toLowerCase() ? 'iu' : 'u').test(texts);
  };
  expect(terms.filter((term) => !has(term))).toEqual([]);
  expect(officialNames.filter((name) => !has(name))).toEqual([]);
  expect(new Set(terms).size).toBe(terms.length);
});

test('our own titles are read, those of exams are names', () => {
  const course = sampleCourse('a', {
    title: 'Advnaced Netwrok Defence',
    overview: 'Towards the Cybersecurity Defense exam.',
  });
  const exam = { code: 'X', body: 'B', title: 'Cybersecurity Defense', status: 'current' as const };
  const found = spellingFaults({ ...sampleContent([course]), exams: [exam] }, { terms: [], officialNames: [] });
  const told = found.filter(({ file }) => 'course' in file).map(({ path, message }) => [path[0], message]);
  expect(told).toContainEqual(['title', 'spelling: Advnaced, Netwrok']);
  expect(told.filter(([path]) => path === 'overview')).toEqual([]);
});

test('of a compound with an abbreviation or a figure, the ordinary half is read', () => {
  expect(wrong('AI-generated in a 24-hour run, _emphasised_.')).toEqual([]);
  expect(wrong('AI-genreated in a 24-huor run, _emphassised_.')).toEqual(['AI-genreated, 24-huor, emphassised']);
});
