import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createDb, servingLimits } from '#app/db/client.server.ts';
import { noteErased, rewriteErased, wholeHold } from '#app/db/rewrite-tables.server.ts';
import { ownsHistory } from '#app/db/roles.server.ts';
import { readSettings } from '#app/env.server.ts';
import { queues, sendJob } from '#app/outbox/queue.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { openDatabase } from '#server/database.ts';
import { statement } from '#tests/support/statement.ts';

/** Tests of other files have their transactions on the same server, and what they could read is waited for. */
const patienceMs = 60_000;

// A database of somebody else, as DATABASE_URL names one: both roles are made by hand, and neither is a superuser.
const name = `given_${crypto.randomUUID().replaceAll('-', '')}`;
const [ownerRole, programRole] = [`${name}_owner`, `${name}_program`];
const server = { ...inject('template'), database: 'postgres' };
const urlOf = (user: string, database = name) => connectionUrl({ ...server, user, password: 'secret', database });

beforeEach(async () => {
  for (const role of [ownerRole, programRole]) await statement(server, `create role ${role} login password 'secret'`);
  await statement(server, `create database ${name} owner ${ownerRole}`);
});
afterEach(async () => {
  await statement(server, `drop database ${name} with (force)`);
  for (const role of [ownerRole, programRole]) await statement(server, `drop role ${role}`);
});

async function open(env: Record<string, string>) {
  const read = readSettings(env);
  if (!read.ok) throw new Error(read.message);
  return openDatabase(read.settings, () => undefined);
}

test('P69: migrations run as DATABASE_MIGRATION_URL, the program asks as a role that owns nothing and needs no grants', async () => {
  const both = { DATABASE_URL: urlOf(programRole), DATABASE_MIGRATION_URL: urlOf(ownerRole) };
  const first = await open(both);
  try {
    const { db } = first;
    expect(await ownsHistory(db)).toBe(false);
    await expect(sql`create table mine (id bigint)`.execute(db)).rejects.toMatchObject({ code: '42501' });
    await expect(db.deleteFrom('audit_entries').execute()).rejects.toMatchObject({ code: '42501' });
    await db.transaction().execute((trx) => sendJob(trx, queues.mail, { mailId: 'x' }));
    await sql`delete from pgboss.job`.execute(db);
    await db.transaction().execute((trx) => noteErased(trx, ['enquiries']));
    expect(await rewriteErased(db, wholeHold, patienceMs)).toBeGreaterThan(0);
  } finally {
    await first.close();
  }
  // With nothing to migrate the owner is not needed, as on a second machine.
  const second = await open({ DATABASE_URL: urlOf(programRole) });
  expect(await second.db.selectFrom('content_records').select('id').execute()).toEqual([]);
  await second.close();
});

test('without DATABASE_MIGRATION_URL one role does everything; a role beside it is let in later', async () => {
  const alone = await open({ DATABASE_URL: urlOf(ownerRole) });
  expect(await ownsHistory(alone.db)).toBe(true);
  await expect(alone.db.deleteFrom('audit_entries').execute()).rejects.toThrow('is only added to');
  await alone.close();
  const stranger = createDb({ connectionString: urlOf(programRole) }, () => undefined);
  await expect(stranger.selectFrom('courses').select('id').execute()).rejects.toMatchObject({ code: '42501' });
  await (await open({ DATABASE_URL: urlOf(programRole), DATABASE_MIGRATION_URL: urlOf(ownerRole) })).close();
  expect(await stranger.selectFrom('courses').select('id').execute()).toEqual([]);
  await stranger.destroy();
});

test('two addresses of one role, or of two databases, change no rights', async () => {
  const same = await open({ DATABASE_URL: urlOf(ownerRole), DATABASE_MIGRATION_URL: urlOf(ownerRole) });
  expect(await ownsHistory(same.db)).toBe(true);
  await same.close();
  const other = { DATABASE_URL: urlOf(programRole, 'postgres'), DATABASE_MIGRATION_URL: urlOf(ownerRole) };
  await expect(open(other)).rejects.toThrow('name different databases');
});

test('P90: the role gets the time limits that a pooler cannot hand on, and commands past it have none', async () => {
  const through = { DATABASE_URL: urlOf(programRole), DATABASE_DIRECT_URL: urlOf(programRole) };
  const read = readSettings({ ...through, DATABASE_MIGRATION_URL: urlOf(ownerRole) });
  if (!read.ok) throw new Error(read.message);
  const serving = await openDatabase(read.settings, () => undefined, undefined, servingLimits);
  const command = await openDatabase(read.settings, () => undefined);
  const limitOf = async ({ db }: typeof serving) => (await sql`show lock_timeout`.execute(db)).rows;
  expect(await limitOf(serving)).toEqual([{ lock_timeout: '5s' }]);
  expect(await limitOf(command)).toEqual([{ lock_timeout: '0' }]);
  for (const database of [serving, command]) await database.close();
});
