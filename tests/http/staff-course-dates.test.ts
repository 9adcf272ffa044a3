import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { addDays } from '#app/lib/dates.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { attendee, makeCourseDate, momentAt, placeIn as place, seatsLeftIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

/** A day more than a year away, and so many days more. */
const far = (days: number) => addDays('2026-11-22', days);
/** At AU$2,299. */
const course = 'comptia-security-plus';
let academy: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(academy, 'grace@example.com', 'Grace Hopper');
});
afterAll(() => academy.close());

const page = async (path: string, by = ada) => (await by.get(path)).text();
const slugOf = async (id: number) => {
  const row = await academy.database.db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.slug;
};

const placeIn = (courseDate: { id: number; courseId: number }, parts: Parameters<typeof place>[2] = {}) =>
  place(academy.database.db, courseDate, parts);

const times = {
  startDate: '2025-11-10',
  endDate: '2025-11-14',
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: '60',
  delivery: 'both',
  venue: 'Sydney',
  instructor: '',
  enrolmentEnds: '2025-11-07',
  decidedBy: '2025-10-24',
};

test('staff make a course date, see every fault of it at once, move it, and the public page follows', async () => {
  const { slug: instructor } = await academy.database.db
    .selectFrom('instructors')
    .select('slug')
    .orderBy('slug')
    .executeTakeFirstOrThrow();
  const fields = { ...times, instructor, course: 'cissp', capacity: '8', minimum: '3' };
  const own = carriedBy(await page('/staff/course-dates/new'), 'new');
  const wrong = await ada.post('/staff/course-dates/new', {
    ...own,
    ...fields,
    endDate: '2025-11-01',
    decidedBy: '2025-11-09',
  });
  const faults = await wrong.text();
  expect(wrong.status).toBe(409);
  expect(faults.includes('Last day lies before first day.')).toBe(true);
  expect(faults.includes('Decided by is not 14 days before first day or earlier.')).toBe(true);
  expect(faults.includes('value="2025-11-09"')).toBe(true);

  const made = await ada.post('/staff/course-dates/new', { ...carriedBy(faults, 'new'), ...fields });
  const path = made.headers.get('Location') ?? '';
  expect([made.status, path]).toEqual([303, '/staff/course-dates/cissp-sydney-2025-11-10']);
  const shown = await page(path);
  for (const text of [
    '0 sold, 0 held, 0 offered, 8 left of 8',
    'Confirmed once 3 more enrol',
    'made this course date',
  ]) {
    expect(shown.includes(text), text).toBe(true);
  }
  expect((await page('/staff/course-dates?search=sydney+cissp')).includes(path)).toBe(true);
  expect((await page('/staff/course-dates?state=undecided')).includes(path)).toBe(true);
  expect((await page('/staff/course-dates?state=past')).includes(path)).toBe(false);

  const move = await page(`${path}/move`);
  expect(move.includes('value="2025-11-10"')).toBe(true);
  expect([move.includes('We email nobody.'), move.includes('email everyone')]).toEqual([true, false]);
  const moved = { ...times, instructor, startDate: '2025-11-17', endDate: '2025-11-21' };
  expect((await ada.post(`${path}/move`, { ...carriedBy(move, 'move'), ...moved })).status).toBe(303);
  expect((await page(path)).includes('17 to 21 November 2025')).toBe(true);
  // Nothing else of the form, and no room or link.
  expect(await changesOf(academy.database.db, 'course-date:cissp-sydney-2025-11-10')).toEqual([
    ['make-course-date', 'breakMinutes', null, 60],
    ['make-course-date', 'capacity', null, 8],
    ['make-course-date', 'course', null, 'cissp'],
    ['make-course-date', 'decidedBy', null, '2025-10-24'],
    ['make-course-date', 'delivery', null, 'both'],
    ['make-course-date', 'endDate', null, '2025-11-14'],
    ['make-course-date', 'endTime', null, '17:00'],
    ['make-course-date', 'enrolmentEnds', null, '2025-11-07'],
    ['make-course-date', 'instructor', null, instructor],
    ['make-course-date', 'minimum', null, 3],
    ['make-course-date', 'startDate', null, '2025-11-10'],
    ['make-course-date', 'startTime', null, '09:00'],
    ['make-course-date', 'venue', null, 'Sydney'],
    ['move-course-date', 'endDate', '2025-11-14', '2025-11-21'],
    ['move-course-date', 'startDate', '2025-11-10', '2025-11-17'],
  ]);
  expect((await ada.get('/staff/course-dates/none')).status).toBe(404);
  expect((await ada.get(`${path}/burn`)).status).toBe(404);
});

test('the attendee list prints and downloads without formulas, and without money', async () => {
  const courseDate = await makeCourseDate(academy.database.db, { course });
  await placeIn(courseDate, {
    attendees: [
      attendee({ name: '=HYPERLINK("x")', needs: 'Step-free <access>' }),
      attendee({ name: null }),
      attendee({ name: 'Zoë "Z" Novák', under18: true, guardian: { name: 'Eva Novák', email: null } }),
    ],
  });
  const slug = await slugOf(courseDate.id);
  const csv = await ada.get(`/staff/attendees.csv?date=${slug}`);
  expect(csv.headers.get('Content-Disposition')).toBe(`attachment; filename="attendees-${slug}.csv"`);
  const bytes = await csv.text();
  const lines = bytes.split('\r\n');
  expect(lines[1]?.startsWith(`"'=HYPERLINK(""x"")","","Step-free <access>","",`)).toBe(true);
  expect(lines[2]?.startsWith('"Zoë ""Z"" Novák","","","yes","Eva Novák"')).toBe(true);
  expect(lines[3]?.startsWith('"to be named"')).toBe(true);
  const print = await page(`/staff/course-dates/${slug}/attendees`);
  expect([print.includes('Step-free &lt;access&gt;'), print.includes('AU$')]).toEqual([true, false]);
  expect((await academy.request(`/staff/attendees.csv?date=${slug}`)).status).toBe(302);
});

test('seats are resized, held for a quote and released; the second person reads who was first', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course, capacity: 4, startsOn: far(60) });
  await placeIn(courseDate, { attendees: [attendee(), attendee()] });
  const path = `/staff/course-dates/${await slugOf(courseDate.id)}`;
  const seenByBoth = await page(path);
  const small = await ada.post(path, { ...carriedBy(seenByBoth, 'resize'), capacity: '1' });
  expect([small.status, (await small.text()).includes('2 seats are sold, held or offered')]).toEqual([409, true]);
  const resize = { ...carriedBy(seenByBoth, 'resize'), capacity: '5' };
  expect((await ada.post(path, resize)).status).toBe(303);
  // The browser's Back and the button once more changes nothing.
  expect((await ada.post(path, resize)).status).toBe(303);
  const quote = { seats: '3', until: far(30), label: 'Quote 17' };
  const second = await grace.post(path, { ...carriedBy(await page(path, grace), 'hold-quote'), seen: '0', ...quote });
  const told = await second.text();
  expect(second.status).toBe(409);
  expect(told.includes('Ada Byron changed its seats in the meantime')).toBe(true);
  expect(told.includes('value="Quote 17"')).toBe(true);
  expect((await grace.post(path, { ...carriedBy(told, 'hold-quote'), ...quote })).status).toBe(303);
  expect(await seatsLeftIn(db, courseDate.id)).toBe(0);

  const held = await page(path);
  expect(held.includes('For a quote: Quote 17')).toBe(true);
  const { id: hold } = await db
    .selectFrom('seat_holds')
    .select('id')
    .where('course_date_id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const release = { ...carriedBy(held, 'release-hold'), hold: String(hold) };
  expect((await ada.post(path, release)).status).toBe(303);
  expect(await seatsLeftIn(db, courseDate.id)).toBe(3);
  const again = await ada.post(path, {
    ...carriedBy(await page(path), 'resize'),
    act: 'release-hold',
    hold: String(hold),
  });
  expect([again.status, (await again.text()).includes('This hold has ended')]).toEqual([409, true]);
  const entries = db
    .selectFrom('audit_entries')
    .select(['action', 'person_id'])
    .where('subject', '=', path.replace('/staff/course-dates/', 'course-date:'));
  expect(await entries.orderBy('id').execute()).toEqual([
    { action: 'resize-course-date', person_id: ada.id },
    { action: 'hold-quote', person_id: grace.id },
    { action: 'release-hold', person_id: ada.id },
  ]);
});

test('before a course date is cancelled its page says what that does to each person, and then it is done once', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course, startsOn: '2025-12-08', decidedBy: '2025-11-20', minimum: 3 });
  const { reference } = await placeIn(courseDate, {
    attendees: [attendee({ name: 'Mary Shelley', email: 'mary@example.org' })],
    buyer: { name: 'Percy Shelley', email: 'percy@example.org', phone: null },
  });
  const path = `/staff/course-dates/${await slugOf(courseDate.id)}`;
  const confirm = await page(`${path}/confirm`);
  expect(confirm.includes('AU$2,299.00 becomes due by Monday 22 September 2025.')).toBe(true);
  // Tasks lead only those who may do them to where they are done.
  const reader = await signInStaff(academy, 'rosa@example.com', 'Rosa Parks', { role: 'reader' });
  const decide = /<a [^>]*\/confirm"[^>]*>Decide by Thursday/;
  expect([decide.test(await page(path)), decide.test(await page(path, reader))]).toEqual([true, false]);
  const asks = await page(`${path}/cancel`);
  const texts = ['Mary Shelley', 'percy@example.org', 'mary@example.org', 'AU$2,299.00 no longer owed', '2 email'];
  for (const text of [...texts, '22 September 2025</span>: another date, or a full refund']) {
    expect(asks.includes(text), text).toBe(true);
  }
  // Somebody enrolled since: who is not on the page must not be surprised.
  const other = await placeIn(courseDate);
  const cancel = carriedBy(asks, 'cancel');
  const refused = await ada.post(`${path}/cancel`, cancel);
  expect([refused.status, (await refused.text()).includes('there are 2 people in it now')]).toEqual([409, true]);
  const swapped = carriedBy(await page(`${path}/cancel`), 'cancel');
  // As many as before, and yet others.
  const { id: placeId } = await db
    .selectFrom('places')
    .select('id')
    .where('enrolment_id', '=', other.enrolmentId)
    .executeTakeFirstOrThrow();
  const leaving = { enrolmentId: other.enrolmentId, placeIds: [placeId], why: 'buyer', shownCents: null } as const;
  await db.transaction().execute((trx) => cancelPlaces(trx, leaving, momentAt('2025-09-08T09:00')));
  await placeIn(courseDate);
  expect((await ada.post(`${path}/cancel`, swapped)).status).toBe(409);
  const fresh = carriedBy(await page(`${path}/cancel`), 'cancel');
  expect((await ada.post(`${path}/cancel`, fresh)).headers.get('Location')).toBe(path);
  const after = await page(path);
  for (const text of ['Cancelled', 'cancelled it', 'Chooses until Monday 22 September 2025']) {
    expect(after.includes(text), text).toBe(true);
  }
  // There is no class any more, and nothing to enrol in.
  for (const text of ['/staff/classes/', 'left of', 'Enrolment ends']) expect(after.includes(text), text).toBe(false);
  const second = await grace.post(`${path}/cancel`, { ...fresh, form: crypto.randomUUID() });
  expect([second.status, (await second.text()).includes('Ada Byron cancelled it in the meantime')]).toEqual([
    409,
    true,
  ]);
  const mails = db.selectFrom('mails').select('recipient').where('kind', '=', 'place-course-date-cancelled');
  const told = (await mails.where('subject', 'like', `%${reference}%`).orderBy('recipient').execute()).map(
    (row) => row.recipient,
  );
  expect(told).toEqual(['mary@example.org', 'percy@example.org']);
  const todo = await page('/staff');
  expect(/2<\/span>[\s\S]*Choices open/.test(todo)).toBe(true);
  expect((await page('/staff/enrolments?state=choosing')).includes(reference)).toBe(true);
});

test('a course date is locked once while staff cancel it', async () => {
  let locks = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === 'SelectQueryNode' && node.endModifiers?.some(({ modifier }) => modifier === 'ForNoKeyUpdate')) {
        if (JSON.stringify(node.from).includes('"course_dates"')) locks += 1;
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const courseDate = await makeCourseDate(academy.database.db, { startsOn: far(40) });
  const path = `/staff/course-dates/${await slugOf(courseDate.id)}/cancel`;
  const fields = carriedBy(await page(path), 'cancel');
  const { services } = academy;
  const usual = services.academy;
  services.academy = { ...usual, db: usual.db.withPlugin(counting) };
  try {
    expect((await ada.post(path, fields)).status).toBe(303);
  } finally {
    services.academy = usual;
  }
  expect(locks).toBe(1);
  // It cannot be cancelled again: the page says so and has no button for it.
  const again = await page(path);
  expect([again.includes('Back to the course date'), again.includes('change-form')]).toEqual([true, false]);
});
