import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { theProgram } from '#app/features/people/actor.ts';
import type { Role } from '#app/features/people/permissions.ts';
import { grantRole } from '#app/features/people/roles.server.ts';
import { momentAt } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const { now: at, academy } = momentAt('2025-09-08T09:00');
const grant = (
  email: string,
  granted: { role: Role; teachesAs?: string },
  actor: Parameters<typeof grantRole>[1]['actor'] = theProgram,
) =>
  database.db
    .transaction()
    .execute((trx) => grantRole(trx, { person: { email, name: 'Mara' }, granted, actor, at }, academy));
const told = async () =>
  (
    await database.db
      .selectFrom('mails')
      .select(['recipient', 'body_text'])
      .where('kind', '=', 'role-granted')
      .orderBy('queued_at')
      .orderBy('recipient')
      .execute()
  ).map(({ recipient, body_text }) => `${recipient}: ${/has the role (\w+)/.exec(body_text)?.[1]}`);

test('P53: every other owner is told of a new role and of another instructor’s, but not of an unchanged one', async () => {
  const ada = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, at);
  await makeStaff(database.db, { email: 'bea@example.com', name: 'Bea' }, at);
  await makeStaff(database.db, { email: 'rae@example.com', name: 'Rae' }, at, { role: 'reader' });
  await grant('mara@example.com', { role: 'admissions' }, ada.actor);
  expect(await told()).toEqual(['ada@example.com: admissions', 'bea@example.com: admissions']);
  await grant('mara@example.com', { role: 'admissions' });
  expect(await told()).toHaveLength(2);
  const slugs = await database.db.selectFrom('instructors').select('slug').orderBy('slug').limit(2).execute();
  const [one = '', another = ''] = slugs.map(({ slug }) => slug);
  await grant('mara@example.com', { role: 'instructor', teachesAs: one });
  await grant('mara@example.com', { role: 'instructor', teachesAs: one });
  await grant('mara@example.com', { role: 'instructor', teachesAs: another });
  expect(await told()).toHaveLength(6);
});

test('P53: the first owner has nobody to tell; an owner who is made by another one is not told of themselves', async () => {
  await grant('ada@example.com', { role: 'owner' });
  expect(await told()).toEqual([]);
  await grant('bea@example.com', { role: 'owner' });
  expect(await told()).toEqual(['ada@example.com: owner']);
});
