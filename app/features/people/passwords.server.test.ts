import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { withRealScrypt } from '#tests/support/quick-scrypt.ts';
import { hashPassword, isPassword, passwordFault } from './passwords.server.ts';

const guessed = 'This password is easy to guess. Use several words that do not belong together.';

test.each([
  ['kookaburra sings at dusk', null],
  ['🦜🌏🎺🧀🪁🛶🧦🪴🥁🧭🪺🌙', null],
  ['a'.repeat(11), 'Use 12 characters or more. Several words are easy to remember.'],
  ['ab '.repeat(43), 'Use 128 characters at most.'],
  ['aaaaaaaaaaaaaaa', guessed],
  ['passwordpassword', guessed],
  ['!!!1password12345', guessed],
  ['qwertyuiop123', guessed],
  ['Unbelievable', guessed],
  ['ada.brennan@moreton.example', guessed],
  ['ada.brennan2025', guessed],
  ['Bowerbird-Academy1', guessed],
  ['cybersecurity2026', guessed],
  ['CourseBrisbane!!', guessed],
  ['a quest for cheap mangoes', null],
  // Used often enough to be on a list of the 100,000 most used, and not among the first 50,000.
  ['sleepyhollow', guessed],
  ['1234567899876543', guessed],
  ['G00dPa$$w0rD', guessed],
  ['2025!weihnachtsmann!', guessed],
  ['michelangelo paints mangoes', null],
])('P51: the password %s', async (password, fault) => {
  expect(await passwordFault(password, ['ada.brennan@moreton.example', 'Ada Brennan'])).toBe(fault);
});

test('P51: a password is stored as scrypt with N=2^17', async () => {
  const stored = await withRealScrypt(() => hashPassword('kookaburra sings at dusk'));
  const [, , , , salt = '', hash] = stored?.split('$') ?? [];
  const cost = { N: 131_072, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
  const key = scryptSync('kookaburra sings at dusk', Buffer.from(salt, 'base64url'), 32, cost);
  expect(hash).toBe(key.toString('base64url'));
});

test('P51: a password is stored with its cost, and compared in NFKC', async () => {
  // é as one character when it was chosen, as two when it is typed.
  const stored = await hashPassword('caf\u00e9 noir at dusk');
  expect(stored).toMatch(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword('cafe\u0301 noir at dusk', stored)).toBe(true);
  expect(await isPassword('cafe noir at dusk', stored)).toBe(false);
  expect(await isPassword('cafe noir at dusk', null)).toBe(false);
});

test('more than eight at once are refused instead of waiting', async () => {
  const asked = Array.from({ length: 10 }, () => isPassword('x', null));
  // The last two are told at once, before the first is done.
  expect(await Promise.all(asked.slice(8))).toEqual(['busy', 'busy']);
  await Promise.all(asked);
});
