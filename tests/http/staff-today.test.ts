import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { setPaymentAside } from '#app/features/money/payments-to-review.server.ts';
import type { Role } from '#app/features/people/permissions.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { type SignedIn, signInStaff, staffActor } from '#tests/support/staff.ts';

/** A Monday. */
const today = '2025-09-08';
const at = (text: string) => new Date(`${text}:00+10:00`);

let academy: AcademyApp;
let staff: Record<Role, SignedIn>;
/** Course dates: one runs today, one waits for a decision, one is full, one is another instructor's. */
let slugs: { running: string; undecided: string; full: string; other: string };
let running: { id: number; courseId: number };

beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  // Figures are to be counted by hand: only the dates made here are there.
  await db.updateTable('course_dates').set({ state: 'cancelled' }).execute();
  running = await makeCourseDate(db, {});
  const undecided = await makeCourseDate(db, { startsOn: '2025-09-24', decidedBy: today, minimum: 2, capacity: 30 });
  const full = await makeCourseDate(db, { startsOn: '2025-10-15', capacity: 1 });
  const other = await makeCourseDate(db, { startsOn: '2025-12-01', course: 'cism' });
  await placeIn(db, running, { attendees: [attendee(), attendee({ name: 'Bethany Aldous' })] });
  await placeIn(db, running);
  await placeIn(db, undecided, { attendees: [attendee({ name: null })] });
  await placeIn(db, full);
  const change = (id: number) => db.updateTable('course_dates').where('id', '=', id).returning('slug');
  const [teaches, another] = await db.selectFrom('instructors').select('slug').orderBy('slug').limit(2).execute();
  const mine = { instructor_slug: teaches?.slug ?? '' };
  const theirs = { instructor_slug: another?.slug ?? '' };
  const slugOf = async (id: number, columns: object) => (await change(id).set(columns).executeTakeFirstOrThrow()).slug;
  slugs = {
    running: await slugOf(running.id, { ...mine, starts_on: today, ends_on: '2025-09-12', enrolment_ends_on: today }),
    undecided: await slugOf(undecided.id, { ...theirs, zone: 'Australia/Melbourne' }),
    full: await slugOf(full.id, theirs),
    other: await slugOf(other.id, theirs),
  };
  const signIn = (role: Role, more = {}) =>
    signInStaff(academy, `${role}@example.com`, `Ada ${role}`, { role, ...more });
  staff = {
    owner: await signIn('owner'),
    admissions: await signIn('admissions'),
    editor: await signIn('editor'),
    instructor: await signIn('instructor', { teachesAs: mine.instructor_slug }),
    reader: await signIn('reader'),
  };
});
beforeEach(() => academy.setNow(at(`${today}T08:42`)));
afterAll(() => academy.close());

const start = async (role: Role) => mainText(await staff[role].get('/staff'));
async function enquire(name: string, came: string, message: string): Promise<string> {
  const person = { firstName: name, lastName: 'Shelley', email: 'mary@example.org', phone: '', consent: true };
  const sent = { idempotencyKey: crypto.randomUUID(), at: at(came) };
  const enquiry = { ...person, kind: 'contact' as const, message, details: {} };
  return (await recordEnquiry(academy.database.db, enquiry, sent)).reference;
}

test('the day: the time of every zone in use, today’s classes with their people, and who has come', async () => {
  const early = await start('owner');
  expect(early).toContain('Monday 8 September 8:42 AM in Brisbane and Melbourne');
  expect(early).toContain('3 people in 1 class');
  expect(early).toMatch(/9:00 – 5:00 in 18 min CISSP/);
  expect(early).toContain('Day 1 of 5, ');
  expect(early).toContain('Online, link not sent yet 3 of 6 Mark attendance');

  const { db } = academy.database;
  const places = await db.selectFrom('places').select('id').where('course_date_id', '=', running.id).execute();
  const mark = (place: number, day: string, said: 'present' | 'excused') => ({
    ...{ place_id: place, day, mark: said, person_id: staff.owner.id, client_key: crypto.randomUUID() },
    ...{ tapped_at: at(`${day}T09:05`), received_at: at(`${day}T09:05`) },
  });
  const [first, second, third] = places.map(({ id }) => id);
  await db
    .insertInto('attendance_marks')
    .values([mark(first ?? 0, today, 'present'), mark(second ?? 0, today, 'present')])
    .execute();
  academy.setNow(at(`${today}T10:00`));
  expect(await start('owner')).toMatch(/9:00 – 5:00 now .*3 of 6 2 here, 1 not seen yet/);
  await db
    .insertInto('attendance_marks')
    .values(mark(third ?? 0, today, 'excused'))
    .execute();
  expect(await start('owner')).toMatch(/9:00 – 5:00 now .*3 of 6 2 here, 1 away/);
  academy.setNow(at('2025-09-09T08:00'));
  expect(await start('owner')).toMatch(/in 60 min .*Day 2 of 5.*2 came on Mon/);
});

test('what needs a person is grouped, money and decisions first, the oldest promise first, and shows what is late', async () => {
  const late = await enquire('Mary', '2025-09-04T10:00', 'Can nine of us take it?');
  const open = await enquire('Percy', '2025-09-06T12:00', 'Is there a seat?');
  const { db } = academy.database;
  await db
    .insertInto('payments')
    .values({
      ...{ amount_cents: 15_000, method: 'bank', received_on: '2025-09-05', words: 'J CITIZEN thanks' },
      ...{ source: 'test:1', recorded_at: at('2025-09-08T08:00') },
    })
    .execute();
  const html = await (await staff.owner.get('/staff')).text();
  for (const to of [`enquiries/${late}`, `enquiries/${open}`, `course-dates/${slugs.undecided}`]) {
    expect(html.includes(`href="/staff/${to}"`), to).toBe(true);
  }
  const text = (await start('owner')).replace(/^.*Needs a person/, '').replace(/Next six weeks.*$/, '');
  const rows = [
    '5 open. 1 late',
    'Money and dates 2 Today, 6:00 PM To decide CISSP, 24 Sept 1 of 2 needed',
    'Tue, 6:00 PM Payment J CITIZEN thanks AU$150.00 on Fri 5 Sept names no enrolment',
    'People 3 Fri 5 Sept , late Message Mary Shelley “Can nine of us take it?”',
    'Today, 6:00 PM Message Percy Shelley “Is there a seat?”',
    // Three business days before Wednesday 24 September.
    '19 Sept Names missing Grace Hopper 1 of 1 not named, CISSP, 24 Sept',
  ];
  const places = rows.map((row) => text.indexOf(row));
  expect(places, text).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test('P83: a payment that was set aside needs nobody', async () => {
  const { db } = academy.database;
  const words = 'STRIPE PAYOUT';
  const row = {
    amount_cents: 123_400,
    method: 'bank' as const,
    received_on: '2025-09-05',
    words,
    source: 'test:payout',
  };
  const recorded = { ...row, recorded_at: at('2025-09-05T08:00') };
  const { id } = await db.insertInto('payments').values(recorded).returning('id').executeTakeFirstOrThrow();
  expect((await start('owner')).includes(words)).toBe(true);
  const aside = {
    paymentId: id,
    why: 'A payout of Stripe',
    actor: staffActor({ id: staff.owner.id, name: 'Ada' }),
    at: at(`${today}T08:00`),
  };
  await db.transaction().execute((trx) => setPaymentAside(trx, aside));
  expect((await start('owner')).includes(words)).toBe(false);
});

test('P14: a class of tomorrow in Sydney is shown once, with its day, while Brisbane has today', async () => {
  const { db } = academy.database;
  const { id } = await makeCourseDate(db, { course: 'threat-hunting', startsOn: '2025-11-04' });
  const date = db.updateTable('course_dates').where('id', '=', id);
  await date.set({ zone: 'Australia/Sydney', delivery: 'both', venue: 'Sydney' }).execute();
  const inWeeks = (text: string) => text.replace(/^.*Next six weeks/, '').includes('Threat Hunting');
  academy.setNow(at('2025-11-03T22:59'));
  expect(inWeeks(await start('owner'))).toBe(true);
  academy.setNow(at('2025-11-03T23:30'));
  const late = await start('owner');
  expect(late).toContain('tomorrow, 9:00 AM in Sydney');
  expect(inWeeks(late)).toBe(false);
  await date.set({ state: 'cancelled' }).execute();
});

test('the next six weeks tell how full each date is, what has to be decided, and where nothing starts', async () => {
  const html = (await (await staff.owner.get('/staff')).text()).replaceAll('<!-- -->', '');
  expect(html).toContain('<title>1 of 30 seats sold, minimum 2 not reached; one straw is 2 seats</title>');
  expect(html).toContain('<title>1 of 1 seats sold, minimum 1 reached</title>');
  const text = (await start('owner')).replace(/^.*Next six weeks/, '');
  expect(text).toContain('2 course dates , 2 of 31 seats');
  expect(text).toMatch(/22 Sept CISSP Online .*1 \/ 30 Decide today/);
  expect(text).toMatch(/13 Oct CISSP Online .*1 \/ 1 Full/);
  expect(text).toContain("6 Oct Nothing starts. Mon 6 Oct: King's Birthday");
  expect(text).not.toContain('1 Dec');
});

test('a week with many dates leads to all of them, and the next weeks keep theirs', async () => {
  academy.setNow(at('2025-09-08T09:00'));
  const { db } = academy.database;
  const made: number[] = [];
  for (let count = 0; count < 13; count++) {
    made.push((await makeCourseDate(db, { course: 'threat-hunting', startsOn: '2025-09-29' })).id);
  }
  const html = (await (await staff.owner.get('/staff')).text()).replaceAll('<!-- -->', '');
  const text = (await start('owner')).replace(/^.*Next six weeks/, '');
  expect(text).toMatch(/^ ?more than \d+ course dates All dates/);
  expect(text).toMatch(/29 Sept Threat Hunting.*All dates of this week 6 Oct Nothing starts.*13 Oct CISSP/);
  const list = /href="(\/staff\/course-dates\?starts-from=2025-09-29[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const listed = await mainText(await staff.owner.get(list ?? ''));
  expect(listed.match(/29 Sept/g)?.length).toBeGreaterThanOrEqual(13);
  await db.updateTable('course_dates').set({ state: 'cancelled' }).where('id', 'in', made).execute();
});

test('money due: this week, up to 14 days late, and later; an undecided date is not due', async () => {
  // Two enrolments with three places and one with one, AU$5,499 each, due 14 days after 8 September.
  const sums = async (day: string) => {
    academy.setNow(at(`${day}T09:00`));
    const text = await start('owner');
    return text.slice(text.indexOf('Due this week'), text.indexOf('Refunds to send')).trim();
  };
  const none = '0 AU$0.00';
  const all = '3 AU$21,996.00';
  const told = (week: string, late: string, long: string) =>
    `Due this week ${week} 1 to 14 days late ${late} Over 14 days late ${long}`;
  expect(await sums('2025-09-14')).toBe(told(none, none, none));
  expect(await sums('2025-09-22')).toBe(told(all, none, none));
  expect(await sums('2025-09-23')).toBe(told(none, all, none));
  expect(await sums('2025-10-06')).toBe(told(none, all, none));
  expect(await sums('2025-10-07')).toBe(told(none, none, all));
});

test('each figure about money leads to a list with as many payments and the same sum; a person can be in several', async () => {
  academy.setNow(at('2025-09-22T09:00'));
  const { db } = academy.database;
  // Of one enrolment of AU$10,998 a part is late, and another is due this week.
  const { id, number } = await db
    .selectFrom('tax_invoices')
    .select(['enrolment_id as id', 'number'])
    .orderBy('number')
    .executeTakeFirstOrThrow();
  const agree = (position: number, due_on: string, amount_cents: number) => ({
    ...{ enrolment_id: id ?? 0, debt: number, position, due_on, amount_cents },
    ...{ agreed_at: at('2025-09-08T09:00'), agreed_by: staff.owner.id },
  });
  const agreed = [agree(1, '2025-09-03', 99_800), agree(2, '2025-09-20', 100_000), agree(3, '2025-09-26', 900_000)];
  await db.insertInto('instalments').values(agreed).execute();
  const html = await (await staff.owner.get('/staff')).text();
  const money = html.slice(html.indexOf('Due this week'), html.indexOf('Refunds to send'));
  const figures = [...money.matchAll(/<a[^>]*href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
  const shown = figures.map(([, , text]) => text);
  expect(shown).toEqual(['3', 'AU$19,998.00', '1', 'AU$1,000.00', '1', 'AU$998.00']);
  for (const [at, [, to = '', text = '']] of figures.entries()) {
    const list = await mainText(await staff.owner.get(to.replaceAll('&amp;', '&')));
    expect(list).toContain(at % 2 === 0 ? `${text} payment` : `${text} together`);
  }
  await db.deleteFrom('instalments').execute();
});

test('mail that came back is counted, and listed by who did not get it', async () => {
  const { db } = academy.database;
  const { id, recipient } = await db
    .selectFrom('mails')
    .select(['id', 'recipient'])
    .where('kind', '=', 'enrolment-placed')
    .orderBy('queued_at')
    .executeTakeFirstOrThrow();
  const failed = { state: 'failed', reason: 'mailbox full', settled_at: at('2025-09-08T08:00') } as const;
  await db.updateTable('mails').set(failed).where('id', '=', id).execute();
  const text = await start('owner');
  expect(text).toMatch(/Came back 1 /);
  expect(text).toContain(`Tue, 6:00 PM Mail came back ${recipient} `);
});

test('a course that somebody waits for and that has no date in 90 days is named', async () => {
  expect(await start('owner')).not.toContain('no date to enrol in for 90 days');
  const { db } = academy.database;
  const course = await db.selectFrom('courses').select('id').where('slug', '=', 'cism').executeTakeFirstOrThrow();
  await db
    .insertInto('waiting_entries')
    .values({
      ...{ course_id: course.id, email: 'helen@example.org', mailbox: 'helen@example.org', name: 'Helen Vass' },
      ...{ reference: 'BB-HEVASS', seats: 2, joined_at: at('2025-09-01T09:00'), confirmed_at: at('2025-09-01T09:00') },
    })
    .execute();
  // Its date of 1 December is 84 days ahead; a week earlier it was 91.
  expect(await start('owner')).not.toContain('no date to enrol in for 90 days');
  academy.setNow(at('2025-09-01T09:00'));
  expect(await start('owner')).toMatch(/On sale, but no date to enrol in for 90 days: .*CISM.* \(2 waiting\)/);
});

test('P48: seats that are waited for are the same on each page: only those of confirmed addresses', async () => {
  academy.setNow(at('2025-09-09T09:00'));
  const { db } = academy.database;
  const date = await makeCourseDate(db, { startsOn: '2025-09-29' });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', date.id)
    .executeTakeFirstOrThrow();
  const entry = (reference: string, seats: number, confirmed_at: Date | null) => ({
    ...{ course_id: date.courseId, course_date_id: date.id, joined_at: at('2025-09-08T09:00'), name: 'Ada' },
    ...{ email: `${reference}@example.org`, mailbox: `${reference}@example.org`, reference, seats, confirmed_at },
  });
  await db
    .insertInto('waiting_entries')
    .values([entry('BB-WAAAAA', 2, at('2025-09-08T09:00')), entry('BB-WBBBBB', 7, null)])
    .execute();
  const of = async (path: string, seen: RegExp) => (await mainText(await staff.owner.get(path))).match(seen)?.[0];
  expect(await of('/staff', /\d+ waiting/)).toBe('2 waiting');
  const listed = /1 entry *, 2 seats *, 1 not confirmed yet/;
  expect(await of('/staff/waiting', /\d+ entry.*not confirmed yet/)).toMatch(listed);
  expect(await of(`/staff/course-dates/${slug}`, /\d+ seats? (?:is|are) wanted/)).toBe('2 seats are wanted');
  await db.deleteFrom('waiting_entries').where('course_date_id', '=', date.id).execute();
});

test('each role sees what it may read: a reader everything without acts, an editor dates, an instructor their classes', async () => {
  const reader = await start('reader');
  for (const section of ['Classes today', 'Needs a person', 'Next six weeks', 'Due this week', 'Came back']) {
    expect(reader.includes(section), section).toBe(true);
  }
  const acts = async (role: Role) => {
    const text = await start(role);
    return ['Course date', 'Enrol by hand'].filter((act) => text.includes(` ${act} `));
  };
  expect([await acts('reader'), await acts('admissions')]).toEqual([[], ['Course date', 'Enrol by hand']]);

  const editor = await start('editor');
  for (const [section, seen] of [
    ['Classes today', true],
    ['Next six weeks', true],
    ['To decide', true],
    ['Due this week', false],
    ['Came back', false],
    ['Mark attendance', false],
    ['not seen yet', false],
    // They do not see whether mails went out, so nothing is said about that.
    ['Online, link', false],
    ['Percy Shelley', false],
    ['J CITIZEN', false],
    ['AU$', false],
  ] as const) {
    expect([section, editor.includes(section)]).toEqual([section, seen]);
  }

  // Who only teaches begins in the class of the day. The first page is theirs on other days.
  const begins = await staff.instructor.get('/staff');
  expect([begins.status, begins.headers.get('Location')]).toEqual([302, `/staff/classes/${slugs.running}`]);
  const first = await staff.instructor.get('/staff/today');
  expect([first.status, await mainText(first)]).toEqual([200, expect.stringContaining('My classes')]);
  academy.setNow(at('2025-09-07T08:42'));
  const free = await staff.instructor.get('/staff');
  expect([free.status, free.headers.get('Location')]).toEqual([302, '/staff/today']);
  const own = await (await staff.instructor.get('/staff/today')).text();
  expect(own.includes(slugs.running)).toBe(true);
  for (const slug of [slugs.undecided, slugs.full, slugs.other]) expect(own.includes(slug), slug).toBe(false);
  const instructor = await mainText(await staff.instructor.get('/staff/today'));
  expect(instructor).toContain('My classes');
  expect(instructor).toContain('3 of 6');
  expect(instructor).toContain('No exercise waits to be marked.');
  for (const hidden of ['AU$', 'Percy Shelley', 'Needs a person', 'Came back', 'Enrol by hand']) {
    expect(instructor.includes(hidden), hidden).toBe(false);
  }
});

test('a day without classes and without anything to do says so, and what comes next', async () => {
  academy.setNow(at('2025-09-20T09:00'));
  const { db } = academy.database;
  await db.updateTable('enquiries').set({ state: 'closed' }).execute();
  await db.deleteFrom('payments').execute();
  await db.updateTable('mails').set({ state: 'sent' }).where('state', '=', 'failed').execute();
  await db.updateTable('attendees').set({ name: 'Ada Byron' }).execute();
  await db
    .updateTable('course_dates')
    .set({ state: 'confirmed', decided_by: null })
    .where('slug', '=', slugs.undecided)
    .execute();
  await db.updateTable('course_dates').set({ held_anyway_at: new Date() }).execute();
  const text = await start('owner');
  expect(text).toContain('No class is on today. The next is CISSP , Wed 24 Sept .');
  expect(text).toContain('Nobody waits for an answer, and there is nothing to decide.');
});
