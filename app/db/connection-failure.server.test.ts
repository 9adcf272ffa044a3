import pg from 'pg';
import { expect, test } from 'vitest';
import { Busy, databaseTrouble, isConnectionFailure } from './connection-failure.server.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('failed'), { code }, more);

test.each([
  ...['08000', '08003', '08006', '57P01', '57P02', '57P03', '57014', '55P03', '25P03', '25006', '53300', '53100'].map(
    (code) => withCode(code),
  ),
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'].map((code) => withCode(code)),
  withCode('ENOENT', { syscall: 'connect' }),
  new Error('Connection terminated'),
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout', { cause: new Error('closed') }),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('timeout exceeded when trying to connect'),
  new Error('Query read timeout'),
  new Error('the list could not be read', { cause: withCode('57P01') }),
])('a connection failure: %o', (error) => {
  expect(isConnectionFailure(error)).toBe(true);
});

test.each([
  ...['23505', '22P02', '42703', '28P01', '57000', '22021'].map((code) => withCode(code)),
  withCode('ENOENT', { syscall: 'open' }),
  new TypeError("Cannot read properties of undefined (reading 'x')"),
  new Error('The text says: Query read timeout'),
  'ECONNREFUSED',
  undefined,
])('not a connection failure: %o', (error) => {
  expect(isConnectionFailure(error)).toBe(false);
});

test.each([
  ...['55P03', '57014', '25P03', '53300'].map((code) => withCode(code)),
  new Busy('all connections are in use'),
  new Error('failed', { cause: new Busy('all connections are in use') }),
  // pg-boss reports copies, which are no errors.
  { ...new Busy(), message: 'all connections are in use' },
])('busy with others, not away: %o', (error) => {
  expect(databaseTrouble(error)).toBe('busy');
});

test.each([
  ...['08006', '57P01', '57P03', '25006', '53100', 'ECONNREFUSED'].map((code) => withCode(code)),
  new Error('timeout exceeded when trying to connect'),
  new Error('Query read timeout'),
  { message: 'Connection terminated unexpectedly' },
])('away, not busy: %o', (error) => {
  expect(databaseTrouble(error)).toBe('away');
});

test('the errors that pg raises for a missing server are connection failures', async () => {
  for (const host of ['/nowhere', '127.0.0.1']) {
    const client = new pg.Client({ host, port: 1, user: 'nobody', password: 'x', database: 'none' });
    const error = await client.connect().catch((failure: unknown) => failure);
    expect(isConnectionFailure(error)).toBe(true);
  }
});
