import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  countAttempt,
  type FormLimit,
  forgetAttempts,
  networkKeyOfVisitor,
  uncountAttempt,
} from '#app/http/form-limit.server.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const limit: FormLimit = { attempts: 2, attemptsOfWideNetwork: 4, windowMs: 60_000, key: 'key' };
const begin = new Date('2025-09-08T00:00:00Z');
const after = (ms: number) => new Date(begin.getTime() + ms);

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const count = (address: string, now = begin) => countAttempt(database.db, limit, address, now);
const rows = () => database.db.selectFrom('form_attempts').selectAll().execute();

test('P24: each address has its own limit, and a window begins with the first attempt', async () => {
  expect([await count('192.0.2.1'), await count('192.0.2.1'), await count('192.0.2.1')]).toEqual([true, true, false]);
  expect(await count('192.0.2.2')).toBe(true);
  expect(await count('192.0.2.1', after(59_999))).toBe(false);
  expect(await count('192.0.2.1', after(60_000))).toBe(true);
  expect(await count('192.0.2.1', after(119_999))).toBe(true);
  expect(await count('192.0.2.1', after(119_999))).toBe(false);
});

test('P24: simultaneous attempts are all counted', async () => {
  const attempts = Array.from({ length: 12 }, () =>
    database.db.transaction().execute((trx) => countAttempt(trx, limit, '192.0.2.1', begin)),
  );
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(2);
});

test('P24: an undone attempt does not count', async () => {
  await count('192.0.2.1');
  await count('192.0.2.1');
  await uncountAttempt(database.db, limit, '192.0.2.1');
  expect([await count('192.0.2.1'), await count('192.0.2.1')]).toEqual([true, false]);
});

test('P24: an IPv6 /64 counts as one address, and its /56 has a separate limit', async () => {
  expect(await count('2001:db8:1:2::1')).toBe(true);
  expect(await count('2001:0DB8:1:2:ffff::9')).toBe(true);
  expect(await count('2001:db8:1:2:0:0:192.0.2.1')).toBe(false);
  expect(await count('2001:db8:1:3::1')).toBe(true);
  // The third attempt of the first /64 was refused, and counted in the /56 until it is taken back.
  await uncountAttempt(database.db, limit, '2001:db8:1:2::1');
  expect([await count('2001:db8:1:4::1'), await count('2001:db8:1:5::1')]).toEqual([true, false]);
  expect(await count('2001:db8:1:100::1')).toBe(true);
  expect(await count('::1')).toBe(true);
  expect(await count('fe80::1%eth0')).toBe(true);
});

test('addresses are stored as keyed hashes only, and deleted when their window is over', async () => {
  await count('192.0.2.1');
  await count('2001:db8:1:2::1', after(30_000));
  expect((await rows()).map(({ network }) => network)).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)));
  expect(await forgetAttempts(database.db, after(59_999))).toBe(0);
  expect(await forgetAttempts(database.db, after(60_000))).toBe(1);
  expect(await forgetAttempts(database.db, after(90_000))).toBe(2);
  expect(await rows()).toEqual([]);
});

test('P28: a visitor’s network is an IPv4 address or an IPv6 /56; the machine’s own address is nobody’s', () => {
  const key = (address: string) => networkKeyOfVisitor({ key: 'secret' }, address);
  expect(key('2001:db8:1:1::1')).toBe(key('2001:db8:1:2::9'));
  expect(key('2001:db8:1:1::1')).not.toBe(key('2001:db8:1:100::1'));
  expect(key('198.51.100.1')).not.toBe(key('198.51.100.2'));
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '']) expect(key(address)).toBeNull();
});
