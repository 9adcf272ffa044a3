// @module-tag torture
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { runScript } from '#scripts/support/program.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterEach(() => database.drop());

async function staff(args: string[], status = 0): Promise<string> {
  const run = runScript('staff.ts', args, { DATABASE_URL: connectionUrl(database.connection), PORT: '3000' });
  expect(await run.end()).toBe(status);
  return run.output();
}

test('the first owner is invited by a printed and mailed link, listed, and removed', async () => {
  const invited = await staff(['invite', 'Ada@Example.com', '--name', 'Ada Byron']);
  expect(invited).toContain('Ada Byron <ada@example.com> is now staff, as owner.');
  const [link = ''] = /http:\/\/localhost:3000\/staff\/sign-in\/confirm\?token=\S+/.exec(invited) ?? [];
  const mail = await database.db.selectFrom('mails').select(['recipient', 'body_text']).executeTakeFirstOrThrow();
  expect([mail.recipient, link !== '' && mail.body_text.includes(link)]).toEqual(['ada@example.com', true]);
  expect(await staff(['list'])).toMatch(/ada@example\.com {2}owner {2}since \d{4}-\d\d-\d\d {2}Ada Byron/);
  expect(await staff(['remove', 'ada@example.com'], 2)).toContain('This is the last owner');
  expect(await staff(['invite', 'x@example.com', '--role', 'instructor'], 2)).toContain('needs --instructor SLUG');
  await makeStaff(database.db, { email: 'grace@example.com', name: 'Grace Hopper' }, new Date());
  expect(await staff(['reset', 'ada@example.com'])).toContain('sets up a new second step at the next sign-in');
  expect(await staff(['remove', 'ADA@example.com'])).toContain('is not staff any more');
  expect(await database.db.selectFrom('sign_in_asks').selectAll().execute()).toEqual([]);
  expect(await staff(['remove', 'ada@example.com'], 2)).toContain('Nobody with the address');
  expect(await staff(['invite', 'nobody'], 2)).toContain('Not an email address');
  expect(await staff([], 2)).toContain('Usage');
});
