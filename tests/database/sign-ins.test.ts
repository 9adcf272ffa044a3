import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  beginSignIn,
  completeSignIn,
  endSignInsOf,
  findSignIn,
  forgetSignIns,
  isFresh,
  type SignIn,
} from '#app/features/people/sign-ins.server.ts';
import { makeToken } from '#app/lib/private-token.server.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';

const at = new Date('2025-09-08T09:00:00+10:00');
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
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

const begin = (audience: 'player' | 'staff', pending: SignIn['pending'] = null) =>
  beginSignIn(database.db, { personId, audience, pending, browser: 'Firefox on Linux', at });
const find = async (audience: 'player' | 'staff', token: string, now = at) =>
  (await findSignIn(database.db, { token, audience, at: now }))?.signIn ?? null;

test('P52: a player’s sign-in does not open the back office, nor the other way round', async () => {
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

test('P53: staff have 15 minutes for the second step, and go on under a new token', async () => {
  const token = await begin('staff', { step: 'factor', to: '/staff/mail' });
  expect(await find('staff', token, after(15 * minute - 1))).toMatchObject({
    pending: { step: 'factor', to: '/staff/mail' },
  });
  expect(await find('staff', token, after(15 * minute))).toBeNull();
  const pending = await find('staff', token);
  if (!pending) throw new Error('not found');
  const whole = await completeSignIn(database.db, pending, after(minute));
  expect([await find('staff', token), (await find('staff', whole, after(hour)))?.pending]).toEqual([null, null]);
});

test('P96: players have no second step', async () => {
  const asked = begin('player', { step: 'factor', to: '/account' });
  await expect(asked).rejects.toThrow('players_have_no_second_step');
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
  await endSignInsOf(database.db, personId, [id]);
  expect([await find('player', other), (await find('player', own))?.id]).toEqual([null, id]);
  await forgetSignIns(database.db, after(30 * day - 1));
  expect(await database.db.selectFrom('sign_ins').select('id').execute()).toEqual([{ id }]);
  await forgetSignIns(database.db, after(30 * day));
  expect(await database.db.selectFrom('sign_ins').select('id').execute()).toEqual([]);
});
