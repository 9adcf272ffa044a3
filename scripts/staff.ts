/**
 * `npm run staff -- invite EMAIL [--name "Ada Byron"]`: makes a person staff, mails a link to sign in and prints it.
 * Whoever is staff already gets another link. `-- list` shows who is staff; `-- remove EMAIL` ends that at once.
 */
import { parseArgs } from 'node:util';
import { settingsOrExit } from '#app/env.server.ts';
import { inviteStaff, removeStaff } from '#app/features/people/commands.server.ts';
import { findStaff, listStaff } from '#app/features/people/queries.server.ts';
import { createLog } from '#app/http/log.server.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { buildIfNeeded } from './build.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } });
const [command = '', given = ''] = positionals;
const settings = settingsOrExit();
const progress = (line: string) => console.error(line);

if (command === 'list') await list();
else if (command === 'invite') await invite(emailOrExit());
else if (command === 'remove') await remove(emailOrExit());
else exitWith('Usage: npm run staff -- invite EMAIL [--name "Ada Byron"] | list | remove EMAIL');
process.exit(0);

function exitWith(line: string): never {
  console.error(line);
  process.exit(2);
}

function emailOrExit(): string {
  return emailAddressOf(given.trim())?.toLowerCase() ?? exitWith(`Not an e-mail address: "${given}"`);
}

async function invite(email: string) {
  process.env.NODE_ENV = 'production';
  // The whole program, because the mail is written by it and needs the academy's details.
  const program: typeof import('#server/app.ts') = await import(await buildIfNeeded());
  const services = await program.openServices(settings, createLog('error'), progress);
  const { db } = services.database;
  const known = await findStaff(db, email);
  const name = values.name?.trim() || known?.name || email.slice(0, email.indexOf('@'));
  const staff = await db.transaction().execute((trx) => inviteStaff(trx, { email, name }, new Date()));
  const link = await program.mailLink(services.door, staff, '/staff');
  await services.close();
  console.log(
    `${staff.name} <${staff.email}> is ${known ? 'still' : 'now'} staff. This link signs in once, within 15 minutes:`,
  );
  console.log(link);
}

async function list() {
  const { db, close } = await openDatabaseOrExit(settings, progress);
  const everybody = await listStaff(db);
  await close();
  for (const { name, email, role, created_at } of everybody) {
    console.log(`${email}  ${role}  since ${created_at.toISOString().slice(0, 10)}  ${name}`);
  }
  console.log(everybody.length === 0 ? 'Nobody is staff yet. Invite the first: npm run staff -- invite EMAIL' : '');
}

async function remove(email: string) {
  const { db, close } = await openDatabaseOrExit(settings, progress);
  const removed = await db.transaction().execute((trx) => removeStaff(trx, email, new Date()));
  await close();
  if (!removed) exitWith(`Nobody with the address ${email} is staff.`);
  console.log(`${email} is not staff any more, and signed out everywhere.`);
}
