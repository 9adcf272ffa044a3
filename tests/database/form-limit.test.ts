import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  askLimits,
  countAttempt,
  type FormLimit,
  forgetAttempts,
  networkKeyOfVisitor,
  waitText,
} from '#app/http/form-limit.server.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

const limit: FormLimit = { attempts: 2, attemptsOfWideNetwork: 4, windowMs: 60_000, key: 'key' };
const begin = new Date('2025-09-08T00:00:00Z');
const after = (ms: number) => new Date(begin.getTime() + ms);

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

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

const wide: FormLimit = { ...limit, attempts: 3, key: 'other key' };
const ask = (asked: Parameters<typeof askLimits>[1], now = begin) => askLimits(database.db, asked, now);

test('P24: a limit that is checked but not counted uses up nothing and writes nothing', async () => {
  for (let time = 0; time < 5; time++) expect(await ask([{ limit, by: '192.0.2.1' }])).toMatchObject({ ok: true });
  expect(await rows()).toEqual([]);
  const room = await ask([{ limit, by: '192.0.2.1', weight: 2 }]);
  if (room.ok) await room.count();
  expect(await ask([{ limit, by: '192.0.2.1' }])).toMatchObject({ ok: false, waitMs: 60_000 });
});

test('P24: a request over one of its limits counts under none, prolongs nothing and reads how long to wait', async () => {
  const both = [
    { limit, by: '192.0.2.1' },
    { limit: wide, by: 'ada@example.com' },
  ];
  const count = async (asked: typeof both, now = begin) => {
    const room = await ask(asked, now);
    if (room.ok) await room.count();
    return room;
  };
  await count(both);
  await count(both, after(30_000));
  const before = await rows();
  const refused = await count(both, after(40_000));
  expect(refused).toMatchObject({ ok: false, reached: { by: '192.0.2.1' }, waitMs: 20_000 });
  expect(await rows()).toEqual(before);
  // Of three for the mailbox one is left, for another network.
  const elsewhere = [{ limit, by: '192.0.2.2' }, ...both.slice(1)];
  expect(await count(elsewhere, after(40_000))).toMatchObject({ ok: true });
  expect(await count(elsewhere, after(40_000))).toMatchObject({ ok: false, reached: { by: 'ada@example.com' } });
  expect(await rows()).toHaveLength(3);
});

test('P24: requests with the same limits in any order at the same moment neither wait for each other nor pass together', async () => {
  const asked = [
    { limit, by: '192.0.2.1' },
    { limit: wide, by: 'ada@example.com' },
  ];
  const rooms = Array.from({ length: 12 }, (_, at) =>
    database.db.transaction().execute(async (trx) => {
      const room = await askLimits(trx, at % 2 ? asked : asked.toReversed(), begin);
      if (room.ok) await room.count();
      return room.ok;
    }),
  );
  expect((await Promise.all(rooms)).filter(Boolean)).toHaveLength(2);
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([2, 2]);
});

test('P24: an IPv6 /64 counts as one address; its /56 and its /48 have limits of their own', async () => {
  expect(await count('2001:db8:1:2::1')).toBe(true);
  expect(await count('2001:0DB8:1:2:ffff::9')).toBe(true);
  expect(await count('2001:db8:1:2:0:0:192.0.2.1')).toBe(false);
  // Two of four are used up in the /56: what was refused is none of them.
  expect([await count('2001:db8:1:3::1'), await count('2001:db8:1:4::1'), await count('2001:db8:1:5::1')]).toEqual([
    true,
    true,
    false,
  ]);
  // Four of sixteen in the /48.
  for (let at = 0; at < 12; at++) expect(await count(`2001:db8:1:${at + 1}00::1`)).toBe(true);
  expect(await count('2001:db8:1:ff00::1')).toBe(false);
  expect(await count('2001:db8:2:100::1')).toBe(true);
  expect(await count('::1')).toBe(true);
  expect(await count('fe80::1%eth0')).toBe(true);
});

test.each([
  [1, 'one minute'],
  [60_001, '2 minutes'],
  [600_000, '10 minutes'],
  [90 * 60_000, 'about 2 hours'],
  [24 * 3_600_000, 'about 24 hours'],
])('%d ms are said as "%s"', (ms, text) => {
  expect(waitText(ms)).toBe(text);
});

test('addresses are stored as keyed hashes only, and deleted when their window is over', async () => {
  await count('192.0.2.1');
  await count('2001:db8:1:2::1', after(30_000));
  expect((await rows()).map(({ network }) => network)).toEqual(Array(4).fill(expect.stringMatching(/^[\w-]{43}$/)));
  expect(await forgetAttempts(database.db, after(59_999))).toBe(0);
  expect(await forgetAttempts(database.db, after(60_000))).toBe(1);
  expect(await forgetAttempts(database.db, after(90_000))).toBe(3);
  expect(await rows()).toEqual([]);
});

test('P28: a visitor’s network is an IPv4 address or an IPv6 /56; the machine’s own address is nobody’s', () => {
  const key = (address: string) => networkKeyOfVisitor({ key: 'secret' }, address);
  expect(key('2001:db8:1:1::1')).toBe(key('2001:db8:1:2::9'));
  expect(key('2001:db8:1:1::1')).not.toBe(key('2001:db8:1:100::1'));
  expect(key('198.51.100.1')).not.toBe(key('198.51.100.2'));
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '']) expect(key(address)).toBeNull();
});
