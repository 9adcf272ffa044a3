import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Actor, theProgram } from '#app/features/people/actor.ts';
import { removeStaff } from '#app/features/people/commands.server.ts';
import { listStaff, readActor } from '#app/features/people/queries.server.ts';
import { standInFor } from '#app/features/people/stand-in.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { migrateBetween } from '#tests/support/migrate-to.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { insertSignIn, makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

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

/** A link to sign in that was not used, or with a value of another kind, such as a code. */
async function unused(email: string, value = JSON.stringify({ type: 'magic-link', email: standInFor(email) })) {
  const dates = { created_at: at, updated_at: at, expires_at: new Date(Date.now() + 60_000) };
  await database.db
    .insertInto('verifications')
    .values({ identifier: crypto.randomUUID(), value, ...dates })
    .execute();
}
const held = async () => ({
  signIns: (await database.db.selectFrom('sign_ins').select('person_id').execute()).length,
  links: (await database.db.selectFrom('verifications').select('value').execute()).map(({ value }) => value),
});

test('P52: a role granted to somebody known ends their sign-ins and unused links, and nobody else’s', async () => {
  const known = await insertSignIn(database.db, ada, at, { role: 'reader' });
  await insertSignIn(database.db, grace, at);
  await unused(ada.email);
  await unused(grace.email);
  await unused('', 'hash-of-482913');
  await database.db.updateTable('people').set({ email_verified: false }).where('id', '=', known.id).execute();

  const promoted = await makeStaff(database.db, { email: 'ADA@example.com', name: 'Ada King' }, at, {
    role: 'admissions',
  });
  expect(promoted).toMatchObject({ id: known.id, name: 'Ada King' });
  const { signIns, links } = await held();
  expect([signIns, links.length, links.includes('hash-of-482913')]).toEqual([1, 2, true]);
  expect(links.join()).not.toContain(standInFor(ada.email));
  expect(await rolesOf()).toEqual(['ada@example.com admissions, reader', 'grace@example.com owner']);
});

test('the same role once more ends nothing', async () => {
  await insertSignIn(database.db, ada, at);
  await unused(ada.email);
  await makeStaff(database.db, ada, at);
  expect(await held()).toMatchObject({ signIns: 1, links: [expect.any(String)] });
});

test('somebody is removed while codes stand beside the links to sign in', async () => {
  await insertSignIn(database.db, ada, at);
  await makeStaff(database.db, grace, at);
  await unused('', 'hash-of-482913');
  await unused(ada.email);
  expect(await remove('Ada@Example.com')).toEqual({ ok: true });
  expect(await held()).toEqual({ signIns: 0, links: ['hash-of-482913'] });
  expect(await remove(ada.email)).toEqual({ ok: false, reason: 'not-staff' });
});

test('the last owner cannot leave: not alone, not beside others, and not two owners at once', async () => {
  await makeStaff(database.db, ada, at);
  expect(await remove(ada.email)).toEqual({ ok: false, reason: 'last-owner' });
  await makeStaff(database.db, grace, at);
  const left = await Promise.all([remove(ada.email), remove(grace.email)]);
  expect(left.map(({ ok }) => ok).sort()).toEqual([false, true]);
  await makeStaff(database.db, { email: 'eve@example.com', name: 'Eve' }, at, { role: 'reader' });
  // Behind the command, whoever writes.
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

test('staff of before are owners, and people who are not staff have no role', async () => {
  const own = await createTestDatabase('template', 'owner');
  onTestFinished(() => own.drop());
  const { db } = own;
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrateBetween(db, 1, 54);
  await sql`insert into people (name, email, email_verified, role, created_at, updated_at) values
    ('Ada', 'ada@example.com', true, 'owner', ${at}, ${at}), ('Grace', 'grace@example.com', true, null, ${at}, ${at})`.execute(
    db,
  );
  await migrateBetween(db, 55, 9999);
  expect(await rolesOf(db)).toEqual(['ada@example.com owner']);
  const { id } = await db.selectFrom('people').select('id').where('name', '=', 'Grace').executeTakeFirstOrThrow();
  expect(await readActor(db, id)).toBeNull();
});
