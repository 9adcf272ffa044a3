import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { liveHoursFile } from '#app/features/study/live-hour-calendar.ts';
import {
  changeLink,
  endLiveHour,
  findLiveHour,
  type HourWish,
  listLiveHours,
  ownLiveHours,
  setLiveHour,
  takeDayOff,
} from '#app/features/study/live-hours.server.ts';
import { publishChange, standingIn } from '#tests/support/content-edits.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());
beforeEach(() => database.empty());

const opening = momentAt('2025-09-08T09:00');
const inTrx = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work);

/** Mondays at 6:00 PM in Brisbane; 6 October 2025, the King's Birthday in Queensland, is one of them. */
const wish = (parts: Partial<HourWish> = {}): HourWish => ({
  course: 'cissp',
  instructor: 'hamish-doyle',
  startsAt: '18:00',
  minutes: 60,
  zone: 'Australia/Brisbane',
  link: 'https://live.example/cissp',
  firstOn: '2025-09-29',
  lastOn: '2025-10-27',
  ...parts,
});

async function admissions() {
  const staff = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, opening.now, {
    role: 'admissions',
  });
  return staff.actor;
}
async function anInstructor(): Promise<string> {
  return (await database.db.selectFrom('instructors').select('slug').orderBy('slug').executeTakeFirstOrThrow()).slug;
}

/** Guided study of CISSP from Monday 13 October 2025, with access until 12 October 2026. */
async function studying(email: string) {
  const { db } = database;
  const course = await db.selectFrom('courses').select('id').where('slug', '=', 'cissp').executeTakeFirstOrThrow();
  const order = await orderOf(db, [{ courseId: course.id, way: 'guided', from: '2025-10-13' }], {
    attendees: [attendee({ email })],
  });
  const placed = await inTrx((trx) => placeEnrolment(trx, order, opening));
  if (!placed.ok) return expect.unreachable(placed.reason);
  const [place] = (await readEnrolment(db, placed.enrolmentId)).places;
  return place ?? expect.unreachable('no place');
}
const mailsTo = async (email: string) =>
  database.db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('recipient', '=', email)
    .where('kind', '=', 'live-hour')
    .orderBy('queued_at')
    .execute();

async function planned(parts: Partial<HourWish> = {}) {
  const actor = await admissions();
  const instructor = await anInstructor();
  const set = await inTrx((trx) => setLiveHour(trx, { wish: wish({ instructor, ...parts }), actor }, opening));
  if (!set.ok) return expect.unreachable(set.reason);
  return { actor, id: set.id, instructor };
}

/** Declares another day of a public holiday in Queensland. */
async function aHoliday(day: string): Promise<void> {
  const { current } = await standingIn(database.db, 'public holiday', 'boxing-day');
  const days = [...((current?.value.days ?? []) as string[]), day].toSorted();
  const change = { kind: 'public holiday', key: 'boxing-day', to: { days } } as const;
  expect(await publishChange(database.db, change, opening)).toMatchObject({ ok: true });
}

test('P60: learners of the course are told of the hour, of a week without it, and of its end; no mail has the link', async () => {
  const place = await studying('mae@example.org');
  const { actor, id } = await planned();
  const off = { id, day: '2025-10-20', reason: 'Hamish is away.', actor };
  expect(await inTrx((trx) => takeDayOff(trx, off, opening))).toEqual({ ok: true });
  const link = { id, link: 'https://live.example/new', actor };
  expect(await inTrx((trx) => changeLink(trx, link, opening))).toEqual({ ok: true });
  expect(await inTrx((trx) => endLiveHour(trx, { id, from: '2025-10-21', actor }, opening))).toEqual({ ok: true });
  const mails = await mailsTo('mae@example.org');
  expect(mails.map(({ subject }) => subject.split(':')[0])).toEqual([
    'Your live hour',
    'No live hour',
    'Live hour, new link',
    'Live hour ends',
  ]);
  expect(mails[0]?.body_text).toContain('Mondays from Monday 29 September 2025, 6:00 PM to 7:00 PM AEST');
  expect(mails[1]?.body_text).toContain('is not held on Monday 20 October 2025. Hamish is away.');
  expect(mails.every(({ body_text }) => !body_text.includes('live.example'))).toBe(true);
  expect(place.state).toBe('active');
});

test('P60: the link is for those whose access runs; a cancelled place and one of another course have no live hour', async () => {
  const place = await studying('mae@example.org');
  await planned();
  const own = async (on: string, one = place) =>
    (await ownLiveHours(database.db, [one], { today: on })).get(one.id)?.[0];
  expect(await own('2025-10-12')).toMatchObject({ link: null });
  expect(await own('2025-10-13')).toMatchObject({ link: 'https://live.example/cissp' });
  expect(await own('2026-10-13')).toBeUndefined();
  // Of a cancelled place calendars take out what is to come.
  const cancelled = await own('2025-10-13', { ...place, state: 'cancelled', endedOn: '2025-10-15' });
  expect(cancelled).toMatchObject({ link: null, occurrences: [{ off: false }, { off: true }, { off: true }] });
  // Access begins on 13 October; the last Monday of the plan is 27 October.
  expect((await own('2025-10-13'))?.occurrences.map(({ day }) => day)).toEqual([
    '2025-10-13',
    '2025-10-20',
    '2025-10-27',
  ]);
});

test('P60: the calendar keeps a UID for each hour, and cancels what staff, a new holiday or the end of the place cancelled', async () => {
  const first = await studying('mae@example.org');
  const { id: enrolmentId } = await database.db.selectFrom('enrolments').select('id').executeTakeFirstOrThrow();
  const { actor, id } = await planned({ firstOn: '2025-10-13', lastOn: '2025-11-03' });
  const file = async () => {
    const enrolment = await readEnrolment(database.db, enrolmentId);
    const hours = (await ownLiveHours(database.db, enrolment.places, { today: '2025-10-13' })).get(first.id) ?? [];
    const text = liveHoursFile(hours, { title: 'CISSP', enrolment, academy: opening.academy });
    const events = text.replaceAll('\r\n ', '').split('BEGIN:VEVENT').slice(1);
    const line = (event: string, name: string) => new RegExp(`^${name}[^:]*:(.*)$`, 'm').exec(event)?.[1]?.trim();
    return events.map((event) => ({
      uid: line(event, 'UID'),
      starts: line(event, 'DTSTART'),
      status: line(event, 'STATUS'),
      sequence: Number(line(event, 'SEQUENCE')),
      joins: event.includes('https://live.example/cissp'),
    }));
  };
  const before = await file();
  expect(before.map(({ starts }) => starts)).toEqual([
    '20251013T080000Z',
    '20251020T080000Z',
    '20251027T080000Z',
    '20251103T080000Z',
  ]);
  expect(before.every(({ status, joins }) => status === 'CONFIRMED' && joins)).toBe(true);
  expect(await file()).toEqual(before);
  await inTrx((trx) =>
    takeDayOff(trx, { id, day: '2025-10-20', reason: 'Away.', actor }, momentAt('2025-10-14T09:00')),
  );
  await inTrx((trx) => endLiveHour(trx, { id, from: '2025-11-01', actor }, momentAt('2025-10-14T10:00')));
  const after = await file();
  expect(after.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid));
  expect(new Set(before.map(({ uid }) => uid)).size).toBe(4);
  expect(after.map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED', 'CONFIRMED', 'CANCELLED']);
  expect(after.map(({ joins }) => joins)).toEqual([true, false, true, false]);
  expect(after[0]?.sequence).toBeGreaterThan(before[0]?.sequence ?? 0);

  await aHoliday('2025-10-27');
  const declared = await file();
  expect(declared.map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED', 'CANCELLED', 'CANCELLED']);
  expect(declared[2]?.sequence).toBeGreaterThan(after[2]?.sequence ?? 0);

  const enrolment = await readEnrolment(database.db, enrolmentId);
  const placeIds = enrolment.places.map(({ id: placeId }) => placeId);
  const cancellation = { enrolmentId, placeIds, why: 'staff' as const, actor, shownCents: null };
  await inTrx((trx) => cancelPlaces(trx, cancellation, momentAt('2025-10-11T09:00')));
  const cancelled = await file();
  expect(cancelled.map(({ uid }) => uid)).toEqual(before.map(({ uid }) => uid));
  expect(cancelled.every(({ status, joins }) => status === 'CANCELLED' && !joins)).toBe(true);
  expect(cancelled[0]?.sequence).toBeGreaterThan(declared[0]?.sequence ?? 0);
});

test('P60: on a public holiday of its state none is held', async () => {
  const place = { ...(await studying('mae@example.org')), guidedFrom: '2025-09-29' } as Parameters<
    typeof ownLiveHours
  >[1][0];
  const { actor, id } = await planned();
  const hours = (await ownLiveHours(database.db, [place], { today: '2025-09-29' })).get(place.id) ?? [];
  const held = hours[0]?.occurrences.filter(({ off }) => !off);
  expect(held?.map(({ day }) => day)).toEqual(['2025-09-29', '2025-10-13', '2025-10-20', '2025-10-27']);
  const holiday = { id, day: '2025-10-06', reason: 'Away.', actor };
  expect(await inTrx((trx) => takeDayOff(trx, holiday, opening))).toEqual({ ok: false, reason: 'no-such-day' });
});

test('P60: nobody is told of an hour that begins after their access, or of a day off that they could not attend', async () => {
  const place = await studying('mae@example.org');
  const { actor, id, instructor } = await planned({ firstOn: '2026-10-05', lastOn: '2027-03-01' });
  expect(await mailsTo('mae@example.org')).toHaveLength(1);
  const off = (day: string) => ({ id, day, reason: 'Hamish is away.', actor });
  // Access ends on 12 October 2026; the 5th is a holiday.
  expect(await inTrx((trx) => takeDayOff(trx, off('2026-10-19'), opening))).toEqual({ ok: true });
  expect(await mailsTo('mae@example.org')).toHaveLength(1);
  expect(await inTrx((trx) => takeDayOff(trx, off('2026-10-12'), opening))).toEqual({ ok: true });
  const mails = await mailsTo('mae@example.org');
  expect(mails).toHaveLength(2);
  expect(mails[1]?.body_text).toContain('It was the last one planned.');
  const late = wish({ instructor, firstOn: '2026-10-13', lastOn: '2027-03-01' });
  expect(await inTrx((trx) => setLiveHour(trx, { wish: late, actor }, opening))).toMatchObject({ ok: true });
  expect(await inTrx((trx) => endLiveHour(trx, { id, from: '2026-10-13', actor }, opening))).toEqual({ ok: true });
  expect(await mailsTo('mae@example.org')).toHaveLength(2);
  expect(place.state).toBe('active');
});

test('P60: an hour that was held stays held; the mail of a day off names the next one that is held', async () => {
  await studying('mae@example.org');
  const { actor, id } = await planned();
  const off = (day: string, at: string) =>
    inTrx((trx) => takeDayOff(trx, { id, day, reason: 'Hamish is away.', actor }, momentAt(at)));
  const end = (from: string, at: string) => inTrx((trx) => endLiveHour(trx, { id, from, actor }, momentAt(at)));
  // From 6:00 PM to 7:00 PM.
  expect(await off('2025-10-13', '2025-10-13T19:00')).toEqual({ ok: false, reason: 'held' });
  expect(await end('2025-10-13', '2025-10-13T19:00')).toEqual({ ok: false, reason: 'held' });
  expect(await off('2025-10-20', '2025-10-13T19:00')).toEqual({ ok: true });
  expect(await off('2025-10-27', '2025-10-13T19:01')).toEqual({ ok: true });
  const [, , first, last] = [undefined, ...(await mailsTo('mae@example.org'))];
  expect(first?.body_text).toContain('The next one after that is on Monday 27 October 2025.');
  expect(last?.body_text).toContain('It was the last one planned.');
  expect(await end('2025-10-14', '2025-10-13T19:02')).toEqual({ ok: true });
});

test('P60: impossible hours are refused, and only staff who change course dates set one', async () => {
  const actor = await admissions();
  const instructor = await anInstructor();
  const set = (parts: Partial<HourWish>, by = actor) =>
    inTrx((trx) => setLiveHour(trx, { wish: wish({ instructor, ...parts }), actor: by }, opening));
  expect(await set({ course: 'nothing-of-ours' })).toEqual({ ok: false, reason: 'course' });
  expect(await set({ course: 'job-guarantee-soc-analyst' })).toEqual({ ok: false, reason: 'not-guided' });
  expect(await set({ instructor: 'nobody' })).toEqual({ ok: false, reason: 'instructor' });
  expect(await set({ firstOn: '2025-09-08' })).toEqual({ ok: false, reason: 'first-day' });
  expect(await set({ lastOn: '2025-09-28' })).toEqual({ ok: false, reason: 'last-day' });
  expect(await set({ lastOn: '2027-12-28' })).toEqual({ ok: false, reason: 'too-long' });
  const reader = { ...actor, can: new Set(['attendees:read', 'course-dates:read'] as const) };
  await expect(set({}, reader)).rejects.toThrow();
  expect(await database.db.selectFrom('live_hours').select('id').execute()).toEqual([]);
});

test('P60: an instructor sees the live hours that they hold, with who may come, and no others', async () => {
  await studying('mae@example.org');
  const { actor, id, instructor } = await planned();
  const can = new Set(['attendees:read', 'course-dates:read'] as const);
  const theirs = { ...actor, roles: ['instructor' as const], can, teachesAs: [instructor] };
  const another = { ...theirs, teachesAs: ['somebody-else'] };
  const titles = async (by: typeof theirs) =>
    (await listLiveHours(database.db, by, '2025-10-13')).map(({ people }) => people);
  expect(await titles(theirs)).toEqual([1]);
  expect(await titles(another)).toEqual([]);
  expect((await findLiveHour(database.db, theirs, id, '2025-10-13'))?.people).toHaveLength(1);
  expect(await findLiveHour(database.db, another, id, '2025-10-13')).toBeNull();
  expect((await findLiveHour(database.db, theirs, id, '2026-10-13'))?.people).toEqual([]);
});
