import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startConversation } from '#app/features/inbox/conversations/commands.server.ts';
import { expireConversationsDaily } from '#app/features/inbox/conversations/erase.server.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const at = new Date('2025-09-08T00:00:00Z');
const start = (email: string, message: string, idempotencyKey: string = crypto.randomUUID()) =>
  database.db
    .transaction()
    .execute((trx) =>
      startConversation(trx, { name: 'Ada', email, message, about: null }, { secret: 'x', idempotencyKey, at }),
    );
const held = (table: 'conversations' | 'conversation_messages' | 'private_links') =>
  database.db.selectFrom(table).selectAll().execute();

test('P25: the same form sent twenty times at once is one conversation with one message', async () => {
  const key = crypto.randomUUID();
  const copies = await Promise.all(Array.from({ length: 20 }, () => start('ada@example.com', 'Hello', key)));
  expect(new Set(copies.map(({ token }) => token)).size).toBe(1);
  expect(copies.filter(({ repeat }) => !repeat)).toHaveLength(1);
  expect([await held('conversations'), await held('conversation_messages')].map(({ length }) => length)).toEqual([
    1, 1,
  ]);
});

test('everything about a conversation can be read and erased by its address, and expires', async () => {
  const { db } = database;
  const { token } = await start('Ada@example.com', 'First');
  await start('bob@example.com', 'Second');
  const exported = await exportPerson(db, 'ada@EXAMPLE.com');
  expect(exported).toMatchObject({ conversations: [{ name: 'Ada', messages: [{ kind: 'visitor', body: 'First' }] }] });
  expect(JSON.stringify(exported)).not.toMatch(/Second|hash|words/);
  expect(JSON.stringify(await held('private_links'))).not.toContain(token);
  expect(await erasePerson(db, 'ada@example.com', { dataDir: '/nonexistent', at: new Date() })).toMatchObject({
    counts: { conversations: 1 },
  });
  expect((await held('conversation_messages')).map(({ body }) => body)).toEqual(['Second']);
  expect(await held('private_links')).toHaveLength(1);

  expect(await expireConversationsDaily(db, new Date('2027-09-08T00:00:00Z'))).toBe(0);
  expect(await expireConversationsDaily(db, new Date('2027-09-09T00:00:00Z'))).toBe(1);
  expect(await held('conversation_messages')).toEqual([]);
});
