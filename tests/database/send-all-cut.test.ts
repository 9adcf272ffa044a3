import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import type { PrivateLinks } from '#app/outbox/private-links.server.ts';
import { takeResending } from '#app/routes/staff/mail-acts.server.ts';
import { cuttingProxy } from '#tests/support/cutting-proxy.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = new Date('2025-09-08T00:00:00Z');
const links = { lead: async () => true } as Pick<PrivateLinks, 'lead'> as PrivateLinks;

/** Commits that arrive before the one whose answer is lost. */
async function pressCutAfter(commits: number) {
  const { db } = database;
  let left = commits;
  const proxy = await cuttingProxy(database.connection, () => (text) => {
    if (!/commit\0/.test(text)) return null;
    left -= 1;
    return left < 0 ? 'after' : null;
  });
  const cut = createDb({ ...database.connection, host: proxy.host }, () => undefined);
  const { actor } = await makeStaff(db, { email: `owner${commits}@example.com`, name: 'Ada Byron' }, at);
  const form = new FormData();
  const fields = { act: 'all', form: crypto.randomUUID(), seen: '0', upTo: at.toISOString() };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const academy = (on: typeof db) => ({ db: on, clock: { now: () => at, aheadMs: 0 } }) as Academy;
  const result = await takeResending(academy(cut), { form, actor, links, since: null });
  await cut.destroy();
  await proxy.close();
  const again = () => takeResending(academy(db), { form, actor, links, since: null });
  return { result, again };
}
const failed = async () =>
  (await database.db.selectFrom('mails').select('id').where('state', '=', 'failed').execute()).length;

test('"Send all again" that is cut off says how many emails are certainly queued, and sends the rest when pressed again', async () => {
  const mail = {
    ...{ kind: 'sample', recipient: 'grace@example.com', subject: 'Hello', headers: '{}', body_text: 'x' },
    ...{ body_html: 'x', state: 'failed' as const, reason: '451', queued_at: at, settled_at: at },
  };
  await database.db
    .insertInto('mails')
    .values(Array.from({ length: 350 }, () => mail))
    .execute();
  const { result, again } = await pressCutAfter(2);
  expect(result).toMatchObject({
    status: 503,
    form: { heading: 'Not confirmed yet', fault: expect.stringMatching(/could not confirm.*At least 200 emails are/) },
  });
  expect(JSON.stringify(result)).not.toMatch(/nothing was (sent|saved|changed)/i);
  // The third hundred was stored, though nobody was told.
  expect(await failed()).toBe(50);
  expect(await again()).toMatchObject({ ok: true, counts: { queued: 50 } });
});
