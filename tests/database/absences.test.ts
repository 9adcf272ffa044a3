import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db, Trx } from '#app/db/client.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { readClassDay } from '#app/features/study/classes.server.ts';
import { readAbsences, tellAbsence } from '#app/features/study/marking.server.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { attends, type Class, makeClass } from '#tests/support/certificates.ts';
import { placeCombo } from '#tests/support/combos.ts';
import { attendee, momentAt } from '#tests/support/enrolments.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let db: Db;
let group: Class;
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  db = database.db;
  group = await makeClass(db);
});
afterEach(() => database.drop());

const inTrx = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
const email = 'ada@example.com';

async function inClass() {
  const { enrolmentId, placeId } = await attends(db, group, { name: 'Ada Byron', email }, 0);
  const { reference, places } = await readEnrolment(db, enrolmentId);
  const [place] = places;
  if (!place) return expect.unreachable('no place');
  const tell = (days: string[], when: string, note = '') =>
    inTrx((trx) => tellAbsence(trx, { place, reference, days, note }, momentAt(when)));
  return { place, placeId, tell };
}
const mails = () =>
  db
    .selectFrom('mails')
    .select(['recipient', 'body_text', 'reply_to'])
    .where('kind', '=', 'absence-notice')
    .orderBy('recipient')
    .execute();

test('P56: an attendee of two courses can report both on one day', async () => {
  const ways = [{ startsOn: '2025-11-03' }, { startsOn: '2025-11-10' }, 'later'] as const;
  const opening = momentAt('2025-09-08T09:00');
  const placed = await placeCombo(db, ways, opening, { attendees: [attendee({ email })] });
  const { reference, places } = await readEnrolment(db, placed.enrolmentId);
  const told = places.slice(0, 2).map((place, at) =>
    inTrx((trx) => {
      const days = [['2025-11-04'], ['2025-11-11']][at] ?? [];
      return tellAbsence(trx, { place, reference, days, note: '' }, momentAt('2025-11-01T08:00'));
    }),
  );
  expect(await Promise.all(told)).toEqual([{ ok: true }, { ok: true }]);
});

test('P56: an absence is told to academy and instructor, once a day; the place stays as it is', async () => {
  const { placeId, tell } = await inClass();
  expect(await tell(['2025-11-04', '2025-11-05'], '2025-11-01T08:00', 'My daughter is ill.')).toEqual({ ok: true });
  const sent = await mails();
  expect(sent.map(({ recipient }) => recipient)).toContain('mara@staff.example');
  expect(sent).toHaveLength(2);
  expect(sent[0]?.body_text).toContain(
    'on Tuesday 4 November 2025 and Wednesday 5 November 2025. They keep their place.',
  );
  expect(sent[0]?.body_text).toContain('My daughter is ill.');
  expect(sent[0]?.reply_to).toBe(email);
  const days = async () => (await readAbsences(db, [placeId])).get(placeId)?.map((one) => one.days);
  expect(await tell(['2025-11-03'], '2025-11-01T20:00')).toEqual({ ok: true });
  expect([await days(), await mails()]).toEqual([[['2025-11-03']], sent]);
  expect(await tell(['2025-11-04'], '2025-11-02T08:00')).toEqual({ ok: true });
  expect(await days()).toEqual([['2025-11-04']]);
  expect(await mails()).toHaveLength(4);
  const place = await db.selectFrom('places').select('state').where('id', '=', placeId).executeTakeFirstOrThrow();
  expect(place.state).toBe('active');
  expect(await db.selectFrom('attendance_marks').select('id').execute()).toEqual([]);
});

test('P56: an absence can be withdrawn, also on the same day; a day that is over stays as it was told', async () => {
  const { tell } = await inClass();
  const shownOn = async (shown: string) => {
    const day = { slug: group.courseDate.slug, day: shown, ...momentAt('2025-11-05T09:30') };
    return (await readClassDay(db, group.instructor, day))?.people.map(({ cannotCome }) => cannotCome);
  };
  expect(await tell([], '2025-11-01T08:00')).toEqual({ ok: false, reason: 'no-day' });
  await tell(['2025-11-03', '2025-11-05'], '2025-11-01T08:00', 'A wrong tick.');
  expect(await shownOn('2025-11-05')).toEqual([{ note: 'A wrong tick.' }]);
  expect(await tell([], '2025-11-01T08:05')).toEqual({ ok: true });
  expect([await shownOn('2025-11-03'), await shownOn('2025-11-05')]).toEqual([[null], [null]]);
  expect(await mails()).toHaveLength(2);

  await tell(['2025-11-03', '2025-11-05'], '2025-11-02T08:00', 'Ill.');
  expect(await tell([], '2025-11-04T08:00')).toEqual({ ok: true });
  expect([await shownOn('2025-11-03'), await shownOn('2025-11-05')]).toEqual([[{ note: '' }], [null]]);
  const sent = await mails();
  expect(sent).toHaveLength(6);
  expect(sent.filter(({ body_text }) => body_text.includes(' after all.'))).toHaveLength(2);
});

test('P64: a new attendee is not shown as away for the one before, and can report an absence the same day', async () => {
  const { place, placeId, tell } = await inClass();
  expect(await tell(['2025-11-04'], '2025-11-01T08:00', 'My daughter is ill.')).toEqual({ ok: true });
  const { enrolmentId } = await db
    .selectFrom('places')
    .select('enrolment_id as enrolmentId')
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow();
  const wish = attendee({ name: 'Grace Hopper', email: 'grace@example.org' });
  const given = { enrolmentId, attendeeId: place.attendee.id, attendee: wish, actor: theProgram };
  await inTrx((trx) => changeAttendee(trx, given, momentAt('2025-11-01T09:00')));
  const told = async () => (await readAbsences(db, [placeId])).get(placeId) ?? [];
  expect(await told()).toEqual([]);
  const day = { slug: group.courseDate.slug, day: '2025-11-04', ...momentAt('2025-11-04T08:58') };
  const shown = async () => (await readClassDay(db, group.instructor, day))?.people.map(({ cannotCome }) => cannotCome);
  expect(await shown()).toEqual([null]);
  expect(await tell(['2025-11-05'], '2025-11-01T10:00', 'At the dentist.')).toEqual({ ok: true });
  expect(await tell(['2025-11-05'], '2025-11-01T11:00', 'At the dentist.')).toEqual({ ok: true });
  expect(await told()).toMatchObject([{ days: ['2025-11-05'], note: 'At the dentist.' }]);
});

test('P56: a day that is over, or that is no day of the class, cannot be missed', async () => {
  const { tell } = await inClass();
  expect(await tell(['2025-11-06'], '2025-11-01T08:00')).toEqual({ ok: false, reason: 'no-day' });
  expect(await tell(['2025-11-03'], '2025-11-03T17:00')).toEqual({ ok: false, reason: 'no-day' });
  expect(await tell(['2025-11-05'], '2025-11-05T17:00')).toEqual({ ok: false, reason: 'no-class' });
  expect(await mails()).toEqual([]);
});

test('P58: a message of absence is in the person’s data file, and erased with them', async () => {
  const { tell } = await inClass();
  await tell(['2025-11-04'], '2025-11-01T08:00', 'My daughter is ill.');
  expect((await exportPerson(db, email)).progress).toMatchObject([{ as: 'cannot come', note: 'My daughter is ill.' }]);
  await erasePerson(db, email, { dataDir: '/nonexistent', at: momentAt('2025-12-24T09:00').now });
  const kept = await db.selectFrom('absence_notices').select('note').execute();
  expect(kept).toEqual([{ note: null }]);
});
