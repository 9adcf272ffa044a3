import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { moduleAsFile, moduleFile, moduleInFile, modulePartsOf } from './module-schema.ts';

const body =
  '## Reading\n\nA log says who asked.\n\n### Where it stands\n\nOn the host.\n\n## Exercise\n\nName three fields.';

test('P60: a module is the text below Reading and the text below Exercise, in this order', () => {
  expect(modulePartsOf(body)).toEqual({
    reading: 'A log says who asked.\n\n### Where it stands\n\nOn the host.',
    exercise: 'Name three fields.',
  });
  for (const wrong of [
    'A log.',
    '## Reading\n\nA log.',
    '## Reading\n\n## Exercise\n\nName three.',
    '## Exercise\n\nName three.\n\n## Reading\n\nA log.',
    `Before.\n\n${body}`,
    `${body}\n\n## More\n\nText.`,
  ]) {
    expect(modulePartsOf(wrong), wrong).toBe(null);
  }
});

test('P70: a file is read back as it was written, whatever its title has in it', () => {
  for (const title of ['Kerberos', 'NTLM: coercion and relay', '"Quoted"', 'A # in it', "'Single'", '[Draft]']) {
    const read = moduleInFile(moduleAsFile({ title, body }));
    expect(read).toEqual({ title, body });
  }
  expect(moduleFile({ course: 'soc-fundamentals', number: 3 })).toBe('modules/soc-fundamentals/03.md');
  expect(moduleInFile('# No front matter')).toBe(null);
  expect(moduleInFile('---\r\ntitle: Kerberos\r\n---\r\n\r\nText.\r\n')).toEqual({ title: 'Kerberos', body: 'Text.' });
});

test('no share named in a module loses a backslash: markdown makes one of two, but in code', () => {
  const files = globSync('content/modules/**/*.md', { cwd: projectRoot });
  expect(files.length).toBeGreaterThan(6);
  const lost = files.flatMap((file) => {
    const text = readFileSync(path.join(projectRoot, file), 'utf8').replaceAll(/```.*?```|`[^`\n]*`/gs, '');
    return [...text.matchAll(/\\\\\S+/g)].map(([share]) => `${file}: ${share}`);
  });
  expect(lost).toEqual([]);
});
