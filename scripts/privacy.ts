/**
 * `npm run privacy -- export EMAIL` prints all that is held about the person with an email address, as JSON, for them.
 * `npm run privacy -- erase EMAIL` erases it, apart from the note not to send it marketing again.
 * `npm run privacy -- clean` frees the database's files of all that was erased. The site waits meanwhile.
 */
import { rewriteErased, wholeHold } from '#app/db/rewrite-tables.server.ts';
import { settingsOrExit } from '#app/env.server.ts';
import { openClock } from '#app/lib/clock.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';

const [command, typed, ...more] = process.argv.slice(2);
// Older rows may hold texts that are no valid address now.
const address = typed && (emailAddressOf(typed) ?? typed);
const known = command === 'clean' ? !typed : (command === 'export' || command === 'erase') && address?.includes('@');
if (!known || more.length > 0) {
  console.error(
    'Use: npm run privacy -- export EMAIL, or: npm run privacy -- erase EMAIL, or: npm run privacy -- clean',
  );
  process.exit(2);
}
const settings = settingsOrExit();
const { db, close } = await openDatabaseOrExit(settings, (line) => console.error(line));
if (command === 'clean') console.log(`${await rewriteErased(db, wholeHold)} tables written anew`);
else if (!address) process.exit(2);
else if (command === 'export') console.log(JSON.stringify(await exportPerson(db, address), null, 2));
else {
  const { dataDir, today } = settings;
  const { counts, inFilesOf } = await erasePerson(db, address, { dataDir, at: openClock(today).now() });
  for (const [name, count] of Object.entries(counts)) console.log(`${name}: ${count} erased`);
  if (inFilesOf.length > 0) {
    console.log(`Nothing of it can be read any more. The files of these tables still hold it: ${inFilesOf.join(', ')}.
They are written anew between 2 and 5 am in Brisbane. A table that is too large for that waits for the next start of the program.
To do it now, while visitors wait: npm run privacy -- clean`);
  }
}
await close();
