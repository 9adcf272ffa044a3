import { expect, test } from 'vitest';
import { readSettings } from './env.server.ts';

test('every setting is optional', () => {
  const result = readSettings({ PORT: '' });
  expect(result).toMatchObject({ ok: true, settings: { port: 3000, baseUrl: 'http://localhost:3000' } });
});

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['DATABASE_URL', 'mysql://root@localhost/x'],
  ['BASE_URL', 'bowerbird'],
  ['TODAY', '8 September'],
  ['LOG_LEVEL', 'loud'],
  ['TRUSTED_PROXIES', '10.0.0.0/8'],
])('a wrong %s is refused in one line that names it', (name, value) => {
  const result = readSettings({ [name]: value });
  expect(result.ok).toBe(false);
  if (result.ok) return;
  expect(result.message).toContain(name);
  expect(result.message).not.toContain('\n');
});

test('a refused database address is not repeated: it may hold a password', () => {
  const result = readSettings({ DATABASE_URL: 'mysql://root:hunter2@localhost/x' });
  expect(JSON.stringify(result)).not.toContain('hunter2');
});

test('BASE_URL loses its trailing slash', () => {
  const result = readSettings({ BASE_URL: 'https://bowerbird.example/' });
  expect(result).toMatchObject({ settings: { baseUrl: 'https://bowerbird.example' } });
});
