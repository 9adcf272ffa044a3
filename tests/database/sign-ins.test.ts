import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { takePasskey } from '#app/features/people/passkeys.server.ts';
import {
  beginSignIn,
  completeSignIn,
  endSignInsOf,
  findSignIn,
  forgetSignIns,
  isFresh,
} from '#app/features/people/sign-ins.server.ts';
import { makeToken } from '#app/lib/private-token.server.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

const at = new Date('2025-09-08T09:00:00+10:00');
const minute = 60_000;
const day = 24 * 60 * minute;
const after = (ms: number) => new Date(at.getTime() + ms);

let database: SharedDatabase;
let personId: number;
beforeAll(async () => {
  database = await createSharedDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.empty();
  const person = database.db.insertInto('people').values({ email: 'ada@example.com', name: 'Ada Byron' });
  ({ id: personId } = await person.returning('id').executeTakeFirstOrThrow());
});

const begin = (audience: 'player' | 'staff', awaits: 'factor' | null = null) =>
  beginSignIn(database.db, { personId, audience, awaits, leadsTo: '/', browser: 'Firefox on Linux', at });
const find = async (audience: 'player' | 'staff', token: string, now = at) =>
  (await findSignIn(database.db, { token, audience, at: now }))?.signIn ?? null;

test('P52: a sign-in opens the door it was made for and no other', async () => {
  const [player, staff] = [await begin('player'), await begin('staff')];
  const found = [await find('player', player), await find('staff', player), await find('staff', staff)];
  found.push(await find('player', staff), await find('player', makeToken()), await find('player', ''));
  expect(found.map((one) => one?.audience ?? null)).toEqual(['player', null, 'staff', null, null, null]);
});

test('P52: a player’s sign-in lasts 30 days without use and 180 in all', async () => {
  const token = await begin('player');
  expect(await find('player', token, after(30 * day - 1))).not.toBeNull();
  // That was a use, which counts from then on.
  for (let days = 59; days < 180; days += 29) expect(await find('player', token, after(days * day))).not.toBeNull();
  expect(await find('player', token, after(180 * day - 1))).not.toBeNull();
  expect(await find('player', token, after(180 * day))).toBeNull();
  const idle = await begin('player');
  expect(await find('player', idle, after(30 * day))).toBeNull();
});

test('what still asks for a second factor lasts 15 minutes, and goes on under a new token', async () => {
  const token = await begin('player', 'factor');
  expect(await find('player', token, after(15 * minute - 1))).toMatchObject({ awaits: 'factor' });
  expect(await find('player', token, after(15 * minute))).toBeNull();
  const pending = await find('player', token);
  if (!pending) throw new Error('not found');
  const whole = await completeSignIn(database.db, pending, after(minute));
  expect([await find('player', token), (await find('player', whole, after(day)))?.awaits]).toEqual([null, null]);
});

test('P54: a sign-in is fresh for ten minutes; one from the future is not', () => {
  const provedAt = at;
  const ages = [0, 10 * minute - 1, 10 * minute, -minute, -minute - 1];
  expect(ages.map((age) => isFresh({ provedAt }, after(age)))).toEqual([true, true, false, true, false]);
});

test('ending the others leaves the one, and what ended is forgotten', async () => {
  const [own, other] = [await begin('player'), await begin('player')];
  await begin('staff');
  const { id } = (await find('player', own)) ?? { id: 0 };
  await endSignInsOf(database.db, personId, id);
  expect([await find('player', other), (await find('player', own))?.id]).toEqual([null, id]);
  await forgetSignIns(database.db, after(30 * day - 1));
  expect(await database.db.selectFrom('sign_ins').select('id').execute()).toEqual([{ id }]);
  await forgetSignIns(database.db, after(30 * day));
  expect(await database.db.selectFrom('sign_ins').select('id').execute()).toEqual([]);
});

test('P53: a passkey is not called wrong when the database could not be asked about it', async () => {
  const services = { origin: 'https://academy.example', clock: { now: () => at, aheadMs: 0 } };
  const key = { id: 'a-key', person_id: personId, public_key: Buffer.from('key'), counter: 0, transports: [] };
  await database.db
    .insertInto('passkeys')
    .values({ ...key, name: 'Phone', added_at: at })
    .execute();
  const clientData = { type: 'webauthn.get', challenge: 'ours', origin: services.origin };
  const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString('base64url');
  const shown = JSON.stringify({
    id: key.id,
    rawId: key.id,
    type: 'public-key',
    response: { clientDataJSON, authenticatorData: '', signature: '' },
    clientExtensionResults: {},
  });
  const take = (trx: Trx) => takePasskey(trx, services, shown);
  expect(await database.db.transaction().execute(take)).toBeNull();
  const other = await database.db.startTransaction().execute();
  await sql`lock table passkey_challenges`.execute(other);
  const waiting = database.db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '1ms'`.execute(trx);
    return take(trx);
  });
  const answer = await waiting.catch((error: unknown) => error);
  await other.rollback().execute();
  expect(answer).toMatchObject({ code: '55P03' });
});
