/** `npm run opening` lists what the owner has to settle before the site may sell to the public, and what each rests on. */

import { settingsOrExit } from '#app/env.server.ts';
import { readOpening } from '#app/features/catalogue/site/opening.server.ts';
import { countOpening } from '#app/features/catalogue/site/opening.ts';
import { hasContent } from '#app/features/content/revisions.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { openClock } from '#app/lib/clock.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { openingSettingsOf } from '#server/opening-settings.ts';

const settings = settingsOrExit();
const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
if (!(await hasContent(db))) {
  console.error('The database holds no content yet: the first start of the program fills it.');
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
