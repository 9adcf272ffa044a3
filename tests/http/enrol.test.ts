import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelCourseDate } from '#app/features/course-dates/commands.server.ts';
import { holdSeats, lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { expireDraftsDaily } from '#app/features/enrolments/enrolling/drafts.server.ts';
import { draftRecords } from '#app/features/enrolments/enrolling/personal-records.server.ts';
import { listEnquiries } from '#app/features/inbox/enquiries/queries.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';

let academy: AcademyApp;
const opening = new Date('2025-09-08T09:00:00+10:00');
const minutes = (count: number) => new Date(opening.getTime() + count * 60_000);
let addresses = 0;
/** Each test is a visitor of its own, unless it says so. */
const somebody = () => visitor(academy, `198.51.100.${++addresses}`);
const melbourne = { 'way-cissp': 'course-date:cissp-melbourne' };
const seatsLeft = async () => {
  const { left } = await academy.database.db
    .selectFrom('course_dates')
    .select((eb) =>
      eb('capacity', '-', (movements) =>
        movements
          .selectFrom('seat_movements')
          .select((sum) => sum.fn.coalesce(sum.fn.sum<number>('seats'), sum.lit(0)).as('taken'))
          .whereRef('course_date_id', '=', 'course_dates.id'),
      ).as('left'),
    )
    .where('slug', '=', 'cissp-melbourne')
    .executeTakeFirstOrThrow();
  return Number(left);
};

beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(opening));

const location = (response: Response) => response.headers.get('Location') ?? '';
const stepOf = (response: Response) => location(response).replace(/^\/enrol\/[0-9a-f]{48}\/?/, '');

test('P28: two places on a date, paid by an organisation, from choosing to done without JavaScript', async () => {
  const { get, post, read, send, choose, code, place } = somebody();
  const before = await seatsLeft();
  const draft = await choose('courseDate=cissp-melbourne', { attendees: '2', ...melbourne });
  expect(await seatsLeft()).toBe(before - 2);
  const who = await get(`${draft}/payer`);
  expect(who.headers.get('Cache-Control')).toBe('no-store');
  expect(who.headers.get('X-Robots-Tag')).toContain('noindex');
  const text = await mainText(who);
  for (const fact of [
    'We hold your seats until 9:15 AM',
    'AU$10,998',
    'GST included AU$999.82',
    '27 to 31 October',
    'To pay today AU$0',
  ])
    expect(text).toContain(fact);

  const payer = {
    buyerName: 'Ada Byron',
    email: 'ada@example.com',
    payer: 'organisation',
    organisation: 'Engines Pty Ltd',
    abn: '51 824 753 556',
    purchaseOrder: 'PO 4711',
    accountsEmail: 'accounts@example.com',
    ...{ self: 'on', 'name-2': 'Mary', 'under18-2': 'on', 'guardianName-2': 'Jane', 'needs-2': 'Captions' },
  };
  expect(stepOf(await post(`${draft}/payer`, payer))).toBe('review');

  const review = await read(`${draft}/review`);
  const typed = [
    'Ada Byron ada@example.com',
    'Mary',
    'Captions',
    'guardian: Jane',
    'Engines Pty Ltd',
    '51 824 753 556',
  ];
  for (const fact of [
    ...typed,
    'PO 4711',
    'accounts@example.com',
    'Until Monday 13 October Now AU$10,998 back AU$5,499 each Until Monday 20 October AU$5,499 back',
    'From Tuesday 21 October No refund',
    'We are sending six digits to ada@example.com',
    'Enrol, pay once confirmed',
    'This makes a contract for AU$10,998 incl. GST.',
  ])
    expect(review).toContain(fact);
  const signed = { accepted: 'on', intent: 'place', code: await code('ada@example.com') };
  const placed = await send(`${draft}/review`, signed);
  expect(placed.status).toBe(303);
  const done = await read(location(placed));
  expect(done).toContain('We email everyone who attends how to join before the first day.');
  for (const fact of ['You are enrolled', 'ada@example.com', 'accounts@example.com', 'AU$10,998', 'Ada Byron and Mary'])
    expect(done).toContain(fact);
  // P49: the entry of the buyer's own place, with the UID that the mail's has.
  const { db } = academy.database;
  const calendar = /href="(\/enrolment\/[0-9a-f]{48}\/place\/\d+\/calendar\.ics)"/;
  const [, file = ''] = calendar.exec(await (await get(location(placed))).text()) ?? [];
  const mailed = await db
    .selectFrom('mails')
    .select('calendar')
    .where('recipient', '=', 'ada@example.com')
    .where('kind', '=', 'enrolment-placed')
    .executeTakeFirstOrThrow();
  const uid = /^UID:(.*)$/m.exec(await (await get(file)).text())?.[1]?.trim();
  expect(JSON.stringify(mailed.calendar)).toContain(`UID:${uid}`);

  // The same button again, and a tab that stayed open.
  expect(stepOf(await place(draft))).toBe('done');
  // Read again, the page still has its buttons.
  for (const button of ['Open your enrolment', '(PDF)']) expect(await read(`${draft}/done`)).toContain(button);
  expect(stepOf(await post(`${draft}/payer`, payer))).toBe('done');
  expect(await seatsLeft()).toBe(before - 2);
  const rows = await db.selectFrom('enrolments').select(['organisation', 'abn', 'purchase_order']).execute();
  expect(rows).toEqual([{ organisation: 'Engines Pty Ltd', abn: '51824753556', purchase_order: 'PO 4711' }]);
  expect(await db.selectFrom('attendees').select(['name', 'email', 'guardian_name']).orderBy('id').execute()).toEqual([
    { name: 'Ada Byron', email: 'ada@example.com', guardian_name: null },
    { name: 'Mary', email: null, guardian_name: 'Jane' },
  ]);
  // P50: the code proved the buyer's address.
  const proved = db.selectFrom('person_emails').select('verified_at').where('email', '=', 'ada@example.com');
  expect(await proved.executeTakeFirst()).toEqual({ verified_at: academy.now() });
});

test('P38: a combo takes each course in its own way, and explains its discount from the first step', async () => {
  const { get, read, choose, post, fillIn, place } = somebody();
  const first = await read('/enrol?combo=cloud-defender');
  for (const fact of ['Combo −30%', 'AU$6,367', 'off AU$9,097', 'AWS Certified Cloud Practitioner'])
    expect(first).toContain(fact);
  const html = await (await get('/enrol?combo=cloud-defender')).text();
  const offered = [...html.matchAll(/name="way-([^"]+)" value="next-date"/g)];
  const slugs = [...new Set(offered.map(([, slug = '']) => slug))];
  expect(slugs.length).toBeGreaterThan(1);
  const [guided = '', ...later] = slugs;
  const ways = Object.fromEntries(later.map((slug) => [`way-${slug}`, 'next-date']));
  const draft = await choose('combo=cloud-defender', {
    ...ways,
    [`way-${guided}`]: 'guided',
    [`monday-${guided}`]: '2025-09-15',
  });
  await fillIn(draft, 'grace@example.com');
  const review = await read(`${draft}/review`);
  expect(review).toContain('A combo is cancelled as a whole.');
  expect(review).toContain('Guided, from Monday 15 September 2025');
  expect(review).toContain('On the list for the next date');
  expect(review).toContain('AU$6,367');
  expect((await post(`${draft}/review`, { intent: 'place', of: '1', accepted: 'on' })).status).toBe(409);
  expect((await place(draft)).status).toBe(303);
});

test('P31: the last step says how many places a combo for two people makes', async () => {
  const { get, read, choose, fillIn } = somebody();
  const html = await (await get('/enrol?combo=cloud-defender')).text();
  const slugs = new Set([...html.matchAll(/name="way-([^"]+)" value="guided"/g)].map(([, slug = '']) => slug));
  const ways = [...slugs].flatMap((slug) => [
    [`way-${slug}`, 'guided'],
    [`monday-${slug}`, '2025-09-15'],
  ]);
  const draft = await choose('combo=cloud-defender', { attendees: '2', ...Object.fromEntries(ways) });
  await fillIn(draft, 'two@example.com');
  expect(await read(`${draft}/review`)).toContain(`The ${2 * slugs.size} places are yours at once.`);
});

test('a step with errors is stored too, and is there when the buyer comes back', async () => {
  const { post, get, choose } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  const wrong = {
    ...{ buyerName: 'Ada', email: 'ada at home', payer: 'organisation', organisation: '', abn: '12345678901' },
    ...{ 'name-1': 'Tom', 'under18-1': 'on' },
  };
  const payer = await post(`${draft}/payer`, wrong);
  const text = await mainText(payer);
  const faults = ['Enter an email address such as', 'Enter the organisation', 'not a valid ABN', 'parent or guardian.'];
  // All at once, in the order of the fields.
  expect(faults.map((fault) => text.indexOf(fault)).every((at, index, all) => at > (all[index - 1] ?? 0))).toBe(true);
  expect(payer.status).toBe(400);
  const again = await (await get(`${draft}/payer`)).text();
  for (const value of ['ada at home', '12345678901', 'Tom']) expect(again).toContain(`value="${value}"`);
  // Going back stores what was typed, without asking for the rest.
  expect(stepOf(await post(`${draft}/payer`, { buyerName: 'Ada B.', intent: 'back' }))).toBe('');
  expect(await (await get(`${draft}/payer`)).text()).toContain('value="Ada B."');
});

test('a step cannot be opened before the earlier ones, and an invalid link shows nothing', async () => {
  const { get, choose } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  expect(stepOf(await get(`${draft}/review`))).toBe('payer');
  const forged = draft.replace(/.{4}$/, '0000');
  for (const path of [
    forged,
    `${forged}/payer`,
    `${forged}/review`,
    `${forged}/done`,
    `${draft}/done`,
    `${forged}/request`,
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test('P31: the last step shows the rules of the ways that were chosen, and no others', async () => {
  const rulesOf = async (course: string, fields: Record<string, string>) => {
    const { post, choose, read } = somebody();
    const draft = await choose(`course=${course}`, fields);
    await post(`${draft}/payer`, { buyerName: 'Ada', email: 'rules@example.com', payer: 'person' });
    return read(`${draft}/review`);
  };
  const ofCourseDates = ['Within 24 hours', 'One move to another date', 'If we cancel or move a date'];
  const guided = await rulesOf('cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  for (const rule of ofCourseDates) expect(guided).not.toContain(rule);
  expect(guided).toContain('You may give a place to somebody else, free, until its first day, or its first module.');
  expect(guided).not.toContain('A combo is');
  const online = { 'way-comptia-security-plus': 'course-date:security-plus-online' };
  const dated = await rulesOf('comptia-security-plus', online);
  for (const rule of ofCourseDates) expect(dated).toContain(rule);
});

test('P31: terms have to be accepted as the page showed them, and again when the choice has changed', async () => {
  const { post, send, filled, choose, get, code, fillIn } = somebody();
  const draft = await choose('courseDate=cissp-melbourne', melbourne);
  await fillIn(draft, 'terms@example.com');
  const right = { intent: 'place', code: await code('terms@example.com') };
  const wrong = right.code === '000000' ? '000001' : '000000';
  const both = await mainText(await send(`${draft}/review`, { ...right, code: wrong }));
  for (const fault of ['This code does not match. 4 tries left.', 'Tick the box']) expect(both).toContain(fault);
  const accepted = await filled(`${draft}/review`, { ...right, accepted: 'on' });
  await post(draft, { item: 'course:cissp', attendees: '1', 'way-cissp': 'guided', 'monday-cissp': '2025-09-22' });
  const stale = await post(`${draft}/review`, accepted);
  const html = await stale.text();
  expect([stale.status, html.includes('have changed since'), html.includes('is confirmed')]).toEqual([409, true, true]);
  expect(html).not.toMatch(/<input[^>]*name="accepted"[^>]*checked/);
  // The code was right, so only the terms are asked for again.
  expect(await (await get(`${draft}/review`)).text()).not.toContain('name="code"');
  const unticked = await send(`${draft}/review`, { intent: 'place' });
  expect([unticked.status, await mainText(unticked)]).toEqual([400, expect.stringContaining('Tick the box')]);
  expect(stepOf(await send(`${draft}/review`, { intent: 'place', accepted: 'on' }))).toMatch(/^done/);
});

test('P28: after a wrong code the terms stay accepted and the fields filled, also when a new code is sent', async () => {
  const { send, choose, code, fillIn, get, read } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  await fillIn(draft, 'slip@example.com');
  const wrong = (await code('slip@example.com')) === '123456' ? '123457' : '123456';
  const refused = await send(`${draft}/review`, { accepted: 'on', code: wrong, intent: 'place' });
  const html = await refused.text();
  expect([refused.status, html.includes('This code does not match. 4 tries left.')]).toEqual([409, true]);
  expect(html).toMatch(/<input[^>]*id="accepted"[^>]*checked=""/);
  expect(html).toContain(`value="${wrong}"`);
  expect(await (await get(`${draft}/review`)).text()).toMatch(/<input[^>]*id="accepted"[^>]*checked=""/);
  academy.setNow(minutes(3));
  expect(stepOf(await send(`${draft}/review`, { accepted: 'on', intent: 'again' }))).toBe('review?code=again');
  const page = await get(`${draft}/review?code=again`);
  expect(await page.clone().text()).toMatch(/<input[^>]*id="accepted"[^>]*checked=""/);
  expect(await mainText(page)).toContain('We are sending six digits to slip@example.com');
  academy.setNow(minutes(19));
  expect(await read(`${draft}/review`)).toContain('The code for slip@example.com of 9:03 AM no longer works.');
});

test('P28: a code is tried five times and holds a quarter of an hour, three are sent in ten minutes, and another address needs its own', async () => {
  const { post, send, code, choose, read } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  const pay = async (email: string) =>
    stepOf(await post(`${draft}/payer`, { buyerName: 'Eve', email, payer: 'person' }));
  const enter = (typed: string) => send(`${draft}/review`, { intent: 'place', code: typed });
  expect(await pay('first@example.com')).toBe('review');
  const right = await code('first@example.com');
  // Going back and on again sends no second code while the first one works.
  expect(await pay('first@example.com')).toBe('review');
  expect(await code('first@example.com')).toBe(right);
  const wrong = right === '000000' ? '000001' : '000000';
  for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
    const refused = await enter(wrong);
    const told = `This code does not match. ${left} left.`;
    expect([refused.status, await mainText(refused)]).toEqual([409, expect.stringContaining(told)]);
  }
  for (const typed of [wrong, right]) expect(await mainText(await enter(typed))).toContain('This code no longer works');

  const again = async () => stepOf(await post(`${draft}/review`, { intent: 'again' }));
  expect(await again()).toBe('review?code=again');
  const second = await code('first@example.com');
  academy.setNow(minutes(9));
  expect(await again()).toBe('review?code=again');
  expect(await again()).toBe('review?code=network');
  academy.setNow(minutes(16));
  expect((await enter(second)).status).toBe(409);
  const confirmed = 'first@example.com is confirmed';
  expect(await mainText(await enter(await code('first@example.com')))).toContain(confirmed);

  expect(await pay('second@example.com')).toBe('review?code=changed');
  const changed = await read(`${draft}/review?code=changed`);
  expect(changed).toContain('You changed your email address, so we sent a new code to the new address.');
  expect(await mainText(await enter(await code('first@example.com')))).toContain('does not match');
  expect(await mainText(await enter(await code('second@example.com')))).toContain('second@example.com is confirmed');
});

test('P25: the last button pressed twice at once uses the code once, and is one enrolment', async () => {
  const { filled, post, choose, code, fillIn } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  await fillIn(draft, 'twice@example.com');
  const signed = { accepted: 'on', intent: 'place', code: await code('twice@example.com') };
  const fields = await filled(`${draft}/review`, signed);
  const both = await Promise.all([post(`${draft}/review`, fields), post(`${draft}/review`, fields)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  for (const answer of both) expect(stepOf(answer)).toMatch(/^done/);
  const made = academy.database.db.selectFrom('enrolments').select('id').where('email', '=', 'twice@example.com');
  expect(await made.execute()).toHaveLength(1);
});

test('P93: drafts of before go on: steps that are gone lead on, what their open pages send is kept', async () => {
  const { db } = academy.database;
  const { get, post, choose, read, code, fillIn } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  const of = { attendees: 'payer', terms: 'payer', code: 'payer' };
  for (const [step, now] of Object.entries(of)) {
    const first = await get(`${draft}/${step}`);
    expect([step, first.status]).toEqual([step, 303]);
    const then = await get(location(first));
    expect(stepOf(then) || stepOf(first)).toBe(now);
  }
  expect((await get(`${draft}/nothing`)).status).toBe(404);
  const page = { 'name-1': 'Tom', 'email-1': 'tom@example.com', intent: 'next' };
  expect(stepOf(await post(`${draft}/attendees`, page))).toBe('payer');
  expect(await (await get(`${draft}/payer`)).text()).toContain('value="Tom"');
  await fillIn(draft, 'before@example.com', { self: '', 'name-1': 'Tom' });
  for (const step of ['terms', 'code']) {
    expect(stepOf(await get(`${draft}/${step}`))).toBe('review');
    expect(stepOf(await post(`${draft}/${step}`, { accepted: 'on', code: '1' }))).toBe('review');
  }
  // As the release before stored it: a step each, the terms accepted, the address confirmed; its review was open.
  const html = await (await get(`${draft}/review`)).text();
  const accepted = { accepted: 'on', of: /name="of" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') };
  const { typed, id } = await db
    .selectFrom('enrolment_drafts')
    .select(['typed', 'id'])
    .where('confirmed_email', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const { payer, choice } = typed as Record<string, Record<string, string>>;
  const { 'name-1': name = '', ...pays } = payer ?? {};
  const before = JSON.stringify({ choice, payer: pays, attendees: { 'name-1': name }, terms: accepted });
  await db
    .updateTable('enrolment_drafts')
    .set({ typed: before, confirmed_email: 'before@example.com' })
    .where('id', '=', id)
    .execute();
  const review = await read(`${draft}/review`);
  for (const fact of ['Tom', 'before@example.com is confirmed']) expect(review).toContain(fact);
  expect(stepOf(await post(`${draft}/review`, { intent: 'place', shown: '549900' }))).toMatch(/^done/);
  expect(await code('before@example.com')).toMatch(/^\d{6}$/);
});

test('P27: seats held run out, are held again by the next step half an hour later while few are left, and are extended ten times at most', async () => {
  const { post, read, choose } = somebody();
  const free = await seatsLeft();
  const who = { buyerName: 'Kept', email: 'kept@example.com', payer: 'person' };
  const draft = await choose('courseDate=cissp-melbourne', melbourne);
  academy.setNow(minutes(14));
  expect(stepOf(await post(`${draft}/payer`, { intent: 'keep', 'name-1': 'Kept' }))).toBe('payer');
  const kept = await read(`${draft}/payer`);
  expect(kept).toContain('We hold your seats until 9:29 AM');
  for (let time = 0; time < 12; time++) await post(`${draft}/payer`, { intent: 'keep', 'name-1': 'Kept' });
  academy.setNow(minutes(30));
  expect(await read(`${draft}/payer`)).toContain('Your seats are no longer held');
  expect(stepOf(await post(`${draft}/payer`, who))).toBe('review');
  // Few are left on a date of six, so nobody is kept from them by what was held and not bought.
  expect(await read(`${draft}/review`)).toContain('We can hold them again from 9:59 AM');
  expect(await seatsLeft()).toBe(free);
  academy.setNow(minutes(61));
  expect(stepOf(await post(`${draft}/payer`, who))).toBe('review');
  expect(await read(`${draft}/review`)).toContain('We hold your seats until 10:16 AM');
  expect(await seatsLeft()).toBe(free - 1);
  // Another number of seats takes the place of what was held.
  await post(draft, { item: 'course:cissp', attendees: '2', ...melbourne });
  expect(await seatsLeft()).toBe(free - 2);
  await post(draft, { item: 'course:cissp', attendees: '1', 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  expect(await seatsLeft()).toBe(free);
});

test('P27: when others took the seats, the next step says so and keeps everything; a full date is refused in words', async () => {
  const [slow, quick, late] = [somebody(), somebody(), somebody()];
  const free = await seatsLeft();
  const draft = await slow.choose('courseDate=cissp-melbourne', melbourne);
  academy.setNow(minutes(20));
  await quick.choose('courseDate=cissp-melbourne', { attendees: String(free), ...melbourne });
  const gone = await slow.post(`${draft}/payer`, { 'name-1': 'Slow' });
  expect(stepOf(gone)).toBe('?seats=gone');
  const text = await slow.read(location(gone));
  expect(text).toContain('other people have taken them');
  const waits = await slow.post(draft, { item: 'course:cissp', attendees: '2', 'way-cissp': 'next-date' });
  expect(location(waits)).toBe('/waiting-list?course=cissp&seats=2');
  expect(await (await slow.get(`${draft}/payer`)).text()).not.toContain('Unexpected');

  const full = await late.post('/enrol', await late.filled('/enrol?course=cissp', { attendees: '3', ...melbourne }));
  expect(full.status).toBe(409);
  const refused = await full.text();
  expect(refused).toContain('27 to 31 October 2025 is full. 4 seats are held for people who are enrolling');
  expect(refused).toContain('name="attendees" checked="" value="3"');
});

test('P27: at most twelve seats are held for one network address', async () => {
  const one = somebody();
  const courseDates = (
    await academy.database.db.selectFrom('course_dates').select('slug').orderBy('capacity', 'desc').execute()
  ).map(({ slug }) => slug);
  const chosen: number[] = [];
  for (const slug of courseDates.slice(0, 3)) {
    const course =
      /name="item" value="course:([^"]+)"/.exec(await (await one.get(`/enrol?courseDate=${slug}`)).text())?.[1] ?? '';
    const fields = await one.filled(`/enrol?courseDate=${slug}`, {
      attendees: '5',
      [`way-${course}`]: `course-date:${slug}`,
    });
    const response = await one.post('/enrol', fields);
    chosen.push(response.status);
    if (response.status === 409) expect(await mainText(response)).toContain('12 people at once from one network');
  }
  expect(chosen).toEqual([303, 303, 409]);
});

test('P25: the same first form sent twice is one draft with one hold', async () => {
  const { post, filled } = somebody();
  academy.setNow(minutes(60));
  const fields = await filled('/enrol?courseDate=cissp-melbourne', { attendees: '1', ...melbourne });
  const [one, two] = [await post('/enrol', fields), await post('/enrol', fields)];
  expect(location(one)).toBe(location(two));
  const holds = academy.database.db
    .selectFrom('seat_holds')
    .select(['seats', 'ended'])
    .where('made_at', '=', academy.now());
  expect(await holds.execute()).toEqual([{ seats: 1, ended: null }]);
  const forged = await post('/enrol', { ...fields, form: 'x.y.z' });
  expect([forged.status, await mainText(forged)]).toEqual([403, expect.stringContaining('still below')]);
});

test('P16: the price first seen holds for the visit, not a forged one, and not when the visit is over', async () => {
  const { get, post, filled, read, fillIn } = somebody();
  academy.setNow(new Date('2025-09-11T20:00:00+10:00'));
  const html = await (await get('/enrol?combo=cloud-defender')).text();
  const slugs = [...new Set([...html.matchAll(/name="monday-([^"]+)"/g)].map(([, slug = '']) => slug))];
  expect(slugs).toHaveLength(3);
  const ways = slugs.flatMap((slug) => [
    [`way-${slug}`, 'guided'],
    [`monday-${slug}`, '2025-09-22'],
  ]);
  const fields = { ...Object.fromEntries(ways), attendees: '1' };
  const seen = await filled('/enrol?combo=cloud-defender', fields);
  // The promotion ends between the page and its form.
  academy.setNow(new Date('2025-09-12T05:00:00+10:00'));
  const later = await filled('/enrol?combo=cloud-defender', fields);
  const draftOf = (response: Response) => location(response).replace('/payer', '');
  const draft = draftOf(await post('/enrol', seen));
  expect(await read(`${draft}/payer`)).toContain('AU$6,367');
  const forged = draftOf(await post('/enrol', { ...later, seen: (seen.seen ?? '').replace(/^.{4}/, 'AAAA') }));
  expect(await read(`${forged}/payer`)).toContain('AU$9,097');
  await fillIn(draft, 'visit@example.com');
  expect(await read(`${draft}/review`)).toContain('Total AU$6,367');
  academy.setNow(new Date('2025-09-12T20:01:00+10:00'));
  expect(await read(`${draft}/payer`)).toContain('AU$9,097');
  expect(await read(`${draft}/review`)).toContain('Total AU$9,097');
});

test.each(['payer', 'review', 'choice'])(
  'P28: a draft opened again days later at its %s has the price that this page showed, also when a promotion ends then',
  async (page) => {
    const { get, post, filled, read, fillIn } = somebody();
    academy.setNow(new Date('2025-09-09T16:00:00+10:00'));
    const html = await (await get('/enrol?combo=cloud-defender')).text();
    const slugs = [...new Set([...html.matchAll(/name="monday-([^"]+)"/g)].map(([, slug = '']) => slug))];
    const ways = slugs.flatMap((slug) => [
      [`way-${slug}`, 'guided'],
      [`monday-${slug}`, '2025-09-22'],
    ]);
    const fields = { ...Object.fromEntries(ways), attendees: '1' };
    const chosen = await post('/enrol', await filled('/enrol?combo=cloud-defender', fields));
    const draft = location(chosen).replace('/payer', '');
    await fillIn(draft, `second-visit-${page}@example.com`);
    const { changed_at } = await academy.database.db
      .selectFrom('enrolment_drafts')
      .select('changed_at')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    academy.setNow(new Date('2025-09-11T20:00:00+10:00'));
    expect(await read(page === 'choice' ? draft : `${draft}/${page}`)).toContain('AU$6,367');
    // Reading a page does not keep what was typed any longer.
    const after = academy.database.db.selectFrom('enrolment_drafts').select('changed_at').orderBy('id', 'desc');
    expect((await after.executeTakeFirstOrThrow()).changed_at).toEqual(changed_at);
    academy.setNow(new Date('2025-09-12T05:00:00+10:00'));
    if (page === 'choice') await post(draft, await filled(draft, Object.fromEntries(ways)));
    expect(await read(`${draft}/review`)).toContain('Total AU$6,367');
    academy.setNow(new Date('2025-09-12T20:01:00+10:00'));
    expect(await read(`${draft}/review`)).toContain('Total AU$9,097');
  },
);

test.each([
  ['a job-guarantee programme', null, '1', 'begins with an agreement'],
  ['more than six people', 'cissp', '7', 'For this many seats'],
])('P28: %s is a request to staff, which says so and carries what was chosen', async (_, named, attendees, words) => {
  const { get, choose, read, filled, post } = somebody();
  const programmes = await (await get('/courses?category=job-guarantee')).text();
  const course =
    named ?? /href="\/course\/([a-z0-9-]+)"/.exec(programmes.slice(programmes.indexOf('<main')))?.[1] ?? '';
  const way = attendees === '7' ? 'course-date:cissp-melbourne' : 'next-date';
  const draft = await choose(`course=${course}`, { attendees, [`way-${course}`]: way });
  const text = await read(`${draft}/request`);
  expect(text).toContain('This is a request, not an enrolment');
  expect(text).toContain(words);
  expect(stepOf(await get(`${draft}/payer`))).toBe('request');
  const fields = await filled(`${draft}/request`, {
    firstName: 'Ada',
    lastName: 'Byron',
    email: `${course}@example.com`,
    payer: 'myself',
  });
  academy.setNow(minutes(1));
  const sent = await post(`${draft}/request`, fields);
  expect(location(sent)).toMatch(/^\/sent\/BB-/);
  expect(await read(location(sent))).toContain('This is not an enrolment yet');
  const { details } = (await listEnquiries(academy.database.db)).at(-1) ?? {};
  expect(details).toMatchObject({ item: `course:${course}`, attendees: Number(attendees), ways: expect.any(String) });
});

test('P39: a date cancelled during the review answers the button with the reason, also once no page offers it any more', async () => {
  const { db } = academy.database;
  const { read, choose, fillIn, post, filled } = somebody();
  const courseDate = await makeCourseDate(db, { course: 'cissp', startsOn: '2025-12-01' });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const known = () => academy.services.snapshot.current().courseDates.find((one) => one.slug === slug);
  await until(() => known() !== undefined);
  const draft = await choose(`courseDate=${slug}`, { 'way-cissp': `course-date:${slug}` });
  await fillIn(draft, 'too-late@example.com');
  const button = await filled(`${draft}/review`, { intent: 'place' });
  const moment = { now: opening, today: '2025-09-08' };
  await db.transaction().execute(async (trx) => {
    const locked = (await lockCourseDates(trx, [courseDate.id], moment.now)).get(courseDate.id);
    expect(locked && (await cancelCourseDate(trx, locked, { ...moment, actor: theProgram }))).toEqual({ ok: true });
  });
  await until(() => known()?.state === 'cancelled');
  const pressed = await post(`${draft}/review`, button);
  expect(pressed.status).toBe(409);
  const why = 'the date 1 to 5 December 2025 was cancelled. Please choose another date';
  expect(await mainText(pressed)).toContain(why);
  expect(await read(`${draft}/review`)).toContain(why);
  const step = await post(`${draft}/payer`, {});
  expect(location(step)).toBe(`${draft}?seats=lost`);
  expect(await read(location(step))).toContain('The date 1 to 5 December 2025 was cancelled.');
  expect(await db.selectFrom('enrolments').select('id').where('email', '=', 'too-late@example.com').execute()).toEqual(
    [],
  );
});

test('P31: a date that moves during the review is shown before it is sold', async () => {
  const { db } = academy.database;
  const { choose, fillIn, post, filled, code } = somebody();
  const first = await makeCourseDate(db, { course: 'aws-cloud-practitioner', startsOn: '2026-03-02' });
  const second = await makeCourseDate(db, { course: 'ccsp', startsOn: '2026-03-09' });
  const courseDates = () => academy.services.snapshot.current().courseDates;
  const known = ({ id }: { id: number }) => courseDates().find((courseDate) => courseDate.id === id);
  await until(() => known(first) !== undefined && known(second) !== undefined);
  const email = 'moved-meanwhile@example.com';
  const draft = await choose('combo=cloud-defender', {
    attendees: '1',
    'way-aws-cloud-practitioner': `course-date:${known(first)?.slug}`,
    'way-aws-security-specialty': 'next-date',
    'way-ccsp': `course-date:${known(second)?.slug}`,
  });
  await fillIn(draft, email);
  const button = async () => filled(`${draft}/review`, { intent: 'place', accepted: 'on', code: await code(email) });
  const moveTo = async (starts_on: string, ends_on: string) => {
    const changes = { starts_on, ends_on, enrolment_ends_on: starts_on };
    await db.updateTable('course_dates').set(changes).where('id', '=', second.id).execute();
    await until(() => known(second)?.startDate === starts_on);
  };
  const before = await button();
  await moveTo('2026-03-16', '2026-03-20');
  const moved = await post(`${draft}/review`, before);
  expect(moved.status).toBe(409);
  expect(await mainText(moved)).toContain('16 to 20 March 2026');
  expect(await db.selectFrom('enrolments').select('id').where('email', '=', email).execute()).toEqual([]);
});

test('P27: held seats are told apart from sold ones, with the time at which they are free again; offers without one', async () => {
  const { db } = academy.database;
  const one = somebody();
  const other = somebody();
  const courseDate = await makeCourseDate(db, { course: 'cissp', startsOn: '2025-12-08', capacity: 4 });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const known = () => academy.services.snapshot.current().courseDates.find((s) => s.slug === slug);
  await until(() => known() !== undefined);
  const way = { 'way-cissp': `course-date:${slug}` };
  const draft = await one.choose(`courseDate=${slug}`, { attendees: '3', ...way });
  await until(() => known()?.seatsAvailable === 1);
  const held =
    '3 seats are held for people who are enrolling, and free again by 9:15 AM Brisbane time if they don’t enrol.';
  const page = `/training-calendar/${slug}`;
  expect(await other.read(page)).toContain(held);
  expect(await other.read('/training-calendar')).toContain(held);
  expect(await other.read('/enrol?course=cissp')).toContain(held);
  // A visitor who holds seats sees them as theirs.
  expect(await one.read(draft)).not.toContain(held);
  const seats = await (await academy.request('/api/seats')).json();
  expect(seats.courseDates[slug]).toMatchObject({ seatsAvailable: 1, keptSeats: held });
  const refused = await other.post(
    '/enrol',
    await other.filled(`/enrol?courseDate=${slug}`, { attendees: '2', ...way }),
  );
  expect(refused.status).toBe(409);
  expect(await mainText(refused)).toContain(`has 1 seat left, and you asked for 2. ${held}`);

  // A quarter of an hour more moves the time.
  academy.setNow(minutes(5));
  await one.post(`${draft}/payer`, { intent: 'keep' });
  await until(async () => (await other.read(page)).includes('free again by 9:20 AM Brisbane time'));

  await db.transaction().execute(async (trx) => {
    const locked = (await lockCourseDates(trx, [courseDate.id], academy.now())).get(courseDate.id);
    if (!locked) throw new Error('no course date');
    const expiresAt = new Date(academy.now().getTime() + 72 * 3_600_000);
    await holdSeats(trx, { courseDate: locked, seats: 1, purpose: 'waiting-offer', at: academy.now(), expiresAt });
  });
  await until(() => known()?.seatsAvailable === 0);
  expect(await other.read(page)).toContain('This date is full.');
  expect(await other.read(page)).toContain('1 seat is offered to people on the waiting list.');
  expect(await other.read(`/enrol?courseDate=${slug}`)).toContain(
    'has no free seat now. 3 seats are held for people who are enrolling',
  );
});

test('P18: a buyer without a course searches the catalogue, and a result leads to its choice', async () => {
  const { get, read } = somebody();
  expect(await read('/enrol')).toContain('Dates to come');
  const found = await (await get('/enrol?search=ceh')).text();
  expect(found).toMatch(/href="\/enrol\?course=[a-z0-9-]+"/);
  expect(await read('/enrol?search=zzzz')).toContain('Nothing matches “zzzz”');
  const near = await (await get('/enrol?search=pyhton')).text();
  expect(near).toMatch(/Nothing matches “pyhton” exactly; \d+ courses come close/);
  expect(near).toContain('Programming Foundations with Python');
  expect(await read('/enrol?course=nothing-of-the-kind')).toContain('We do not offer what this address names');
});

test('the private link is mailed only when asked for, three times from here, and the typed text is stored with it', async () => {
  const { get, post, read, choose } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  const ask = { intent: 'link', linkEmail: 'later@example.com', 'name-1': 'Later' };
  expect(stepOf(await post(`${draft}/payer`, ask))).toBe('payer?link=sent');
  expect(stepOf(await post(`${draft}/payer`, ask))).toBe('payer?link=sent');
  expect(stepOf(await post(`${draft}/payer`, ask))).toBe('payer?link=sent');
  expect(stepOf(await post(`${draft}/payer`, ask))).toBe('payer?link=too-many');
  expect(await read(`${draft}/payer?link=sent`)).toContain('on its way');
  const { db } = academy.database;
  const [mail, ...more] = await db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', 'later@example.com')
    .execute();
  expect([more.length, mail?.body_text.includes('/enrol/')]).toEqual([2, false]);
  // A link of its own, from where one goes on with what was typed.
  const link = /\/enrol\/[0-9a-f]{48}/.exec(await withLinks(db, mail?.body_text))?.[0] ?? '';
  expect(link).not.toBe(draft);
  expect(await (await get(`${link}/payer`)).text()).toContain('value="Later"');
  expect(stepOf(await post(`${link}/payer`, { intent: 'keep', 'name-1': 'Still later' }))).toBe('payer');
  expect(await (await get(`${draft}/payer`)).text()).toContain('value="Still later"');
});

test('drafts are erased seven days after the last change, and before that when their person asks', async () => {
  const { db } = academy.database;
  const { post, choose, get } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  await post(`${draft}/payer`, { 'name-1': 'Zoe', 'email-1': 'Zoe@example.com' });
  expect(await draftRecords.read(db, await findHeldPerson(db, 'zoe@EXAMPLE.com'))).toMatchObject([
    { typed: { payer: { 'name-1': 'Zoe' } } },
  ]);
  expect(await draftRecords.read(db, await findHeldPerson(db, 'nobody@example.com'))).toEqual([]);
  expect(await draftRecords.erase(db, await findHeldPerson(db, 'zoe@example.com'), new Date())).toEqual({ count: 1 });
  // She was to attend; whoever fills the form in goes on.
  expect(await (await get(`${draft}/payer`)).text()).not.toContain('Zoe');

  const other = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  // Sending the second form, if only to have the link mailed, keeps it for the seven days that the mail promises.
  await post(`${other}/payer`, { intent: 'link', linkEmail: 'kept@example.com' });
  const choiceOnly = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  const expire = async (days: number) => {
    await db.deleteFrom('daily_jobs').execute();
    return expireDraftsDaily(db, new Date(academy.now().getTime() + days * 86_400_000));
  };
  await expire(0.9);
  expect((await get(choiceOnly)).status).toBe(200);
  await expire(1.1);
  expect((await get(choiceOnly)).status).toBe(404);
  await expire(6.9);
  expect((await get(other)).status).toBe(200);
  expect(await expire(7.1)).toBeGreaterThan(0);
  expect((await get(other)).status).toBe(404);
});

test('P28: people with one email address are remarked on before the contract, and nobody is stopped', async () => {
  const { post, read, choose } = somebody();
  const draft = await choose('courseDate=cissp-melbourne', { ...melbourne, attendees: '3' });
  const people = {
    'name-2': 'Mary',
    'email-2': 'office@example.com',
    'name-3': 'Jane',
    'email-3': 'Office@example.com',
  };
  const payer = { buyerName: 'Ada Byron', email: 'shared@example.com', payer: 'person', self: 'on', ...people };
  expect(stepOf(await post(`${draft}/payer`, payer))).toBe('review');
  expect(await read(`${draft}/review`)).toContain('Mary and Jane have the same email address.');
});

test('P28: the page says "we sent" of a code only once its mail was handed over, and says when it was refused', async () => {
  const { post, read, choose } = somebody();
  const draft = await choose('course=cissp', { 'way-cissp': 'guided', 'monday-cissp': '2025-09-15' });
  const email = 'refused@example.com';
  await post(`${draft}/payer`, { buyerName: 'Ada', email, payer: 'person' });
  const shown = async (state: 'queued' | 'sent' | 'failed') => {
    const settled_at = state === 'queued' ? null : opening;
    await academy.database.db.updateTable('mails').set({ state, settled_at }).where('recipient', '=', email).execute();
    return read(`${draft}/review`);
  };
  expect(await shown('queued')).toContain(`We are sending six digits to ${email}`);
  expect(await shown('sent')).toContain(`We sent six digits to ${email} at 9:00 AM`);
  const refused = await shown('failed');
  expect(refused).toContain(`We could not deliver six digits to ${email}`);
  expect(refused).not.toContain('We sent');
});
