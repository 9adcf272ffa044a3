import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { runScript } from '#scripts/support/program.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterEach(() => database.drop());

async function content(args: string[], status = 0): Promise<string> {
  const env = { DATABASE_URL: connectionUrl(database.connection), TODAY: '2025-09-08' };
  const run = runScript('content.ts', args, env);
  expect(await run.end()).toBe(status);
  return run.output();
}

test('P70: what was published of a course is listed and brought back from the command line', async () => {
  await database.db
    .updateTable('courses')
    .where('slug', '=', 'cissp')
    .set({ title: 'Found', price_cents: 100 })
    .execute();
  expect(await content(['revert', 'course', 'cissp', '1', '--yes'])).toContain(
    'course cissp is as it was in revision 1: revision 3.',
  );
  const listed = await content(['history', 'course', 'cissp']);
  expect(listed).toContain('3  Monday 8 September 2025  command line  published now: title (Back to revision 1)');
  expect(listed).toContain('2  Monday 8 September 2025  not recorded  published: price, title');
  expect(await content(['history', 'page', 'nothing'], 1)).toContain('There is no page "nothing"');
  expect(await content(['history', 'course'], 2)).toContain('history KIND SLUG');
}, 120_000);
