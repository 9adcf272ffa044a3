import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { theProgram } from '#app/features/people/actor.ts';
import { permissionWords } from '#app/features/people/permission-words.ts';
import { permissions } from '#app/features/people/permissions.ts';
import { endLogins, takeEveryRole, takeRole } from '#app/features/people/roles.server.ts';
import { beginSignIn } from '#app/features/people/sign-ins.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { forgetHistory } from '#tests/support/forget-history.ts';
import { makeStaff, staffActor } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const moment = momentAt('2025-09-08T09:00');
let database: TestDatabase;
let ada: Awaited<ReturnType<typeof makeStaff>>;
let grace: typeof ada;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await forgetHistory(database.owner);
  for (const table of ['mails', 'sign_in_asks', 'people'] as const) await database.db.deleteFrom(table).execute();
  ada = await makeStaff(database.db, { email: 'ada@staff.example', name: 'Ada Byron' }, moment.now);
  grace = await makeStaff(database.db, { email: 'grace@staff.example', name: 'Grace Hopper' }, moment.now);
});

const take = (actor: typeof ada.actor, personId: number) =>
  database.db.transaction().execute((trx) => takeRole(trx, { personId, actor, role: 'owner' }, moment));
const removeFromOutside = (email: string) =>
  database.db
    .transaction()
    .execute((trx) => takeEveryRole(trx, email, { actor: theProgram, at: moment.now }, moment.academy));
const owners = () => database.db.selectFrom('staff_roles').select('person_id').where('role', '=', 'owner').execute();
const signInOf = (personId: number) =>
  beginSignIn(database.db, {
    personId,
    audience: 'staff',
    pending: null,
    browser: 'Firefox on Linux',
    at: moment.now,
  });
const signIns = () => database.db.selectFrom('sign_ins').select('person_id').execute();

test('P68: taking a role ends the sign-ins and unused links of that person alone, mails every owner and is recorded', async () => {
  for (const { id } of [ada, grace]) await signInOf(id);
  for (const email of ['ada@staff.example', 'grace@staff.example']) {
    const ask = { audience: 'staff', email, browser_hash: email, leads_to: '/staff', asked_at: moment.now } as const;
    await database.db.insertInto('sign_in_asks').values(ask).execute();
  }
  expect(await take(ada.actor, grace.id)).toEqual({ ok: true });
  expect(await signIns()).toEqual([{ person_id: ada.id }]);
  expect(await database.db.selectFrom('sign_in_asks').select('email').execute()).toEqual([
    { email: 'ada@staff.example' },
  ]);
  const mails = await database.db.selectFrom('mails').select(['recipient', 'kind']).orderBy('recipient').execute();
  expect(mails).toEqual([
    { recipient: 'ada@staff.example', kind: 'role-taken' },
    { recipient: 'grace@staff.example', kind: 'role-taken' },
  ]);
  const entry = await database.db
    .selectFrom('audit_entries')
    .select(['action', 'subject', 'person_id', 'details'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(entry).toEqual({
    action: 'take-role',
    subject: `person:${grace.id}`,
    person_id: ada.id,
    details: { role: 'owner' },
  });
});

test('P68: nobody can take the role from the last owner', async () => {
  await take(ada.actor, grace.id);
  expect(await take(ada.actor, ada.id)).toEqual({ ok: false, reason: 'last-owner' });
  expect(await owners()).toEqual([{ person_id: ada.id }]);
});

test('P68: when two owners take each other’s role at once the second is refused', async () => {
  const results = await Promise.allSettled([take(ada.actor, grace.id), take(grace.actor, ada.id)]);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = results.find((result) => result.status === 'rejected');
  expect(refused?.reason).toBeInstanceOf(NotPermitted);
  expect(await owners()).toHaveLength(1);
});

test('an owner ends all logins of a person, with a reason; nobody else can', async () => {
  await signInOf(grace.id);
  const end = (actor: typeof ada.actor) =>
    database.db.transaction().execute((trx) => endLogins(trx, { personId: grace.id, actor, reason: 'lost' }, moment));
  await expect(end(staffActor(ada, 'admissions'))).rejects.toBeInstanceOf(NotPermitted);
  expect(await signIns()).toEqual([{ person_id: grace.id }]);
  expect(await end(ada.actor)).toEqual({ ok: true });
  expect(await signIns()).toEqual([]);
  const mail = await database.db.selectFrom('mails').select(['recipient', 'body_text']).executeTakeFirstOrThrow();
  expect(mail.recipient).toBe('grace@staff.example');
  expect(mail.body_text.replaceAll(/\s+/g, ' ')).toContain('because your phone or computer was lost');
});

test('each permission has words of its own', () => {
  expect(new Set(permissions.map((permission) => permissionWords[permission])).size).toBe(permissions.length);
});

test('P68: every owner is told of an owner removed by the command line, the removed one too', async () => {
  expect(await removeFromOutside('GRACE@staff.example')).toEqual({ ok: true });
  expect(await owners()).toEqual([{ person_id: ada.id }]);
  const mails = await database.db.selectFrom('mails').select(['recipient', 'body_text']).orderBy('recipient').execute();
  expect(mails.map(({ recipient }) => recipient)).toEqual(['ada@staff.example', 'grace@staff.example']);
  expect(mails[0]?.body_text).toContain('Grace Hopper no longer has the role owner');
  expect(mails[0]?.body_text).toContain('by its command line');
  expect(await removeFromOutside('ada@staff.example')).toEqual({ ok: false, reason: 'last-owner' });
  expect(await database.db.selectFrom('mails').select('id').execute()).toHaveLength(2);
});
