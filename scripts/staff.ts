/**
 * `npm run staff -- invite EMAIL [--name "Ada Byron"] [--role ROLE]`: makes a person staff, mails a link to sign in and
 * prints it. The role is owner unless it is given; an instructor is named too, by `--instructor SLUG`. A person who is staff
 * already gets the role as well, and another link. `-- list` shows who is staff; `-- remove EMAIL` ends that at once.
 * `-- reset EMAIL` takes a lost second factor away: at the next sign-in the person sets up a new one.
 */

import type { Db } from '#app/db/client.server.ts';
import { settingsOrExit } from '#app/env.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { resetFactors } from '#app/features/people/commands.server.ts';
import { roles } from '#app/features/people/permissions.ts';
import { findStaff, listStaff } from '#app/features/people/queries.server.ts';
import { createLog } from '#app/http/log.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { openClock } from '#app/lib/clock.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { openDatabaseOrExit } from '#server/database.ts';
import { buildIfNeeded } from './build.ts';
import { optionsOrExit } from './support/options.ts';

const usage = `Usage: npm run staff -- invite EMAIL [--name "Ada Byron"] [--role ROLE] | list | remove EMAIL | reset EMAIL
ROLE is owner (if none is given), admissions, editor, instructor (with --instructor SLUG) or reader.`;
const { values, positionals } = optionsOrExit(usage, {
  allowPositionals: true,
  options: { name: { type: 'string' }, role: { type: 'string', default: 'owner' }, instructor: { type: 'string' } },
});
const [command = '', given = ''] = positionals;
const settings = settingsOrExit();
const lastOwner = 'This is the last owner, so nobody could give anybody a role any more. Invite another owner first.';
const progress = (line: string) => console.error(line);

if (command === 'list') await list();
else if (command === 'invite') await invite(emailOrExit());
else if (command === 'remove') await remove(emailOrExit());
else if (command === 'reset') await reset(emailOrExit());
else exitWith(usage);
process.exit(0);

function exitWith(line: string): never {
  console.error(line);
  process.exit(2);
}

/** The command line acts as the program itself. */
function acting() {
  return { actor: theProgram, at: openClock(settings.today).now() };
}

function emailOrExit(): string {
  return emailAddressOf(given.trim())?.toLowerCase() ?? exitWith(`Not an email address: "${given}"`);
}

/** The role that was asked for, with the instructor it is about. */
function roleOrExit() {
  const role =
    roles.find((known) => known === values.role) ?? exitWith(`Not a role: "${values.role}". ${roles.join(', ')}.`);
  if ((role === 'instructor') !== (values.instructor !== undefined)) {
    exitWith('The role instructor needs --instructor SLUG, and no other role takes it.');
  }
  return { role, ...(values.instructor !== undefined && { teachesAs: values.instructor }) };
}

/** The whole program, because it writes the mails and they need the academy's details. */
async function openProgram() {
  process.env.NODE_ENV = 'production';
  const program: typeof import('#server/app.ts') = await import(await buildIfNeeded());
  return { program, services: await program.openServices(settings, createLog('error'), progress) };
}

async function invite(email: string) {
  const granted = roleOrExit();
  const { program, services } = await openProgram();
  const { db } = services.database;
  const known = await findStaff(db, email);
  if (granted.teachesAs !== undefined && !(await isInstructor(db, granted.teachesAs))) {
    await services.close();
    exitWith(`There is no instructor "${granted.teachesAs}": the slugs stand in content/instructors.yaml.`);
  }
  const name = values.name?.trim() || known?.name || email.slice(0, email.indexOf('@'));
  const staff = await db
    .transaction()
    .execute((trx) =>
      program.grantRole(trx, { person: { email, name }, granted, ...acting() }, services.signIn.academy()),
    );
  const link = await program.mailStaffLink(services.signIn, staff);
  await services.close();
  console.log(
    `${staff.name} <${staff.email}> is ${known ? 'still' : 'now'} staff, as ${granted.role}. This link signs in once, within 15 minutes:`,
  );
  console.log(link);
}

async function isInstructor(db: Db, slug: string): Promise<boolean> {
  const row = await db.selectFrom('instructors').select('slug').where('slug', '=', slug).executeTakeFirst();
  return row !== undefined;
}

async function list() {
  const { db, close } = await openDatabaseOrExit(settings, progress);
  const everybody = await listStaff(db);
  await close();
  for (const { name, email, roles: held, since } of everybody) {
    console.log(`${email}  ${held}  since ${academyDay(since)}  ${name}`);
  }
  console.log(everybody.length === 0 ? 'Nobody is staff yet. Invite the first: npm run staff -- invite EMAIL' : '');
}

async function remove(email: string) {
  const { program, services } = await openProgram();
  const removed = await services.database.db
    .transaction()
    .execute((trx) => program.takeEveryRole(trx, email, acting(), services.signIn.academy()));
  await services.close();
  if (!removed.ok) exitWith(removed.reason === 'not-staff' ? `Nobody with the address ${email} is staff.` : lastOwner);
  console.log(`${email} is not staff any more, and signed out everywhere.`);
}

async function reset(email: string) {
  const { db, close } = await openDatabaseOrExit(settings, progress);
  const done = await db.transaction().execute((trx) => resetFactors(trx, email, acting()));
  await close();
  if (!done.ok) exitWith(`Nobody with the address ${email} is staff.`);
  console.log(
    `${email} is signed out everywhere, and sets up a new second step at the next sign-in. Be sure that you spoke with ${done.staff.name} in person.`,
  );
}
