import { expect, test } from 'vitest';
import { readFormToken, signFormToken } from './form-token.server.ts';

const made = new Date('2025-09-08T00:00:00Z');
const later = (ms: number) => new Date(made.getTime() + ms);

test('P24, P25: a signed form gives its idempotency key back between two seconds and a day', () => {
  const token = signFormToken('secret', made, 'key');
  expect(readFormToken('secret', later(5000), token)).toEqual({ ok: true, idempotencyKey: 'key' });
  expect(readFormToken('secret', later(1000), token)).toEqual({ ok: false, reason: 'too-fast' });
  expect(readFormToken('secret', later(25 * 3_600_000), token)).toEqual({ ok: false, reason: 'expired' });
});

test('P24: a token that this site did not sign is refused', () => {
  const token = signFormToken('secret', made, 'key');
  for (const forged of ['', 'x', token.replace('key', 'yek'), `${token}x`, token.slice(0, -1)]) {
    expect(readFormToken('secret', later(5000), forged)).toEqual({ ok: false, reason: 'forged' });
  }
  expect(readFormToken('other', later(5000), token)).toEqual({ ok: false, reason: 'forged' });
});

test('P24: a signature of the right length in characters but not in bytes is refused like any other', () => {
  for (const given of ['é'.repeat(43), '😀'.repeat(43), 'a'.repeat(43)]) {
    expect(readFormToken('secret', later(5000), `1.2.${given}`)).toEqual({ ok: false, reason: 'forged' });
  }
});

test('P24: impossible time stamps are refused, signed or not', () => {
  const signed = (ms: number) => readFormToken('secret', made, signFormToken('secret', new Date(ms), 'key'));
  expect(signed(Number.NaN)).toEqual({ ok: false, reason: 'forged' });
  expect(signed(-8.64e15)).toEqual({ ok: false, reason: 'expired' });
  const token = signFormToken('secret', made, 'key');
  expect(readFormToken('secret', later(5000), `${token}.x`)).toEqual({ ok: false, reason: 'forged' });
});

test('P24: a form made before the clock was put back is taken', () => {
  const token = signFormToken('secret', later(3_600_000), 'key');
  expect(readFormToken('secret', made, token)).toEqual({ ok: true, idempotencyKey: 'key' });
});
