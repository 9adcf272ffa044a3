/** `npm run content -- check | format | export [--to FOLDER]` */

import path from 'node:path';
import { projectRoot, settingsOrExit } from '#app/env.server.ts';
import { datedTextFaults, lookAgain } from '#app/features/content/check/dated-texts.ts';
import { catalogueCounts, qualityFaults } from '#app/features/content/check/quality.ts';
import { examCodeFaults, missingSources, synonymFaults } from '#app/features/content/check/references.ts';
import { closestPair, officialNames, repeatedProse } from '#app/features/content/check/repeated-prose.ts';
import {
  completionFaults,
  earlyCountFaults,
  guidedStudyFaults,
  taughtHoursFaults,
} from '#app/features/content/check/teaching.ts';
import { exportContent, readDrafts } from '#app/features/content/export.server.ts';
import type { Fault } from '#app/features/content/files.server.ts';
import { readContent, writeContent, writeSchemas } from '#app/features/content/files.server.ts';
import { typedTwiceFaults } from '#app/features/content/placeholders.ts';
import type { Content } from '#app/features/content/schema.ts';
import { inBrisbane } from '#app/features/content/words.ts';
import { academyToday, openClock } from '#app/lib/clock.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { optionsOrExit } from './support/options.ts';

const usage = `npm run content -- check              lists every fault in content/ by file, line and field; without
                                      faults, every violation of the academy's standard;
                                      and what is written there that no longer holds today
npm run content -- format             rewrites content/ and its JSON Schemas in the standard format
npm run content -- export [--to DIR]  writes what is published to content/, or to DIR: files that fill another empty
                                      database

--from DIR checks and formats another folder than content/.`;

const { values, positionals } = optionsOrExit(usage, {
  allowPositionals: true,
  options: { from: { type: 'string', default: 'content' }, to: { type: 'string' } },
});
const folder = path.resolve(projectRoot, values.from);

const commands: Record<string, () => Promise<void>> = { check, format, export: runExport };
const [name = '', ...words] = positionals;
const command = commands[name];
if (!command || words.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  await command();
}

async function check() {
  const read = await contentOrExit();
  const { content } = read;
  // Its packages are there for development only; an installation without them still exports.
  const { readWording, spellingFaults } = await import('./content-check/spelling.ts');
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
  const again = lookAgain(content, academyToday(openClock(settingsOrExit().today)));
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

async function runExport() {
  const database = await openDatabaseOrExit(settingsOrExit(), console.log);
  try {
    const content = await exportContent(database.db);
    if (!content) {
      console.error('The database holds no content yet: the first start of the program fills it.');
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

function summary(content: Content): string {
  const certifications = content.certifications.reduce((count, group) => count + group.certifications.length, 0);
  const counts = [
    `${content.courses.length} courses`,
    `${certifications} certifications`,
    `${content.courseDates.length} course dates`,
  ];
  return counts.join(', ');
}
