/** `npm run opening` lists what the owner has to settle before the site may sell to the public, and what each rests on. */

import { settingsOrExit } from '#app/env.server.ts';
import { readOpening } from '#app/features/site/opening.server.ts';
import { countOpening } from '#app/features/site/opening.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { openClock } from '#app/lib/clock.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { openingSettingsOf } from '#server/opening-settings.ts';

const settings = settingsOrExit();
const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
const { imported_at } = await db.selectFrom('import_state').select('imported_at').executeTakeFirstOrThrow();
if (imported_at === null) {
  console.error('The database holds no catalogue yet; run an import first.');
  process.exitCode = 1;
} else {
  const today = academyDay(openClock(settings.today).now());
  const groups = await readOpening(db, openingSettingsOf(settings), today);
  for (const { title, settle: forAll, items } of groups) {
    console.log(`\n${title}${forAll ? `\n${forAll}` : ''}`);
    for (const { what, restsOn, settle } of items) {
      console.log(`  - ${what}\n    Rests on: ${restsOn}${settle ? `\n    To settle it: ${settle}` : ''}`);
    }
  }
  const count = countOpening(groups);
  console.log(count === 0 ? 'Nothing is left to settle before opening.' : `\n${count} left to settle before opening.`);
}
await close();
