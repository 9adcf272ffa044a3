// @module-tag torture
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runScript, temporaryFolder } from '#scripts/support/program.ts';
import { contentFolder } from '#tests/support/academy.ts';

let copy: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  copy = temporaryFolder();
  cpSync(contentFolder, copy.folder, { recursive: true });
});
afterEach(() => copy.remove());

const edit = (file: string, from: string | RegExp, to: string) => {
  const name = path.join(copy.folder, file);
  const text = readFileSync(name, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(name, text.replace(from, to));
};
/** Replaces the objectives of a course; the first one becomes `first`. */
const objectives = (file: string, first: string) => {
  const others = ['Name a risk', 'Rate a risk', 'Treat a risk', 'Accept a risk'];
  edit(
    file,
    /^objectives:\n(?: {2}.*\n)+/m,
    `objectives:\n${[first, ...others].map((one) => `  - ${one}\n`).join('')}`,
  );
};
async function check(): Promise<{ code: number | null; output: string }> {
  const run = runScript('content.ts', ['check', '--from', copy.folder]);
  const code = await run.end();
  return { code, output: run.output() };
}

test('the academy’s content passes, and the counts are printed', async () => {
  const { code, output } = await check();
  expect(code).toBe(0);
  expect(output).toMatch(/categories: ai-security \d+, .*\ntracks: cybersecurity \d+, .*\nlevels: Beginner \d+, /);
  expect(output).toMatch(/Closest in wording: \S+ and \S+, \d+\.\d% of three-word runs in common/);
});

test('the check reports all violations of the standard at once, by file and line, and fails', async () => {
  edit('courses/cissp.yaml', /^hours: 80$/m, 'hours: 200');
  objectives('courses/cism.yaml', 'Analize the acount');
  edit('courses/cisa.yaml', 'credential: >-\n  ', 'credential: >-\n  Sit exam SY0-601 first. ');
  const shared = 'Explain to a board why one two three four five risks were accepted';
  objectives('courses/crisc.yaml', shared);
  objectives('courses/cdpse.yaml', shared);
  const { code, output } = await check();
  expect(code).toBe(1);
  expect(output).toMatch(/courses\/cissp\.yaml:\d+ hours: 200 is not within 24 to 120/);
  expect(output).toMatch(/courses\/cism\.yaml:\d+ objectives\[0\]: spelling: Analize, acount/);
  expect(output).toMatch(/courses\/cisa\.yaml:\d+ credential: exam SY0-601 is not in exams\.yaml/);
  expect(output).toMatch(/courses\/c(dpse|risc)\.yaml:\d+ objectives\[0\]: shares with c(dpse|risc): "/);
  expect(output).toContain('faults; nothing was changed.');
});

test('a cycle and an unknown related course are faults', async () => {
  edit('courses/cissp.yaml', 'needs:\n', 'needs:\n  - no-such-course\n');
  edit(
    'courses/enterprise-security-architecture.yaml',
    /^description:/m,
    'leadsTo:\n  - enterprise-security-architecture\ndescription:',
  );
  const { code, output } = await check();
  expect(code).toBe(1);
  expect(output).toMatch(/courses\/cissp\.yaml:\d+ needs\[0\]: no course has the slug "no-such-course"/);
  expect(output).toMatch(/goes round in a circle: enterprise-security-architecture → enterprise-security-architecture/);
  expect(output).toContain('2 faults; nothing was changed.');
});

test('references to a missing course are reported', async () => {
  rmSync(path.join(copy.folder, 'courses/smart-contract-auditing.yaml'));
  const { code, output } = await check();
  expect(code).toBe(1);
  expect(output).toContain('no course has the slug "smart-contract-auditing"');
});
