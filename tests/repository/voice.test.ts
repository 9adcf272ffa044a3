import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mailSamples } from '#app/emails/samples.ts';
import { projectRoot } from '#app/env.server.ts';
import { textsRead } from '#tests/support/read-texts.ts';

const brand = readFileSync(path.join(projectRoot, 'docs/brand.md'), 'utf8');
const section = brand.slice(brand.indexOf('### Words we do not use'), brand.indexOf('## Signs of'));
const unwanted = [...section.matchAll(/^\| (?!Not |-)([^|]+?) +\|/gm)].map(([, words = '']) => words);
const specified = (/words stay: ([^.]+)\./.exec(section)?.[1] ?? '')
  .split(/,\s+/)
  .map((text) => text.replace(/\s+/g, ' '));

/** The words of docs/brand.md, an asterisk for any ending. */
const pattern = new RegExp(
  unwanted
    .map((words) => words.replace(/[$.?]/g, '\\$&').replace(/\*$/, String.raw`\w*`))
    .map((words) => String.raw`(?<![\w-])${words}(?![\w-])`)
    .join('|'),
  'gi',
);

test('docs/brand.md names the words that we do not use, and the texts that stay', () => {
  expect(unwanted.length).toBeGreaterThan(40);
  expect(unwanted).toContain('e-mail*');
  expect(specified).toContain('Enroll Now');
});

/** Half of the day in another form than `9:00 AM`, as the storefront's specification writes it. */
const otherTimes = /(?<=\d)\s?[ap]\.?m\b|^\s*am$|\bpm\b/g;

test.each([
  ['<p>From 9 am, 9:30pm or {time} pm</p>', [' am', 'pm']],
  ['<p>I am here from 9:00 AM</p>', []],
  ['<p>Please answer this <b>e-mail</b>.</p>', ['e-mail']],
  ['<p>An {kind} e-mails you</p>', ['e-mails']],
  [`const fault = \`Nothing was stored by \${name}\`;`, ['stored']],
  ['<button>Enrol and owe {sum}</button>', ['Enrol and owe']],
  ["const label = 'Enroll Now';", []],
  ["// Whoever reads this\nconst standing = 'stands'; type Kind = 'was stored';", []],
  ["const row = sql`select stored from it`; throw new Error('was stored');", []],
  ['<p className="whole form" />', []],
])('in %s are %j', (source, expected) => {
  const words = textsRead('text.tsx', source).flatMap(({ text }) => found(text));
  expect([...new Set(words)]).toEqual(expected);
});

test('no page, email, document or error has words that we do not use', () => {
  const files = globSync('{app,server}/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
    (file) => !/\.test\.tsx?$/.test(file),
  );
  const faults = files.flatMap((file) => {
    const source = readFileSync(path.join(projectRoot, file), 'utf8');
    return textsRead(file, source).flatMap(({ at, text }) =>
      found(text).map((words) => `${file}:${source.slice(0, at).split('\n').length}: ${words}`),
    );
  });
  expect([...new Set(faults)]).toEqual([]);
});

test('one function writes a time of day, and one that runs as text in the page', () => {
  const writes = /['"`}] ?[ap]m['"`]|hour12|hour: '[n2]|timeStyle|toLocaleTimeString/i;
  const files = globSync('{app,server}/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
    (file) => !/\.test\.tsx?$/.test(file) && writes.test(readFileSync(path.join(projectRoot, file), 'utf8')),
  );
  expect(files.sort()).toEqual([
    'app/db/rewrite-tables.server.ts',
    'app/features/course-dates/own-time.tsx',
    'app/lib/wall-clock.ts',
  ]);
});

test('no email as it is sent has words that we do not use', () => {
  const faults = Object.entries(mailSamples).flatMap(([kind, sample]) => {
    const { subject, text } = sample();
    return found(`${subject}\n${text}`).map((words) => `${kind}: ${words}`);
  });
  expect(faults).toEqual([]);
});

test('no text of the site, its questions and its lists has words that we do not use', () => {
  const faults = globSync('content/*.yaml', { cwd: projectRoot }).flatMap((file) =>
    readFileSync(path.join(projectRoot, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => found(line.replace(/#.*$/, '')).map((words) => `${file}:${at + 1}: ${words}`)),
  );
  expect(faults).toEqual([]);
});

/** Words of the list that are terms in what a course teaches, such as a stored key or an advisory. */
const taught = /^(?:stored|stands|advis\w+|to a file|are told|what comes back)$/i;

test('no course and no module has words that we do not use', () => {
  const files = globSync('content/{courses,modules}/**/*.{yaml,md}', { cwd: projectRoot });
  expect(files.length).toBeGreaterThan(160);
  const faults = files.flatMap((file) =>
    found(readFileSync(path.join(projectRoot, file), 'utf8').replace(/\s+/g, ' '))
      .filter((words) => !taught.test(words))
      .map((words) => `${file}: ${words}`),
  );
  expect(faults).toEqual([]);
});

function found(text: string): string[] {
  const own = specified.reduce((rest, words) => rest.replaceAll(words, '…'), text);
  return [...(own.match(pattern) ?? []), ...(own.match(otherTimes) ?? [])];
}
