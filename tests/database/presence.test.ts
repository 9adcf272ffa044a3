import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteStaffPresent, readPresence } from '#app/features/conversations/presence.server.ts';
import { makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const second = (count: number) => new Date(Date.parse('2025-09-08T00:00:00Z') + count * 1000);

test('P20: whoever has a page open counts as online, and pages write that down three times a minute at most', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'ada@example.com', name: 'Ada' }, second(0));
  const noted = async () => (await db.selectFrom('staff_presence').select('seen_at').executeTakeFirst())?.seen_at;
  const isOnline = async (now: Date) => (await readPresence(db, { now, holidays: new Set() })).online;
  await noteStaffPresent(db, actor, second(0));
  await noteStaffPresent(db, actor, second(19));
  expect(await noted()).toEqual(second(0));
  await noteStaffPresent(db, actor, second(20));
  expect(await noted()).toEqual(second(20));
  expect([await isOnline(second(79)), await isOnline(second(80))]).toEqual([true, false]);
  // A page that is open asks every 20 seconds, whenever it was opened.
  await noteStaffPresent(db, actor, second(100));
  for (let at = 119; at < 300; at += 20) {
    await noteStaffPresent(db, actor, second(at));
    expect([await isOnline(second(at)), await isOnline(second(at + 20))]).toEqual([true, true]);
  }
  // A clock that was ahead is put right by the next page.
  await noteStaffPresent(db, actor, second(5000));
  await noteStaffPresent(db, actor, second(320));
  expect(await noted()).toEqual(second(320));
});
