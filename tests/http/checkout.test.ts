import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { enrolmentPath } from '#app/features/enrolments/paths.ts';
import { factsOf } from '#app/features/money/accounts.server.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';

let academy: AcademyApp;
let addresses = 0;
/** Each is a visitor of their own. */
const somebody = () => visitor(academy, `198.51.100.${++addresses}`);
const guided = { 'way-cissp': 'guided', 'monday-cissp': '2025-10-13' };
const location = (response: Response) => response.headers.get('Location') ?? '';
const stepOf = (response: Response) => location(response).replace(/^\/enrol\/[0-9a-f]{48}\/?/, '');

beforeAll(async () => {
  academy = await openAcademyApp();
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
});
afterAll(() => academy.close());

test('the pages of buying have a frame of their own: no shop beside them, the telephone number, where one is', async () => {
  const { get, choose } = somebody();
  const draft = await choose('course=cissp', guided);
  for (const path of ['/enrol?course=cissp', `${draft}/payer`]) {
    const html = await (await get(path)).text();
    expect(html).not.toContain('Training Calendar');
    expect(html).not.toContain('/art/wall.svg');
    expect(html).toContain('href="tel:0770100142"');
    expect(html.match(/aria-current="step"/g)).toHaveLength(1);
  }
});

test('all faults of “Who pays” are shown at once, and an ABN and a telephone number are read as people write them', async () => {
  const { post, choose, read } = somebody();
  const draft = await choose('course=cissp', guided);
  const payer = { buyerName: 'Ada', email: 'faults@example.com', payer: 'organisation' };
  const wrong = await post(`${draft}/payer`, { ...payer, phone: '12', organisation: '', abn: '12 345 678 901' });
  const text = await mainText(wrong);
  for (const fault of ['Enter a phone number', 'Enter the organisation', 'This is not a valid ABN'])
    expect(text).toContain(fault);
  const written = { phone: '０４１２ ３４５ ６７８', organisation: 'Engines', abn: 'ABN 51-824-753-556' };
  expect(stepOf(await post(`${draft}/payer`, { ...payer, ...written }))).toBe('review');
  expect(await read(`${draft}/payer`)).not.toContain('Did you mean');
});

test('an address that looks mistyped gets a remark that stops nobody, and one press takes the other one', async () => {
  const { post, send, choose, read, get, code } = somebody();
  const draft = await choose('course=cissp', guided);
  const payer = { buyerName: 'Bob', email: 'bob@gmial.com', payer: 'person' };
  expect(stepOf(await post(`${draft}/payer`, payer))).toBe('review');
  expect(await read(`${draft}/review`)).toContain('Did you mean bob@gmail.com ?');
  expect(stepOf(await send(`${draft}/review`, { accepted: 'on', intent: 'use-meant' }))).toBe('review?code=changed');
  expect(await read(`${draft}/review`)).toContain('six digits to bob@gmail.com');
  expect(await (await get(`${draft}/review`)).text()).toMatch(/<input[^>]*id="accepted"[^>]*checked=""/);
  expect(await (await get(`${draft}/payer`)).text()).toContain('value="bob@gmail.com"');
  // In the form itself what was typed beside it is kept.
  const typed = { ...payer, buyerName: 'Robert', intent: 'use-meant' };
  expect(stepOf(await post(`${draft}/payer`, typed))).toBe('payer');
  const kept = await (await get(`${draft}/payer`)).text();
  for (const value of ['Robert', 'bob@gmail.com']) expect(kept).toContain(`value="${value}"`);
  const signed = { accepted: 'on', intent: 'place', code: await code('bob@gmail.com') };
  expect(stepOf(await send(`${draft}/review`, signed))).toMatch(/^done/);
});

test('the link to finish later opens the first step that is not complete', async () => {
  const { get, post, choose, read } = somebody();
  const draft = await choose('course=cissp', guided);
  expect(await read(`${draft}/payer`)).toContain(`${draft}?resume`);
  expect(stepOf(await get(`${draft}?resume`))).toBe('payer');
  await post(`${draft}/payer`, { buyerName: 'Ada', email: 'later@example.com', payer: 'person' });
  expect(stepOf(await get(`${draft}?resume`))).toBe('review');
  expect((await get(draft)).status).toBe(200);
});

test('enrolling takes three screens and three typed fields', async () => {
  const { get, post, filled, choose, code } = somebody();
  const draft = await choose('course=cissp', guided);
  const asked = async (path: string) => {
    const html = await (await get(path)).text();
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    return [...main.matchAll(/<input(?=[^>]*\srequired)(?=[^>]*\sname="([^"]+)")[^>]*>/g)].map(([, name]) => name);
  };
  // Organisation and guardian are asked for only by what was pressed before.
  expect(await asked(`${draft}/payer`)).toEqual(['buyerName', 'email', 'organisation', 'guardianName-1']);
  const fields = { buyerName: 'Ada', email: 'three@example.com', payer: 'person', self: 'on' };
  expect(stepOf(await post(`${draft}/payer`, fields))).toBe('review');
  expect(await asked(`${draft}/review`)).toEqual(['code', 'accepted']);
  const signed = { code: await code('three@example.com'), accepted: 'on', intent: 'place' };
  expect(stepOf(await post(`${draft}/review`, await filled(`${draft}/review`, signed)))).toMatch(/^done/);
});

test('“You are enrolled” and its mail say how to pay, what happens when, and lead to the private page', async () => {
  const one = somebody();
  const draft = await one.choose('course=cissp', guided);
  await one.fillIn(draft, 'pay@example.com');
  const done = await one.get(location(await one.place(draft)));
  const html = await done.clone().text();
  const text = await mainText(done);
  expect(text).toContain('Pay AU$5,499 by Monday 22 September 2025');
  expect(text).toMatch(/Amount AU\$5,499 BSB [\d-]+ Account \d+ Reference INV\d{5} BB[2-9A-Z]{6} Name Bowerbird/);
  expect(text).toContain('Monday 13 October 2025 Guided study begins.');
  expect(text).toContain('Open your enrolment');
  // Without scripts there is nothing that copies.
  expect(html).not.toContain('>Copy<');
  const reference = /Reference (INV\d{5} BB[2-9A-Z]{6})/.exec(text)?.[1] ?? 'none';
  const mail = await academy.database.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', 'pay@example.com')
    .where('kind', '=', 'enrolment-placed')
    .executeTakeFirstOrThrow();
  for (const fact of ['BSB: ', 'Account: ', `Payment reference: ${reference}`, 'Amount: AU$5,499'])
    expect(mail.body_text).toContain(fact);
});

test('a job-guarantee programme leads to a request for the agreement, not to a list', async () => {
  const { read, choose, get } = somebody();
  const text = await read('/enrol?course=job-guarantee-soc-analyst');
  expect(text).toContain('Request the agreement');
  expect(text).toContain('You owe nothing before you have accepted the agreement.');
  expect(text).not.toMatch(/list for the next date|invoiced once/);
  const draft = await choose('course=job-guarantee-soc-analyst', { 'way-job-guarantee-soc-analyst': 'next-date' });
  const request = await mainText(await get(`${draft}/request`));
  expect(request).toContain('Request the agreement');
  expect(request).not.toMatch(/list for the next date|invoiced once/);
});

test('the buyer’s page shows to whom the invoice goes, and offers only acts that can be done', async () => {
  const { db } = academy.database;
  const [own, full] = [
    await makeCourseDate(db, { startsOn: '2025-12-01', capacity: 2 }),
    await makeCourseDate(db, { startsOn: '2026-01-12', capacity: 1 }),
  ];
  const { enrolmentId } = await placeIn(db, own, {
    attendees: [attendee(), attendee({ name: null, email: null })],
    payer: {
      kind: 'organisation',
      organisation: 'Engines Pty Ltd',
      abn: '51824753556',
      address: null,
      purchaseOrder: 'PO-2291',
      accountsEmail: null,
    },
  });
  await placeIn(db, full);
  const slugs = new Map(
    (await db.selectFrom('course_dates').select(['id', 'slug']).execute()).map(({ id, slug }) => [id, slug]),
  );
  const sold = (id: number) =>
    academy.services.snapshot.current().courseDates.some((one) => one.id === id && one.seatsAvailable === 0);
  await until(() => sold(own.id) && sold(full.id));
  const page = enrolmentPath(await makeEnrolmentLink(db, enrolmentId));
  const one = somebody();
  const html = await (await one.get(page)).text();
  const text = await one.read(page);
  for (const fact of ['Engines Pty Ltd', 'ABN 51 824 753 556', 'Purchase order PO-2291']) expect(text).toContain(fact);
  expect(text).toContain('Not possible now. No seat is free on this date.');
  expect(html).toContain(`/waiting-list?courseDate=${slugs.get(own.id)}`);
  expect(html).not.toContain(`${page}/add`);
  // The names stand on the invoice as they are now.
  const invoice = await db
    .selectFrom('tax_invoices')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const { facts } = await factsOf(db, `tax-invoice:${invoice.id}`);
  const names = facts.lines.map((line) => ('attendee' in line ? line.attendee : undefined));
  expect(names).toEqual([attendee().name, null]);
});
