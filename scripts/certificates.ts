/**
 * `npm run certificates -- keys`: the keys that sign Open Badges. `-- rotate-key` makes a new one, which signs from now
 * on; badges signed before stay valid. `-- compromised KEY DAY` says that others may have had a key since a day: it
 * proves nothing any more, and the program signs its badges anew.
 */
import { z } from 'zod';
import { settingsOrExit } from '#app/env.server.ts';
import { compromiseKey, readKeys, rotateKey } from '#app/features/study/badges/keys.server.ts';
import { openClock } from '#app/lib/clock.ts';
import { openDatabaseOrExit } from '#server/database.ts';

const [command = '', key = '', day = ''] = process.argv.slice(2);
if (!['keys', 'rotate-key', 'compromised'].includes(command)) {
  exitWith('Usage: npm run certificates -- keys | rotate-key | compromised KEY DAY\nDAY is such as 2026-12-04.');
}
if (command === 'compromised' && !z.iso.date().safeParse(day).success)
  exitWith(`Not a day: "${day}", such as 2026-12-04.`);

const settings = settingsOrExit();
const database = await openDatabaseOrExit(settings, (line) => console.error(line));
const { db } = database;
try {
  if (command === 'rotate-key') {
    const { doHere } = await import('#app/features/study/badges/sign.ts');
    // A task of a kind has the result of that kind.
    const name = await rotateKey(db, { do: (task) => doHere(task) as never }, openClock(settings.today).now());
    console.log(`${name} signs from now on. Badges signed before stay valid.`);
  } else if (command === 'compromised') {
    const again = await compromiseKey(db, key, day);
    if (again === null) {
      console.error(`There is no key "${key}" that signs or proves anything. See: npm run certificates -- keys`);
      process.exitCode = 1;
    } else {
      console.log(
        `${key} proves nothing any more. The program signs ${again} badges anew; holders download them again.`,
      );
    }
  }
  if (process.exitCode !== 1) await list();
} finally {
  await database.close();
}

async function list(): Promise<void> {
  const keys = await readKeys(db);
  if (keys.length === 0) console.log('There is no key yet: the first badge makes one.');
  const current = keys.findLast(({ compromisedOn }) => !compromisedOn);
  for (const { name, madeAt, compromisedOn, publicKey } of keys) {
    const state = compromisedOn ? `compromised on ${compromisedOn}` : name === current?.name ? 'signs' : 'proves';
    console.log(`${name}  made ${madeAt.toISOString().slice(0, 10)}  ${state}  ${publicKey}`);
  }
}

function exitWith(line: string): never {
  console.error(line);
  process.exit(2);
}
