/**
 * `npm run restore-check [-- --after INV-00120 --after ADJ-00007]`, after the database was restored from a backup:
 * skips the numbers of documents that were given out since, so that no number is given out twice. It reads them from
 * DATA_DIR, where the program keeps them; `--after` names the last one where those files are gone. It ends all sign-ins
 * too: the backup has those again that were ended since.
 */

import { settingsOrExit } from '#app/env.server.ts';
import {
  byKind,
  databaseIdentity,
  inWords,
  type LastNumbers,
  lastNumbers,
  marksFolder,
  numberedKinds,
  numberOf,
  raiseMarks,
  readMarks,
  skipGivenNumbers,
} from '#app/features/money/document-numbers.server.ts';
import { endAllSignIns } from '#app/features/people/sign-in-asks.server.ts';
import { openClock } from '#app/lib/clock.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { optionsOrExit } from './support/options.ts';

/** A larger step is a typing mistake: numbers can be raised, but never lowered again. */
const mostSkipped = 10_000;

const said = readArguments();
const settings = settingsOrExit();
const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
const folder = marksFolder(settings.dataDir, await databaseIdentity(db));
const marks = await readMarks(folder);
const known = await lastNumbers(db);
const given = byKind((kind) => Math.max(marks?.[kind] ?? 0, said[kind]));

for (const kind of numberedKinds) {
  const kept = marks ? numberOf(kind, marks[kind]) : 'not kept here';
  console.log(`${kind}: last in the database ${numberOf(kind, known[kind])}; last given out ${kept}`);
}
const tooFar = numberedKinds.find((kind) => given[kind] - known[kind] > mostSkipped);
if (tooFar) {
  console.error(`${numberOf(tooFar, given[tooFar])} is more than ${mostSkipped} numbers ahead. Nothing was changed.`);
  process.exitCode = 2;
} else {
  const { skipped, signIns } = await db.transaction().execute(async (trx) => ({
    skipped: await skipGivenNumbers(trx, given, openClock(settings.today).now()),
    signIns: await endAllSignIns(trx),
  }));
  for (const range of inWords(skipped)) console.log(`Skipped: ${range}. Staff see it at /staff/payments.`);
  if (skipped.length === 0) console.log('Nothing was skipped: the database is not behind.');
  console.log(`Ended ${signIns === 1 ? '1 login' : `${signIns} logins`}, and all links and codes to log in by.`);
  console.log(
    'The database is as it was at the backup: who was erased since, a role that was taken or a consent that was withdrawn is there again. "After a restore" in docs/operating.md lists what to end again.',
  );
  await raiseMarks(folder, await lastNumbers(db));
  if (!marks && Object.values(said).every((number) => number === 0)) {
    console.log(
      `No numbers given out were kept in ${folder}. If mail went out after the backup was made, find the last invoice and adjustment note in it and name them: npm run restore-check -- --after INV-00120 --after ADJ-00007`,
    );
    process.exitCode = 1;
  }
}
await close();

function readArguments(): LastNumbers {
  const numbers = byKind(() => 0);
  const usage = 'Usage: npm run restore-check [-- --after INV-00120 --after ADJ-00007]';
  const { values } = optionsOrExit(usage, { options: { after: { type: 'string', multiple: true, default: [] } } });
  for (const text of values.after) {
    const [, prefix, digits] = /^(INV|ADJ|OFF)-?(\d{1,9})$/i.exec(text.trim()) ?? [];
    if (!prefix) {
      console.error(`Not a number such as INV-00120: ${text}\n${usage}`);
      process.exit(2);
    }
    const kind = numberedKinds.find((one) => numberOf(one, 1).startsWith(prefix.toUpperCase()));
    if (kind) numbers[kind] = Number(digits);
  }
  return numbers;
}
