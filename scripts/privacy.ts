/**
 * `npm run privacy -- export EMAIL` prints all that is held about an e-mail address, as JSON, for the person who asks.
 * `npm run privacy -- erase EMAIL` erases it, apart from the note not to send it marketing again.
 */
import { settingsOrExit } from '#app/env.server.ts';
import { openClock } from '#app/lib/clock.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';

const [command, typed, ...more] = process.argv.slice(2);
// Older rows may hold what is no address now.
const address = typed && (emailAddressOf(typed) ?? typed);
const known = command === 'export' || command === 'erase';
if (!known || !address?.includes('@') || more.length > 0) {
  console.error('Use: npm run privacy -- export EMAIL, or: npm run privacy -- erase EMAIL');
  process.exit(2);
}
const settings = settingsOrExit();
const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
if (command === 'export') console.log(JSON.stringify(await exportPerson(db, address), null, 2));
else {
  const { dataDir, today } = settings;
  const counts = Object.entries(await erasePerson(db, address, { dataDir, at: openClock(today).now() }));
  for (const [name, count] of counts) console.log(`${name}: ${count} erased`);
}
await close();
