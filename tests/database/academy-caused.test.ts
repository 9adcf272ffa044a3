import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces, readCancellation } from '#app/features/enrolments/cancel-enrolment.server.ts';
import { reasonOf } from '#app/features/enrolments/cancellation-words.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import {
  cancelSessionAndAsk,
  moveSessionAndAsk,
  refundSilent,
} from '#app/features/enrolments/session-changes.server.ts';
import { keepPlace, transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { accountOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { lockSessions } from '#app/features/seats/commands.server.ts';
import { timesOf } from '#app/features/sessions/session-times.server.ts';
import { placeCombo } from '#tests/support/combos.ts';
import { attendee, makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { recordOpened } from '#tests/support/study.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

// The three courses cost AU$1,049.15, AU$2,308.97 and AU$3,008.88 in the combo, AU$6,367 together.
const opening = momentAt('2025-09-08T09:00');
const later = momentAt('2025-10-01T09:00');
const far = { startsOn: '2025-12-01' };
/** Three days ahead: the ladder gives nothing. */
const close = { startsOn: '2025-10-04' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterAll(() => database.drop());

const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

/** A combo whose third course the academy moves or cancels; the second one begins in three days. */
async function changed(how: 'moved' | 'cancelled', ways: Parameters<typeof placeCombo>[1] = [far, close, far]) {
  const { db } = database;
  const { enrolmentId } = await placeCombo(db, ways, opening);
  const places = async () => (await readEnrolment(db, enrolmentId)).places;
  const [first, second, third] = await places();
  const sessionId = third?.session?.id ?? 0;
  await transaction(async (trx) => {
    if (how === 'cancelled') return cancelSessionAndAsk(trx, sessionId, theProgram, later);
    const session = (await lockSessions(trx, [sessionId], later.now)).get(sessionId);
    if (!session) throw new Error('there is no such session');
    const { ...times } = await timesOf(trx, session);
    const days = { startDate: '2025-12-02', endDate: '2025-12-06', enrolmentEnds: '2025-12-01' };
    return moveSessionAndAsk(trx, { sessionId, times: { ...times, ...days }, actor: theProgram }, later);
  });
  const ids = [first?.id ?? 0, second?.id ?? 0, third?.id ?? 0] as const;
  expect((await places()).find(({ id }) => id === ids[2])?.chooseWhy).toBe(`session-${how}`);
  return {
    ids,
    enrolmentId,
    places,
    owed: async () => balanceOf(await accountOf(db, enrolmentId)),
    cancel: (placeIds: readonly number[], when = later) =>
      transaction((trx) => cancelPlaces(trx, { enrolmentId, placeIds, why: 'buyer', shownCents: null }, when)),
  };
}

test.each(['moved', 'cancelled'] as const)(
  'P40: a course of a combo goes with one that was %s, not instead of it',
  async (how) => {
    const kept = await changed(how);
    const [, second, third] = kept.ids;
    expect(await kept.cancel([second])).toMatchObject({ refunds: [{ placeId: second, reason: 'too-late' }] });
    expect(await kept.owed()).toBe(636_700);
    if (how === 'moved') {
      const { enrolmentId } = kept;
      expect(await transaction((trx) => keepPlace(trx, { enrolmentId, placeId: third }, later))).toBe(true);
    }

    const together = await changed(how);
    expect(await together.cancel([together.ids[1], together.ids[2]])).toMatchObject({ ok: true });
    expect(await together.owed()).toBe(104_915);
  },
);

test('P40: the other courses of a combo may follow within two weeks, until they begin', async () => {
  const combo = await changed('moved');
  const [first, second, third] = combo.ids;
  await combo.cancel([third]);
  await combo.cancel([second], momentAt('2025-10-03T23:00'));
  expect(await combo.owed()).toBe(104_915);
  // After two weeks the ladder and the own price of what is kept hold again; nothing is kept here.
  expect(await combo.cancel([first], momentAt('2025-10-18T09:00'))).toMatchObject({
    refunds: [{ reason: 'two-weeks', cents: 104_915 }],
  });

  const begun = await changed('moved');
  await begun.cancel([begun.ids[2]]);
  expect(await begun.cancel([begun.ids[1]], momentAt('2025-10-05T09:00'))).toMatchObject({
    refunds: [{ reason: 'too-late' }],
  });
});

test('P40: on its first day a course of a combo has begun, and does not follow the changed one any more', async () => {
  const combo = await changed('moved');
  await combo.cancel([combo.ids[2]]);
  expect(await combo.cancel([combo.ids[1]], momentAt('2025-10-04T23:00'))).toMatchObject({
    refunds: [{ reason: 'too-late' }],
  });
});

test('P40: the two weeks count from the changed course, and not anew from one that followed it', async () => {
  const combo = await changed('moved', [{ startsOn: '2025-10-18' }, { startsOn: '2025-10-20' }, far]);
  const [first, second, third] = combo.ids;
  await combo.cancel([third]);
  expect(await combo.cancel([first], momentAt('2025-10-14T09:00'))).toMatchObject({
    refunds: [{ reason: 'academy-changed' }],
  });
  expect(await combo.cancel([second], momentAt('2025-10-17T09:00'))).toMatchObject({
    refunds: [{ reason: 'too-late' }],
  });
});

test('P40: the other courses may follow one that was cancelled also when its buyer said nothing, and the email says until when', async () => {
  // /terms: "If we hear nothing from you, we refund in full one that does not go ahead. Of a combo, you may then also give
  // back the courses that have not begun, at their full share of the price."
  const combo = await changed('cancelled', [far, { startsOn: '2025-10-22' }, far]);
  const [first, second] = combo.ids;
  await refundSilent(database.db, momentAt('2025-10-16T09:00'));
  const mails = database.db.selectFrom('mails').select('body_text').where('kind', '=', 'place-cancelled');
  const { body_text } = await mails.where('about_id', '=', combo.enrolmentId).executeTakeFirstOrThrow();
  // Two weeks, and not after the day before a first day.
  expect(body_text.replaceAll(/\s+/g, ' ')).toContain(
    'give back AWS Certified Security - Specialty (SCS-C03) until Tuesday 21 October 2025, for all of its share of the price',
  );
  expect(body_text.replaceAll(/\s+/g, ' ')).toContain('until Thursday 30 October 2025');
  expect(await combo.cancel([second], momentAt('2025-10-21T23:59'))).toMatchObject({
    refunds: [{ reason: 'academy-changed', cents: 230_897 }],
  });
  // Nothing is left to pay for: the combo is gone as a whole.
  expect(await combo.cancel([first], momentAt('2025-10-30T23:59'))).toMatchObject({ ok: true });
  expect(await combo.owed()).toBe(0);
});

test('P40: the other courses may follow also when staff gave the changed one back for a buyer who called', async () => {
  const combo = await changed('cancelled', [far, { startsOn: '2025-10-06' }, far]);
  const [, second, third] = combo.ids;
  const { enrolmentId } = combo;
  const called = { enrolmentId, placeIds: [third], why: 'staff', actor: theProgram, shownCents: null } as const;
  expect(await transaction((trx) => cancelPlaces(trx, called, later))).toMatchObject({ ok: true });
  expect((await combo.places()).find(({ id }) => id === third)?.cancelledWhy).toBe('session');
  expect(await combo.cancel([second], momentAt('2025-10-05T09:00'))).toMatchObject({
    refunds: [{ reason: 'academy-changed' }],
  });
});

test('P40: a guided course of the combo follows only while no module of it is opened', async () => {
  const unopened = await changed('moved', [{ guided: '2025-10-13' }, close, far]);
  await unopened.cancel([unopened.ids[2]]);
  expect(await unopened.cancel([unopened.ids[0]])).toMatchObject({ refunds: [{ reason: 'academy-changed' }] });

  const opened = await changed('moved', [{ guided: '2025-10-13' }, close, far]);
  const [place] = await opened.places();
  await recordOpened(database.db, place?.id ?? 0, later.now);
  await opened.cancel([opened.ids[2]]);
  expect(await opened.cancel([opened.ids[0]])).toMatchObject({ refunds: [{ reason: 'modules-left' }] });
});

test('P40: the courses of another attendee do not follow, whose own date the academy left as it was', async () => {
  const { db } = database;
  const attendees = [attendee(), attendee({ name: 'Mary' })];
  const { enrolmentId } = await placeCombo(db, [far, close, far], opening, { attendees });
  const of = (name: string) => async () =>
    (await readEnrolment(db, enrolmentId)).places.filter((place) => place.attendee.name === name);
  const [adas, marys] = [of('Ada Byron'), of('Mary')];
  const sessionOf = async (places: typeof adas) =>
    (await places()).findLast(({ state }) => state === 'active')?.session;
  const other = await makeSession(db, { course: 'ccsp', startsOn: '2025-12-08' });
  const transfer = { enrolmentId, placeId: (await marys())[2]?.id ?? 0, toSessionId: other.id, actor: theProgram };
  expect(await transaction((trx) => transferPlace(trx, transfer, opening))).toMatchObject({ ok: true });
  const cancelled = (await sessionOf(adas))?.id ?? 0;
  await transaction((trx) => cancelSessionAndAsk(trx, cancelled, theProgram, later));
  const cancel = (place: Place | undefined) =>
    transaction((trx) =>
      cancelPlaces(trx, { enrolmentId, placeIds: [place?.id ?? 0], why: 'buyer', shownCents: null }, later),
    );
  expect(await cancel((await adas())[2])).toMatchObject({ refunds: [{ reason: 'academy-changed' }] });
  expect(await cancel((await marys())[1])).toMatchObject({ refunds: [{ reason: 'too-late' }] });
  expect(await cancel((await adas())[1])).toMatchObject({ refunds: [{ reason: 'academy-changed' }] });
});

test('P85: a place that a buyer gives back because the academy cancelled its date was not cancelled by the buyer’s choice', async () => {
  const { db } = database;
  const session = await makeSession(db, { startsOn: '2025-11-03' });
  const { enrolmentId } = await placeIn(db, session, { attendees: [attendee(), attendee({ name: 'Mary' })] });
  const [one, more] = (await readEnrolment(db, enrolmentId)).places;
  const cancel = (placeId = 0) =>
    transaction((trx) =>
      cancelPlaces(trx, { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null }, later),
    );
  await cancel(one?.id);
  await transaction((trx) => cancelSessionAndAsk(trx, session.id, theProgram, later));
  await cancel(more?.id);
  const { places } = await readEnrolment(db, enrolmentId);
  expect(places.map(({ cancelledWhy }) => cancelledWhy)).toEqual(['buyer', 'session']);
});

test('P40: beside the other courses of the combo stands that they come back in full together with the changed one', async () => {
  const { db } = database;
  const combo = await changed('cancelled');
  const enrolment = await readEnrolment(db, combo.enrolmentId);
  const [, second, third] = enrolment.places;
  const reasonsOf = async (some: readonly (Place | undefined)[]) => {
    const places = some.filter((one) => one !== undefined);
    const plan = await transaction((trx) => readCancellation(trx, enrolment, places, later));
    return places.map((place) => reasonOf(enrolment, place, { plan, paid: true, today: later.today }));
  };
  const together =
    'We changed the date of Certified Cloud Security Professional (CCSP): if you give that one back first, or in the same step, we refund all of this one.';
  expect(await reasonsOf([second])).toEqual([expect.stringContaining(together)]);
  for (const reason of await reasonsOf([second, third])) expect(reason).not.toContain('if you give that one back');
});

test('P40: of a course of a combo that has begun, page and email say what its own price takes off the refund', async () => {
  const { db } = database;
  const { enrolmentId } = await placeCombo(db, [{ guided: '2025-09-15' }, far, far], opening);
  const enrolment = async () => readEnrolment(db, enrolmentId);
  const [place] = (await enrolment()).places;
  const placeId = place?.id ?? 0;
  await recordOpened(db, placeId, later.now);
  const now = await enrolment();
  const guided = now.places.slice(0, 1);
  const plan = await transaction((trx) => readCancellation(trx, now, guided, later));
  // One of six modules was opened: a sixth of the discount of AU$449.85 is not given on it. AU$874.30 is for the five others.
  const less = 'Less AU$74.97: the part that has begun costs its own price, without the combo’s discount.';
  expect(guided.map((one) => reasonOf(now, one, { plan, paid: true, today: later.today }))).toEqual([
    expect.stringContaining(less),
  ]);
  const cancellation = { enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null } as const;
  expect(await transaction((trx) => cancelPlaces(trx, cancellation, later))).toMatchObject({
    refunds: [{ reason: 'modules-left', cents: 87_430 - 7_497 }],
  });
  const mails = db.selectFrom('mails').select('body_text').where('kind', '=', 'place-cancelled');
  const { body_text } = await mails.where('about_id', '=', enrolmentId).executeTakeFirstOrThrow();
  expect(body_text.replaceAll(/\s+/g, ' ')).toContain(less);
});

test('P40: a course that has begun does not go along with the changed one, also in the same act', async () => {
  const combo = await changed('moved');
  expect(await combo.cancel([combo.ids[1], combo.ids[2]], momentAt('2025-10-04T12:00'))).toMatchObject({
    refunds: expect.arrayContaining([
      expect.objectContaining({ placeId: combo.ids[1], reason: 'too-late' }),
      expect.objectContaining({ placeId: combo.ids[2], reason: 'academy-changed' }),
    ]),
  });
});
