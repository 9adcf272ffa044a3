/**
 * `npm run content -- check | format | import [--yes] | export [--to FOLDER] | history KIND SLUG | revert KIND SLUG
 * NUMBER`
 */

import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { projectRoot, type Settings, settingsOrExit } from '#app/env.server.ts';
import { describePlan } from '#app/features/content/describe-plan.ts';
import { exportContent } from '#app/features/content/export-content.server.ts';
import { importContent } from '#app/features/content/import-content.server.ts';
import { inBrisbane } from '#app/features/content/instants.ts';
import { lookAgain } from '#app/features/content/look-again.ts';
import { typedTwiceFaults } from '#app/features/content/placeholders.ts';
import { type ImportPlan, isEmpty } from '#app/features/content/plan.ts';
import { readDrafts } from '#app/features/content/queries.server.ts';
import { hashOfContent, readContent } from '#app/features/content/read-content.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { writeContent, writeSchemas } from '#app/features/content/write-content.server.ts';
import type { Fault } from '#app/features/content/yaml.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { openClock } from '#app/lib/clock.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { describeHistory, recordNamed, revertRecord } from './content/history.ts';
import { optionsOrExit } from './support/options.ts';

const usage = `npm run content -- check              lists every fault in content/ by file, line and field; without
                                      faults, every violation of the academy's standard (docs/decisions/0009);
                                      and what is written there that no longer holds today
npm run content -- format             rewrites content/ and its JSON Schemas in the standard format
npm run content -- import [--yes]     shows what would change, asks, and applies it in one transaction; a field changed
                                      in both files and database is a conflict: it keeps the database's value and is
                                      reported (exit code 3), until --theirs takes the files' value or --ours confirms
                                      the database's
npm run content -- export [--to DIR]  writes the database's content to content/, or to DIR
npm run content -- history KIND SLUG  lists what was published of a course, page, faq-group, combo and the like, and by whom
npm run content -- revert KIND SLUG NUMBER [--yes]  publishes an earlier revision again

--from DIR reads another folder than content/.`;

/** Exit code of an import that was applied but left conflicts. */
const conflictsLeft = 3;

const { values, positionals } = optionsOrExit(usage, {
  allowPositionals: true,
  options: {
    yes: { type: 'boolean', default: false },
    ours: { type: 'boolean', default: false },
    theirs: { type: 'boolean', default: false },
    from: { type: 'string', default: 'content' },
    to: { type: 'string' },
  },
});
const folder = path.resolve(projectRoot, values.from);

/** The commands, with how many words follow each name. */
const commands: Record<string, [run: () => Promise<void>, words: number]> = {
  check: [check, 0],
  format: [format, 0],
  import: [runImport, 0],
  export: [runExport, 0],
  history: [showHistory, 2],
  revert: [runRevert, 3],
};
const [name = '', ...words] = positionals;
const [command, wordsNeeded] = commands[name] ?? [];
if (!command || words.length !== wordsNeeded || (values.ours && values.theirs)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  await command();
}

async function check() {
  const read = await contentOrExit();
  const { content } = read;
  // Some of these packages are there for development only; an installation without them still imports.
  const { datedTextFaults } = await import('#app/features/content/check/dated-texts.ts');
  const { earlyCountFaults } = await import('#app/features/content/check/early-counts.ts');
  const { examCodeFaults } = await import('#app/features/content/check/exam-codes.ts');
  const { completionFaults } = await import('#app/features/content/check/completion.ts');
  const { guidedStudyFaults } = await import('#app/features/content/check/guided-study.ts');
  const { catalogueCounts, qualityFaults } = await import('#app/features/content/check/quality.ts');
  const { closestPair, officialNames, repeatedProse } = await import('#app/features/content/check/repeated-prose.ts');
  const { missingSources } = await import('#app/features/content/check/sources.ts');
  const { readWording, spellingFaults } = await import('./content-check/spelling.ts');
  const { synonymFaults } = await import('#app/features/content/check/synonyms.ts');
  const { taughtHoursFaults } = await import('#app/features/content/check/taught-hours.ts');
  const wording = await readWording();
  const titles = [...content.exams, ...content.courses].map(({ title }) => title);
  const names = officialNames([...wording.officialNames, ...titles]);
  const faults = read.place([
    ...qualityFaults(content),
    ...completionFaults(content.courses),
    ...guidedStudyFaults(content.courses),
    ...taughtHoursFaults(content),
    ...missingSources(content),
    ...typedTwiceFaults(content),
    ...synonymFaults(content),
    ...examCodeFaults(content),
    ...datedTextFaults(content),
    ...earlyCountFaults(content),
    ...repeatedProse(content.courses, names),
    ...spellingFaults(content, wording),
  ]);
  if (faults.length > 0) {
    tell(faults);
    process.exitCode = 1;
    return;
  }
  const counts = catalogueCounts(content);
  console.log(`Content is sound: ${summary(content)}.`);
  const again = lookAgain(content, momentOf(settingsOrExit()).today);
  if (again.length > 0) console.log(`To be looked at again, ${again.length}:`);
  for (const { where, text } of again) console.log(`  ${where}: ${text}`);
  for (const [what, list] of Object.entries(counts)) {
    console.log(`${what}: ${list.map(([name, count]) => `${name} ${count}`).join(', ')}`);
  }
  const { slugs, share } = closestPair(content.courses, names);
  console.log(`Closest in wording: ${slugs.join(' and ')}, ${(share * 100).toFixed(1)}% of three-word runs in common.`);
}

async function format() {
  const { content } = await contentOrExit();
  const schemas = await writeSchemas(folder);
  const { written, removed, unchanged } = await writeContent(folder, content);
  console.log(
    `${[...schemas, ...written, ...removed].join('\n')}\nRewrote ${written.length}, left ${unchanged} as is.`,
  );
}

async function runImport() {
  const settings = settingsOrExit();
  const { content } = await contentOrExit();
  const database = await openDatabaseOrExit(settings, console.log);
  try {
    const at = momentOf(settings);
    const agree = async (plan: ImportPlan, shiftWeeks: number) => {
      console.log(describePlan(plan, shiftWeeks));
      return isEmpty(plan) || values.yes || (await ask('Apply this? [y/N] '));
    };
    const side = values.theirs ? 'theirs' : values.ours ? 'ours' : undefined;
    const result = await importContent(database.db, content, at, agree, side, await hashOfContent(folder));
    if (result.ok) {
      console.log(isEmpty(result.plan) ? 'Nothing to change.' : `Imported ${summary(content)}.`);
      if (result.plan.conflicts.length > 0) process.exitCode = conflictsLeft;
      return;
    }
    if (result.reason === 'unsound') {
      for (const fault of result.faults) console.error(fault);
      console.error('Files and database contradict each other; correct one of them.');
    }
    console.log('Nothing was changed.');
    process.exitCode = 1;
  } finally {
    await database.close();
  }
}

async function runExport() {
  const settings = settingsOrExit();
  const database = await openDatabaseOrExit(settings, console.log);
  try {
    const content = await exportContent(database.db);
    if (!content) {
      console.error('The database holds no catalogue yet; run an import first.');
      process.exitCode = 1;
      return;
    }
    const target = values.to ? path.resolve(projectRoot, values.to) : folder;
    const { written, removed, unchanged } = await writeContent(target, content);
    for (const file of written) console.log(`wrote   ${file}`);
    for (const file of removed) console.log(`removed ${file}`);
    for (const { kind, key, publishAt } of await readDrafts(database.db)) {
      const state = publishAt ? `scheduled for ${inBrisbane(publishAt)}` : 'draft';
      console.log(`left out ${kind} ${key}: ${state}, not published yet`);
    }
    console.log(`Exported to ${target}: ${written.length} written, ${removed.length} removed, ${unchanged} unchanged.`);
  } finally {
    await database.close();
  }
}

async function showHistory() {
  const { db, close } = await openDatabaseOrExit(settingsOrExit(), console.log);
  try {
    const record = await recordNamed(db, words[0] ?? '', words[1] ?? '');
    if (typeof record === 'string') fail(record);
    else console.log(await describeHistory(db, record));
  } finally {
    await close();
  }
}

async function runRevert() {
  const settings = settingsOrExit();
  const { db, close } = await openDatabaseOrExit(settings, console.log);
  try {
    const record = await recordNamed(db, words[0] ?? '', words[1] ?? '');
    const number = Number(words[2]);
    if (typeof record === 'string') return fail(record);
    console.log(await describeHistory(db, record));
    if (!values.yes && !(await ask(`Publish revision ${number} again? [y/N] `))) return fail('Nothing was changed.');
    const { done, lines } = await revertRecord(db, record, number, momentOf(settings));
    for (const line of lines) console.log(line);
    if (!done) process.exitCode = 1;
  } finally {
    await close();
  }
}

function momentOf({ today }: Settings) {
  const now = openClock(today).now();
  return { now, today: academyDay(now) };
}

function fail(line: string) {
  console.error(line);
  process.exitCode = 1;
}

async function contentOrExit() {
  const result = await readContent(folder);
  if (result.ok) return result;
  tell(result.faults);
  process.exit(1);
}

function tell(faults: Fault[]) {
  for (const { file, line, field, message } of faults) {
    console.error(`${values.from}/${file}:${line} ${field ? `${field}: ` : ''}${message}`);
  }
  console.error(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}; nothing was changed.`);
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('Not a terminal: give --yes to apply.');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

function summary(content: Content): string {
  const certifications = content.certifications.reduce((count, group) => count + group.certifications.length, 0);
  const counts = [
    `${content.courses.length} courses`,
    `${certifications} certifications`,
    `${content.trainingSessions.length} training sessions`,
  ];
  return counts.join(', ');
}
