import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelCourseDate } from '#app/features/course-dates/commands.server.ts';
import { lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { asker, customer, offerLinkOf } from '#tests/support/quotes.ts';

let academy: AcademyApp;
const opening = new Date('2025-09-08T09:00:00+10:00');
let networks = 0;
const somebody = () => customer(academy, `198.51.100.${++networks}`);
let people = 0;
/** Each quote is of a person of its own, unless a test says so: six seats are held for one. */
const newEmail = () => `person${++people}@office${people}.example`;
/** A date with many seats, for all tests but the first. */
const roomy = { slug: '', query: '', way: {} };
const melbourne = { 'way-cissp': 'course-date:cissp-melbourne' };
const hours = (count: number) => academy.setNow(new Date(opening.getTime() + count * 60 * 60 * 1000));

beforeAll(async () => {
  academy = await openAcademyApp();
  roomy.slug = await dateOn('2025-11-03', 200);
  roomy.query = `courseDate=${roomy.slug}`;
  roomy.way = { 'way-cissp': `course-date:${roomy.slug}` };
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(opening));

/** Makes a date; returns its slug once pages know it. */
async function dateOn(startsOn: string, capacity: number): Promise<string> {
  const { id } = await makeCourseDate(academy.database.db, { startsOn, capacity });
  const known = () => academy.services.snapshot.current().courseDates.find((date) => date.id === id);
  await until(() => known() !== undefined);
  return known()?.slug ?? '';
}

const lastOffer = () =>
  academy.database.db.selectFrom('offers').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
const enrolments = async () => (await academy.database.db.selectFrom('enrolments').select('id').execute()).length;

test('P112: six fields and a code make a quote with its page and PDF, without JavaScript', async () => {
  const { ask, post, code, get, read, placeOf } = somebody();
  const asked = await ask('courseDate=cissp-melbourne', { ...melbourne, attendees: '2', abn: '51 824 753 556' });
  expect([asked.status, placeOf(asked)]).toEqual([303, expect.stringMatching(/^\/quote\/[0-9a-f]{48}$/)]);
  const made = await post(placeOf(asked), { intent: 'make', code: await code(asker.email) });
  const offer = placeOf(made);
  expect(offer).toMatch(/^\/offer\/[0-9a-f]{48}$/);
  const text = await read(offer);
  for (const fact of [
    'Quote OFF-00001',
    'Councilworks',
    'ABN 51 824 753 556',
    'Open until 22 September 2025',
    'Seats held until 10 Sept 2025, 9:00 AM',
    '27 to 31 October 2025',
    'AU$10,998',
    '2 × AU$5,499',
    'GST in the total AU$999.82',
    'Accept OFF-00001',
  ])
    expect(text).toContain(fact);
  const file = await get(`${offer}/off-00001.pdf`);
  expect([file.status, file.headers.get('Content-Type')]).toEqual([200, 'application/pdf']);
  expect(await lastOffer()).toMatchObject({
    state: 'sent',
    people: 2,
    total_cents: 1_099_800,
    person_id: expect.any(Number),
  });
});

test('P32: reading a quote changes nothing, and it is for nobody else', async () => {
  const { quote, get } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, email: newEmail() });
  const before = await lastOffer();
  const links = () => academy.database.db.selectFrom('private_links').select('token_hash').execute();
  const linksBefore = (await links()).length;
  const page = await get(offer);
  expect(page.headers.get('Cache-Control')).toBe('no-store');
  expect(page.headers.get('X-Robots-Tag')).toContain('noindex');
  expect(await lastOffer()).toEqual(before);
  expect((await links()).length).toBe(linksBefore);
  expect((await get(`/offer/${'0'.repeat(48)}`)).status).toBe(404);
  expect((await get(`/offer/${'0'.repeat(48)}/off-00001.pdf`)).status).toBe(404);
});

test('P111: the boss accepts it from the mailed link and becomes the buyer of an ordinary enrolment', async () => {
  const email = newEmail();
  await somebody().quote(roomy.query, { ...roomy.way, attendees: '2', email, abn: '51 824 753 556' });
  const offer = await offerLinkOf(academy, email);
  const { accept, placeOf, read } = somebody();
  const accepted = await accept(offer, 'grace@boss.example', { purchaseOrder: 'PO 4711' });
  expect(placeOf(accepted)).toMatch(/^\/enrolment\/[0-9a-f]{48}$/);
  const enrolment = await academy.database.db
    .selectFrom('enrolments')
    .selectAll()
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(enrolment).toMatchObject({
    buyer_name: 'Grace Hopper',
    organisation: 'Councilworks',
    abn: '51824753556',
    purchase_order: 'PO 4711',
  });
  expect(await lastOffer()).toMatchObject({ state: 'accepted', enrolment_id: enrolment.id });
  expect(await read(placeOf(accepted))).toContain(enrolment.reference);
  expect(await read(offer)).toContain('This quote was accepted.');
  const told = await academy.database.db
    .selectFrom('mails')
    .select('kind')
    .where('recipient', '=', email)
    .orderBy('queued_at', 'desc')
    .executeTakeFirst();
  expect(told?.kind).toBe('offer-accepted');
});

test('P110: the first to accept with a new ABN makes the organisation and becomes its manager', async () => {
  const { quote, accept } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, email: newEmail(), abn: '53 004 085 616' });
  await accept(offer, newEmail());
  const made = await academy.database.db
    .selectFrom('organisations')
    .innerJoin('organisation_managers', 'organisation_id', 'organisations.id')
    .innerJoin('person_emails', 'person_emails.person_id', 'organisation_managers.person_id')
    .select(['legal_name', 'person_emails.email', 'verified_at'])
    .where('abn', '=', '53004085616')
    .execute();
  expect(made).toEqual([
    { legal_name: 'Councilworks', email: `person${people}@office${people}.example`, verified_at: expect.any(Date) },
  ]);
});

test('P111: pressed twice, and by two at once, it is one enrolment', async () => {
  const { quote, filled, post, code, placeOf } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, email: newEmail() });
  const before = await enrolments();
  const forms = [];
  for (const email of [newEmail(), newEmail()]) {
    const fields = await filled(offer, { name: 'Grace Hopper', email });
    await post(offer, { ...fields, intent: 'code' });
    forms.push({ ...fields, code: await code(email), accepted: 'on', intent: 'accept' });
  }
  const answers = await Promise.all([...forms, ...forms].map((form) => post(offer, form)));
  expect(await enrolments()).toBe(before + 1);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 303, 409, 409]);
  const to = answers.filter(({ status }) => status === 303).map(placeOf);
  expect(to[0]).toBe(to[1]);
});

test('P111: without code, terms or name nothing is accepted, and all faults are shown at once', async () => {
  const { quote, post, filled } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, email: newEmail() });
  const email = newEmail();
  const refused = await post(offer, { ...(await filled(offer, { name: '', email })), intent: 'accept' });
  expect(refused.status).toBe(400);
  const text = await mainText(refused);
  for (const fault of ['Enter your name', 'Tick the box']) expect(text).toContain(fault);
  const wrong = await post(offer, {
    ...(await filled(offer, { name: 'Grace', email })),
    intent: 'accept',
    accepted: 'on',
    code: '000000',
  });
  expect([wrong.status, await mainText(wrong)]).toEqual([400, expect.stringContaining('no longer works')]);
  expect((await lastOffer()).state).toBe('sent');
});

test('P111: a price that fell is offered at the lower price, and one that rose does not matter', async () => {
  const { quote, read, accept } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, email: newEmail() });
  const setPrice = (cents: number) =>
    academy.database.db.updateTable('courses').set({ price_cents: cents }).where('slug', '=', 'cissp').execute();
  await setPrice(600_000);
  expect(await read(offer)).not.toContain('has fallen');
  await setPrice(449_900);
  expect(await read(offer)).toContain('The price has fallen since the quote of AU$5,499');
  const email = newEmail();
  const stale = await accept(offer, email, { total: '549900' });
  expect([stale.status, await mainText(stale)]).toEqual([
    409,
    expect.stringContaining('the total is AU$4,499 now, AU$1,000 less than the AU$5,499'),
  ]);
  await setPrice(549_900);
});

test('P111: a quote is over after its last day and says where to get another', async () => {
  const { quote, read, post } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, email: newEmail() });
  hours(15 * 24);
  const text = await read(offer);
  expect(text).toContain('This quote is over.');
  expect(text).toContain('Make a new quote');
  for (const intent of ['code', 'accept', 'decline']) {
    const late = await post(offer, { intent, name: 'Grace Hopper', email: newEmail(), total: '549900' });
    expect([intent, late.status]).toEqual([intent, 409]);
  }
});

test('P111: declined with words, it gives its seats back and can no longer be accepted', async () => {
  const { quote, post, read } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, attendees: '3', email: newEmail() });
  const held = async () => {
    const { held: seats } = await academy.database.db
      .selectFrom('course_date_seats')
      .innerJoin('course_dates', 'course_dates.id', 'course_date_id')
      .select('held')
      .where('slug', '=', roomy.slug)
      .executeTakeFirstOrThrow();
    return seats;
  };
  const before = await held();
  expect((await post(offer, { intent: 'decline', words: 'Next quarter suits us better.' })).status).toBe(303);
  expect(await held()).toBe(before - 3);
  expect(await lastOffer()).toMatchObject({ state: 'declined', answer: 'Next quarter suits us better.' });
  expect(await read(offer)).toContain('This quote was declined.');
  expect((await post(offer, { intent: 'decline', words: '' })).status).toBe(303);
});

test('P111: the same draft with another choice is a new version, and the old one leads to it', async () => {
  const { ask, post, code, read, placeOf, send } = somebody();
  const email = newEmail();
  const asked = placeOf(await ask(roomy.query, { ...roomy.way, email }));
  const make = async () => placeOf(await post(asked, { intent: 'make', code: await code(email) }));
  const first = await make();
  expect(await make()).toBe(first);
  await send(asked.replace('/quote/', '/enrol/'), { ...roomy.way, attendees: '2' });
  const second = await make();
  expect(second).not.toBe(first);
  expect(await read(second)).toContain(', version 2');
  expect(await read(first)).toContain('There is a newer version of this quote.');
  const { number } = await lastOffer();
  const versions = await academy.database.db
    .selectFrom('offers')
    .select('state')
    .where('number', '=', number)
    .orderBy('version')
    .execute();
  expect(versions).toEqual([{ state: 'replaced' }, { state: 'sent' }]);
});

test('P111: a date that was cancelled is said before anything is typed, with the nearest ones', async () => {
  const { db } = academy.database;
  const slug = await dateOn('2025-12-01', 4);
  const known = () => academy.services.snapshot.current().courseDates.find((date) => date.slug === slug);
  const { quote, get } = somebody();
  const offer = await quote(`courseDate=${slug}`, { 'way-cissp': `course-date:${slug}`, email: newEmail() });
  const id = known()?.id ?? 0;
  const moment = { now: opening, today: '2025-09-08' };
  await db.transaction().execute(async (trx) => {
    const locked = (await lockCourseDates(trx, [id], opening)).get(id);
    if (locked) await cancelCourseDate(trx, locked, { ...moment, actor: theProgram });
  });
  await until(() => known()?.state === 'cancelled');
  const text = await mainText(await get(offer));
  expect(text).toContain('You cannot accept this quote as it is');
  expect(text).toContain('was cancelled. These dates are the nearest:');
  expect(text).not.toContain('Email me a code');
});

test('P112: seven people, a bad ABN and no name are refused beside their fields, and nothing is lost', async () => {
  const { ask } = somebody();
  const refused = await ask(roomy.query, {
    ...roomy.way,
    attendees: '7',
    abn: '123',
    buyerName: '',
    email: newEmail(),
  });
  const text = await mainText(refused);
  expect(refused.status).toBe(400);
  for (const fault of ['for up to six seats', 'not a valid ABN', 'Enter your name']) expect(text).toContain(fault);
});

test('P112: a person holds six seats by quotes and not one more; the quote is made all the same', async () => {
  const { quote, read } = somebody();
  const email = newEmail();
  await quote(roomy.query, { ...roomy.way, attendees: '6', email });
  const second = await quote(roomy.query, { ...roomy.way, attendees: '1', email });
  expect(second).toMatch(/^\/offer\//);
  expect(await read(second)).not.toContain('Seats held until');
});

test('P115: who was named in the checkout before the quote is not asked for again', async () => {
  const { ask, post, code, placeOf, accept } = somebody();
  const email = newEmail();
  const asked = placeOf(await ask(roomy.query, { ...roomy.way, attendees: '2', email }));
  const draft = asked.replace('/quote/', '/enrol/');
  const payer = { buyerName: 'Ada Byron', email, payer: 'organisation', organisation: 'Councilworks' };
  await post(`${draft}/payer`, { ...payer, 'name-1': 'Ada Byron', 'email-1': 'ada@team.example' });
  const offer = placeOf(await post(asked, { intent: 'make', code: await code(email) }));
  await accept(offer, email);
  const attendees = await academy.database.db
    .selectFrom('attendees')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['attendees.name', 'attendees.email'])
    .where('enrolments.email', '=', email)
    .orderBy('attendees.id')
    .execute();
  expect(attendees).toEqual([
    { name: 'Ada Byron', email: 'ada@team.example' },
    { name: null, email: null },
  ]);
  expect(await lastOffer()).toMatchObject({ attendees: null });
});

test('P111: the offer of a retired course is refused in a sentence, and nothing is placed', async () => {
  const { quote, accept } = somebody();
  const offer = await quote(roomy.query, { ...roomy.way, email: newEmail() });
  const before = await enrolments();
  const retire = (retired_at: Date | null) =>
    academy.database.db.updateTable('courses').set({ retired_at }).where('slug', '=', 'cissp').execute();
  await retire(opening);
  const refused = await accept(offer, 'grace@retired.example');
  await retire(null);
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('we no longer offer this')]);
  expect(await enrolments()).toBe(before);
});
