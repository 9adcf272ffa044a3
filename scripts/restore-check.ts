/**
 * `npm run restore-check [-- --after INV-00120 --after ADJ-00007]`, after a database of your own was restored by other
 * means than `npm run restore`: holds mail, skips the numbers of documents that were given out since the backup, and
 * ends all sign-ins. `--after` names the last number where the folder that keeps them is gone.
 */
import { settingsOrExit } from '#app/env.server.ts';
import { openClock } from '#app/lib/clock.ts';
import { settleRestored } from '#server/after-restore.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { fetchNumbers, numberFolders } from '#server/number-folders.ts';
import { optionsOrExit } from './support/options.ts';
import { numbersOrExit } from './support/said-numbers.ts';

const usage = 'Usage: npm run restore-check [-- --after INV-00120 --after ADJ-00007]';
const { values } = optionsOrExit(usage, { options: { after: { type: 'string', multiple: true, default: [] } } });
const said = numbersOrExit(values.after, usage);
const settings = settingsOrExit();
const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
await fetchNumbers(db, settings);
const settled = await settleRestored(db, {
  ...{ folders: numberFolders(settings), said, at: openClock(settings.today).now() },
});
if (!settled.ok) {
  console.error(settled.message);
  process.exitCode = 2;
} else {
  for (const line of settled.lines) console.log(line);
  if (!settled.numbersKnown) {
    console.log(
      'No numbers given out were kept here. If mail went out after the backup was made, find the last invoice and adjustment note in it and name them: npm run restore-check -- --after INV-00120 --after ADJ-00007',
    );
    process.exitCode = 1;
  }
}
await close();
