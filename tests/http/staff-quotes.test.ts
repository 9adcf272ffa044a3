import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { customer, offerLinkOf } from '#tests/support/quotes.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
let reader: SignedIn;
let way: Record<string, string>;
let dateId: number;
const opening = new Date('2025-09-08T09:00:00+10:00');
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  reader = await signInStaff(academy, 'reader@example.com', 'Rea Der', { role: 'reader' });
  const { id, courseId } = await makeCourseDate(academy.database.db, { capacity: 60 });
  dateId = id;
  way = { [`way-${courseId}`]: `course-date:${id}` };
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(opening));

let networks = 0;
const somebody = () => customer(academy, `203.0.113.${++networks}`);
const form = () => ({ form: crypto.randomUUID(), seen: '0' });
const written = {
  name: 'Grace Hopper',
  email: 'grace@council.example',
  organisation: 'Councilworks Ltd',
  abn: '51 824 753 556',
  address: '1 Queen Street, Brisbane',
  people: '10',
  discountPercent: '10',
  lastDay: '2025-10-06',
  hold: 'last-day',
  words: 'Thank you for the talk on Friday.',
  organisationId: '',
  replaces: '',
  draft: '',
};
/** Fills in the page that makes a quote; returns its page, or the answer that refuses it. */
async function make(fields: Record<string, string> = {}, act = 'send', who = ada) {
  const answer = await who.post('/staff/offers/new?item=course:cissp', {
    ...form(),
    act,
    ...written,
    ...way,
    ...fields,
  });
  return { answer, page: answer.headers.get('Location') ?? '' };
}
const words = async (path: string) => mainText(await ada.get(path));
const lastEntry = async (path: string) =>
  /name="seen" value="(\d+)"/.exec(await (await ada.get(path)).text())?.[1] ?? '0';
const act = async (path: string, fields: Record<string, string>) =>
  ada.post(path, { form: crypto.randomUUID(), seen: await lastEntry(path), ...fields });
const held = async () =>
  (
    await academy.database.db
      .selectFrom('course_date_seats')
      .select('held')
      .where('course_date_id', '=', dateId)
      .executeTakeFirstOrThrow()
  ).held;

test('P111: staff send a quote for ten with a discount, and its customer accepts it whatever P28 limits', async () => {
  const before = await held();
  const { page } = await make();
  expect(page).toMatch(/^\/staff\/offers\/\d+$/);
  expect(await held()).toBe(before + 10);
  const text = await words(page);
  for (const fact of ['OFF-00001', 'Sent', 'Councilworks Ltd', 'Agreed −10%', 'AU$49,491.00', '6 Oct 2025, 11:59 PM'])
    expect(text).toContain(fact);
  const { accept, read, placeOf } = somebody();
  const offer = await offerLinkOf(academy, written.email);
  const sheet = await read(offer);
  for (const fact of [
    'Thank you for the talk on Friday.',
    'AU$49,491',
    '10 × AU$4,949.10',
    'Open until 6 October 2025',
  ])
    expect(sheet).toContain(fact);
  const accepted = await accept(offer, written.email);
  expect(placeOf(accepted)).toMatch(/^\/enrolment\//);
  expect(await held()).toBe(before);
  const { rows, discount } = await academy.database.db
    .selectFrom('places')
    .innerJoin('offers', 'offers.enrolment_id', 'places.enrolment_id')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.max('discount').as('discount')])
    .executeTakeFirstOrThrow();
  expect([Number(rows), discount]).toEqual([10, 'Agreed −10%']);
  expect(await words(page)).toContain('Accepted');
});

test('P111: a draft is changed and sent, or deleted; sent, it is neither', async () => {
  const { page } = await make({ people: '2' }, 'draft');
  const id = page.slice(page.lastIndexOf('/') + 1);
  expect(await words(page)).toContain('Send it to the customer');
  const changed = await make({ people: '3', draft: id }, 'draft');
  expect(changed.page).toBe(page);
  expect((await act(page, { act: 'send' })).status).toBe(303);
  expect(await words(page)).toContain('AU$14,847.30');
  expect((await act(page, { act: 'delete' })).status).toBe(409);
  expect((await make({ people: '4', draft: id }, 'draft')).answer.status).toBe(409);
  const other = await make({ people: '2' }, 'draft');
  await act(other.page, { act: 'delete' });
  expect((await ada.get(other.page)).status).toBe(404);
});

test('P111: a new version ends the one before with its seats, and keeps the number', async () => {
  const email = 'version@council.example';
  const before = await held();
  const { page } = await make({ people: '4', email });
  const old = await offerLinkOf(academy, email);
  const { page: newer } = await make({ people: '5', email, replaces: page.slice(page.lastIndexOf('/') + 1) });
  expect(await held()).toBe(before + 5);
  expect(await words(newer)).toContain(', version 2');
  expect(await words(page)).toContain('Replaced');
  expect(await somebody().read(old)).toContain('There is a newer version of this quote.');
  const again = await make({ people: '6', email, replaces: page.slice(page.lastIndexOf('/') + 1) });
  expect(again.answer.status).toBe(409);
});

test('P111: 40 seats in a room for twelve, a last day after enrolment ends, and no people are refused beside their fields', async () => {
  const { id, courseId } = await makeCourseDate(academy.database.db, { capacity: 12, startsOn: '2025-10-01' });
  const small = { [`way-${courseId}`]: `course-date:${id}`, lastDay: '2025-09-22' };
  expect(await mainText((await make({ ...small, people: '40' })).answer)).toContain('Only 12 seats are left');
  expect(await mainText((await make({ ...small, lastDay: '2025-10-06' })).answer)).toContain(
    'Enrolment for the date ends on',
  );
  expect(await mainText((await make({ people: '0' })).answer)).toContain('Enter how many people from 1 to 40');
  expect(await mainText((await make({ people: '41' })).answer)).toContain('Enter how many people from 1 to 40');
});

test('P111: declined for a customer with their words, its seats come back', async () => {
  const before = await held();
  const { page } = await make({ people: '2', email: 'declines@council.example' });
  expect((await act(page, { act: 'decline', answer: 'No budget this year.' })).status).toBe(303);
  expect(await held()).toBe(before);
  expect(await words('/staff/offers?state=ended')).toContain('No budget this year.');
});

test('P68: a reader sees quotes and organisations, and changes none', async () => {
  const { page } = await make({ people: '1', email: 'read@council.example' });
  for (const path of ['/staff/offers', page, `${page}/quote.pdf`, '/staff/organisations'])
    expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
  expect((await reader.get('/staff/offers/new')).status).toBe(403);
  expect((await reader.post(page, { ...form(), act: 'decline', answer: '' })).status).toBe(403);
  expect((await reader.get('/staff/organisations/new')).status).toBe(403);
});

test('P110: a quote begins with what is agreed with an organisation, and asks for its purchase order', async () => {
  const agreed = { creditSeats: '12', discountPercent: '15', termsDays: '30', needsPurchaseOrder: 'on', notes: '' };
  const company = {
    legalName: 'Shire of Nowhere',
    tradingName: '',
    abn: '53 004 085 616',
    mailDomains: 'shire.example',
  };
  const made = await ada.post('/staff/organisations/new', {
    ...{ ...form(), act: 'make', ...company, ...agreed, address: '', accountsEmail: '' },
  });
  const organisation = made.headers.get('Location') ?? '';
  const id = organisation.slice(organisation.lastIndexOf('/') + 1);
  const begun = await (await ada.get(`/staff/offers/new?organisation=${id}&item=course:cissp`)).text();
  expect(begun).toContain('value="Shire of Nowhere"');
  expect(begun).toMatch(/name="discountPercent"[^>]*value="15"|value="15"[^>]*name="discountPercent"/);
  const email = 'order@shire.example';
  await make({ people: '1', email, organisation: 'Shire of Nowhere', abn: '53004085616', organisationId: id });
  const { accept } = somebody();
  const offer = await offerLinkOf(academy, email);
  const refused = await accept(offer, email);
  expect([refused.status, await mainText(refused)]).toEqual([400, expect.stringContaining('Enter the purchase order')]);
  expect((await words(organisation)).match(/OFF-\d+/g)).toHaveLength(1);
});

test('P110: the ABN of another organisation and a manager whose address nobody proved are refused', async () => {
  const company = {
    legalName: 'Another Shire',
    tradingName: '',
    abn: '53004085616',
    mailDomains: 'no domain',
    notes: '',
  };
  const terms = { creditSeats: '0', discountPercent: '0', termsDays: '', address: '', accountsEmail: '' };
  const wrong = await ada.post('/staff/organisations/new', { ...form(), act: 'make', ...company, ...terms });
  expect(await mainText(wrong)).toContain('is no mail domain');
  const twice = await ada.post('/staff/organisations/new', {
    ...{ ...form(), act: 'make', ...company, ...terms, mailDomains: '' },
  });
  expect([twice.status, await mainText(twice)]).toEqual([
    409,
    expect.stringContaining('Shire of Nowhere has this ABN already'),
  ]);
  const { id } = await academy.database.db
    .selectFrom('organisations')
    .select('id')
    .where('abn', '=', '53004085616')
    .executeTakeFirstOrThrow();
  const page = `/staff/organisations/${id}`;
  const unproved = await act(page, { act: 'add-manager', email: 'nobody@shire.example' });
  expect(await mainText(unproved)).toContain('Nobody has proved this address yet');
  expect((await act(page, { act: 'add-manager', email: written.email })).status).toBe(303);
  expect(await words(page)).toContain(written.email);
});
