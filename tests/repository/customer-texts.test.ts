import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mailSamples } from '#app/emails/samples.ts';
import { projectRoot } from '#app/env.server.ts';
import { withFacts } from '#app/features/content/placeholders.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { textsRead } from '#tests/support/read-texts.ts';

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const withoutAddresses = (markdown: string): string => markdown.replaceAll(/\]\([^)]*\)/g, ']');

/** The sentences of a Markdown text: each item of a list and each cell of a table begins one. */
const sentencesIn = (markdown: string): string[] =>
  withoutAddresses(markdown)
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\|/)
    .flatMap((part) => part.split(/(?<=[.?!])["”*)]*\s+(?=["“*[\p{Lu}])/u));

test.each([
  ['terms', 1400],
  ['privacy', 1600],
])('P103: /%s has at most %i words', async (slug, most) => {
  const { pages, site } = await readAcademy();
  const page = pages.find((one) => one.slug === slug) ?? expect.unreachable();
  expect(wordsIn(withFacts(withoutAddresses(page.body), site))).toBeLessThanOrEqual(most);
});

test('P103: no sentence of the pages of text and of the FAQ has more than 30 words', async () => {
  const { pages, faq } = await readAcademy();
  const bodies = pages.map(({ body }) => body);
  const answers = faq.flatMap(({ questions }) => questions.map(({ answer }) => answer));
  const long = [...bodies, ...answers].flatMap(sentencesIn).filter((sentence) => wordsIn(sentence) > 30);
  expect(long).toEqual([]);
});

/** Specified words stay. */
const specified = /Book a Session/g;
/** A course date is no session, our software is not named, and a programme is of the job guarantee. */
const forbidden = /\bsessions?\b|\bprograms?\b|(?<!job[- ]guarantee )\bprogrammes?\b/gi;
const found = (text: string): string[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(specified, '')
    .replaceAll(/https?:\/\/\S+/g, '')
    .match(forbidden) ?? [];

test.each([
  ['Choose a training session.', ['session']],
  ['The program refunds it.', ['program']],
  ['The job guarantee programmes begin with a programme of talks.', ['programme']],
  ['Book a Session', []],
])('in "%s" the words %j are found', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

/** Pages, emails and documents for customers; other features name no customer texts of their own. */
const ofCustomers =
  /^app\/(?:routes\/(?!staff\/|api\/)|emails\/|documents\/|ui\/(?!staff\/)|features\/(?:bookings|catalogue|certificates|conversations|enquiries|enrolling|enrolments|money|people|progress|promotions|sessions|waiting)\/)/;
const shown = /\.tsx$|words|text|labels|options|kinds|refus/;

test('P103: no page, email or document for customers says session or program', () => {
  const files = globSync('app/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
    (file) => ofCustomers.test(file) && !file.includes('.test.') && (shown.test(file) || !file.includes('features/')),
  );
  expect(files.length).toBeGreaterThan(300);
  const faults = files.flatMap((file) => {
    const source = readFileSync(path.join(projectRoot, file), 'utf8');
    return textsRead(file, source).flatMap(({ at, text }) =>
      found(text).map((word) => `${file}:${source.slice(0, at).split('\n').length}: ${word}`),
    );
  });
  expect([...new Set(faults)]).toEqual([]);
});

test('P103: no email as it is sent says session or program', () => {
  const faults = Object.entries(mailSamples).flatMap(([kind, sample]) => {
    const { subject, text } = sample();
    return found(`${subject}\n${text}`).map((word) => `${kind}: ${word}`);
  });
  expect(faults).toEqual([]);
});

test('P103: no text of the site says session or program, but those on what is taught', async () => {
  const { pages, faq, claims, partners, combos, heroSlides, tracks, site } = await readAcademy();
  const texts = JSON.stringify({ pages, faq, claims, partners, combos, heroSlides, tracks, attending: site.attending });
  // The part on the job guarantee names it without these words once.
  expect(found(texts.replaceAll(/complete the programme/g, ''))).toEqual([]);
});
