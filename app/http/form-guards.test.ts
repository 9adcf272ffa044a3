import { expect, test } from 'vitest';
import { readFormToken, signFormToken } from './form-token.server.ts';
import { createRateLimit } from './rate-limit.server.ts';

const made = new Date('2025-09-08T00:00:00Z');
const later = (ms: number) => new Date(made.getTime() + ms);

test('P24, P25: a signed form gives its idempotency key back between two seconds and a day', () => {
  const token = signFormToken('secret', made, 'key');
  expect(readFormToken('secret', later(5000), token)).toEqual({ ok: true, idempotencyKey: 'key' });
  expect(readFormToken('secret', later(1000), token)).toEqual({ ok: false, reason: 'too-fast' });
  expect(readFormToken('secret', later(25 * 3_600_000), token)).toEqual({ ok: false, reason: 'expired' });
});

test('P24: what was not signed here is refused', () => {
  const token = signFormToken('secret', made, 'key');
  for (const forged of ['', 'x', token.replace('key', 'yek'), `${token}x`, token.slice(0, -1)]) {
    expect(readFormToken('secret', later(5000), forged)).toEqual({ ok: false, reason: 'forged' });
  }
  expect(readFormToken('other', later(5000), token)).toEqual({ ok: false, reason: 'forged' });
});

test('P24: one address has its limit, another its own', () => {
  const limit = createRateLimit({ attempts: 2, windowMs: 60_000 });
  expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([true, true, false, true]);
});

test('P24: an attempt that failed by our fault is given back; one IPv6 network is one visitor', () => {
  const limit = createRateLimit({ attempts: 1, windowMs: 60_000 });
  expect(limit.take('a')).toBe(true);
  limit.giveBack('a');
  expect(limit.take('a')).toBe(true);
  expect(limit.take('2001:db8:1:2::1')).toBe(true);
  expect(limit.take('2001:db8:1:2:ffff::9')).toBe(false);
  expect(limit.take('2001:db8:1:3::1')).toBe(true);
});
