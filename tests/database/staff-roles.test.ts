import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Actor, theProgram } from '#app/features/people/actor.ts';
import { removeStaff } from '#app/features/people/commands.server.ts';
import { findStaff, listStaff } from '#app/features/people/queries.server.ts';
import type { Audience } from '#app/features/people/sign-ins.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { insertSignIn, makeStaff, staffActor } from '#tests/support/staff.ts';

const at = new Date('2025-09-08T09:00:00+10:00');
const ada = { email: 'ada@example.com', name: 'Ada Byron' };
const grace = { email: 'grace@example.com', name: 'Grace Hopper' };

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const remove = (email: string, actor: Actor = theProgram) =>
  database.db.transaction().execute((trx) => removeStaff(trx, email, { actor, at }));
const rolesOf = async (db = database.db) => (await listStaff(db)).map(({ email, roles }) => `${email} ${roles}`);

/** A link to sign in that was not used. */
async function unused(email: string, audience: Audience = 'staff') {
  const ask = { audience, email, browser_hash: crypto.randomUUID(), leads_to: '/', asked_at: at };
  await database.db.insertInto('sign_in_asks').values(ask).execute();
}
const held = async () => ({
  signIns: (await database.db.selectFrom('sign_ins').select('person_id').execute()).length,
  links: (await database.db.selectFrom('sign_in_asks').select('email').execute()).map(({ email }) => email),
});

/** Sets an app, a recovery code and a passkey up, and a change of an account that can be taken back. */
async function setUp(personId: number) {
  const { db } = database;
  await db.insertInto('totp_keys').values({ person_id: personId, secret: 'AAAA', confirmed_at: at }).execute();
  await db
    .insertInto('recovery_codes')
    .values({ person_id: personId, code_hash: `x${personId}` })
    .execute();
  const key = { id: `key-${personId}`, public_key: Buffer.from('x'), counter: 0, name: 'Phone', added_at: at };
  await db
    .insertInto('passkeys')
    .values({ ...key, person_id: personId })
    .execute();
  const change = {
    person_id: personId,
    what: 'passkey',
    link_hash: `x${personId}`,
    before: '{}',
    after: '{}',
    made_at: at,
  };
  await db.insertInto('account_changes').values(change).execute();
}
async function left(personId: number) {
  const tables = ['account_changes', 'passkeys', 'recovery_codes', 'totp_keys'] as const;
  const found = await Promise.all(
    tables.map((table) =>
      database.db.selectFrom(table).select('person_id').where('person_id', '=', personId).execute(),
    ),
  );
  return tables.filter((_, at) => found[at]?.length);
}

test('P52: a role granted to somebody known ends their sign-ins and unused links, and nobody else’s', async () => {
  await insertSignIn(database.db, ada, at, { role: 'reader' });
  await insertSignIn(database.db, grace, at);
  await unused(ada.email);
  await unused(ada.email, 'player');
  await unused(grace.email);
  await makeStaff(database.db, { email: 'ADA@example.com', name: 'Ada King' }, at, { role: 'admissions' });
  expect(await held()).toEqual({ signIns: 1, links: [grace.email] });
  // An invitation changes nobody's name.
  expect(await findStaff(database.db, ada.email)).toMatchObject({ name: 'Ada Byron' });
  expect(await rolesOf()).toEqual(['ada@example.com admissions, reader', 'grace@example.com owner']);
});

test('P52: a role granted to staff leaves the app, and no other way to sign in but mail', async () => {
  const { id } = await makeStaff(database.db, ada, at, { role: 'reader' });
  await setUp(id);
  await makeStaff(database.db, ada, at, { role: 'admissions' });
  expect(await left(id)).toEqual(['recovery_codes', 'totp_keys']);
});

test('P52: the first role takes over no passkey that somebody added for the address before', async () => {
  const person = database.db.insertInto('people').values({ email: ada.email, name: 'Not Ada' });
  const { id } = await person.returning('id').executeTakeFirstOrThrow();
  const key = { id: 'key', person_id: id, public_key: Buffer.from('x'), counter: 0, name: 'Phone', added_at: at };
  await database.db.insertInto('passkeys').values(key).execute();
  expect(await makeStaff(database.db, ada, at)).toMatchObject({ id, name: 'Ada Byron' });
  expect(await left(id)).toEqual([]);
});

test('P96: with the last role the app and its recovery codes go, which players do not have', async () => {
  const { id } = await makeStaff(database.db, ada, at, { role: 'reader' });
  await setUp(id);
  await remove(ada.email);
  expect(await left(id)).toEqual(['account_changes', 'passkeys']);
});

test('P50: a member of staff who is invited by another of their addresses is the same person, and keeps the main one', async () => {
  const { id } = await makeStaff(database.db, ada, at, { role: 'reader' });
  const second = { email: 'ada.private@example.com', person_id: id, verified_at: at };
  await database.db.insertInto('person_emails').values(second).execute();
  const invited = await makeStaff(database.db, { name: 'Ada King', email: 'Ada.Private@example.com' }, at);
  expect(invited).toMatchObject({ id, name: 'Ada Byron' });
  expect(await rolesOf()).toEqual(['ada@example.com owner, reader']);
  // Only the main address signs in.
  expect(await findStaff(database.db, 'ada.private@example.com')).toBe(null);
});

test('P50: a player who is invited by another of their addresses is the same person, and signs in by that address', async () => {
  const person = database.db.insertInto('people').values({ email: ada.email, name: 'Ada' });
  const { id } = await person.returning('id').executeTakeFirstOrThrow();
  const second = { email: 'ada@work.example', person_id: id, verified_at: at };
  await database.db.insertInto('person_emails').values(second).execute();
  expect(await makeStaff(database.db, { ...ada, email: 'Ada@Work.example' }, at)).toMatchObject({ id });
  expect(await rolesOf()).toEqual(['ada@work.example owner']);
});

test('granting the same role again ends nothing', async () => {
  await insertSignIn(database.db, ada, at);
  await unused(ada.email);
  await makeStaff(database.db, ada, at);
  expect(await held()).toEqual({ signIns: 1, links: [ada.email] });
});

test('somebody who is removed is signed out, and their links end', async () => {
  await insertSignIn(database.db, ada, at);
  await makeStaff(database.db, grace, at);
  await unused(ada.email);
  await unused(grace.email);
  expect(await remove('Ada@Example.com')).toEqual({ ok: true });
  expect(await held()).toEqual({ signIns: 0, links: [grace.email] });
  expect(await remove(ada.email)).toEqual({ ok: false, reason: 'not-staff' });
});

test('the last owner cannot leave: not alone, not beside others, and not two owners at once', async () => {
  await makeStaff(database.db, ada, at);
  expect(await remove(ada.email)).toEqual({ ok: false, reason: 'last-owner' });
  await makeStaff(database.db, grace, at);
  const left = await Promise.all([remove(ada.email), remove(grace.email)]);
  expect(left.map(({ ok }) => ok).sort()).toEqual([false, true]);
  await makeStaff(database.db, { email: 'eve@example.com', name: 'Eve' }, at, { role: 'reader' });
  // Behind the command, for any writer.
  const all = database.db.deleteFrom('staff_roles').where('role', '=', 'owner').execute();
  await expect(all).rejects.toThrow('the last owner cannot leave');
});

test('only an owner grants and takes roles', async () => {
  const { id } = await makeStaff(database.db, ada, at);
  for (const role of ['admissions', 'editor', 'instructor', 'reader'] as const) {
    const actor = staffActor({ id, name: 'Ada' }, role);
    await expect(remove(ada.email, actor)).rejects.toThrow(NotPermitted);
  }
  const actor = staffActor({ id, name: 'Ada' });
  await makeStaff(database.db, grace, at);
  expect(await remove(grace.email, actor)).toEqual({ ok: true });
  const entries = database.db
    .selectFrom('audit_entries')
    .select(['action', 'person_id'])
    .orderBy('id', 'desc')
    .limit(1);
  expect(await entries.execute()).toEqual([{ action: 'remove', person_id: id }]);
});
