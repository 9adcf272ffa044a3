import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseIdentity, marksFolder, readMarks } from '#app/features/money/document-numbers.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

/** At AU$2,299. */
const course = 'comptia-security-plus';
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp({ jobs: true });
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const page = async (path: string) => (await ada.get(path)).text();

/** Uploads a file and answers with the page that it leads to. */
async function upload(statement: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  const body = new FormData();
  body.set('act', 'preview');
  body.set('file', new File([statement], 'statement.csv', { type: 'text/csv' }));
  const headers = { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' };
  return academy.request('/staff/payments', { method: 'POST', headers, body });
}

/** Uploads a file that can be read; returns the path of its preview. */
async function uploaded(statement: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const answer = await upload(statement);
  expect(answer.status).toBe(303);
  return answer.headers.get('Location') ?? '';
}

async function record(path: string): Promise<Response> {
  return ada.post(path, { ...carriedBy(await page(path), 'record'), key: path.split('/').at(-1) ?? '' });
}

const plain = (html: string) => html.replaceAll('<!-- -->', '');

test('a bank statement is shown, recorded once, and its unmatched lines are assigned by hand', async () => {
  expect((await page('/staff/payments?show=refunds')).includes('We owe nobody a refund.')).toBe(true);
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course });
  const first = await placeIn(db, courseDate);
  const second = await placeIn(db, courseDate);
  const statement = [
    `08/09/2025,"+2299.00","Transfer ${first.reference} <b>","+1.00"`,
    '08/09/2025,"+2000.00","from Jane","+1.00"',
    '08/09/2025,"-5.00","Fee","+1.00"',
    '09/09/2025,"+5.00","tomorrow","+1.00"',
    `08/09/2025,"+7.00","INV-99999 ${first.reference} BB-222222","+1.00"`,
  ].join('\r\n');
  const path = await uploaded(statement);
  const asked = plain(await page(path));
  const texts = [
    'Record 3 payments',
    'Nothing owed',
    'Names no enrolment',
    '&lt;b&gt;',
    'Line 4: “09/09/2025” is in the future.',
    'contradict each other',
  ];
  for (const text of texts) expect(asked.includes(text), text).toBe(true);
  // Those for a person come first.
  expect(asked.indexOf('from Jane')).toBeLessThan(asked.indexOf('Transfer'));
  expect(await db.selectFrom('payments').select('id').execute()).toEqual([]);
  const form = { ...carriedBy(asked, 'record'), key: path.split('/').at(-1) ?? '' };
  const done = await ada.post(path, form);
  expect(done.status).toBe(303);
  const told = plain(await page(done.headers.get('Location') ?? ''));
  expect(told.includes('3 new payments, 2 of them without an enrolment; 0 recorded before')).toBe(true);
  expect((await ada.post(path, form)).status).toBe(303);
  expect((await page(path)).includes('This statement was already recorded')).toBe(true);
  expect(await db.selectFrom('statement_uploads').select('key').execute()).toEqual([]);
  const again = await uploaded(statement);
  expect(plain(await page(again)).includes('There is nothing new to record.')).toBe(true);
  expect((await record(again)).status).toBe(303);
  expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(3);
  const itsPage = plain(await page(`/staff/enrolments/${first.reference}`));
  expect(itsPage.includes('AU$2,299.00</a> paid by bank transfer')).toBe(true);

  const unmatched = await page('/staff/payments');
  expect(unmatched.includes('No enrolment found')).toBe(true);
  expect((await page('/staff')).includes('names no enrolment')).toBe(true);
  const { id } = await db
    .selectFrom('payments')
    .select('id')
    .where('amount_cents', '=', 200_000)
    .executeTakeFirstOrThrow();
  const assign = { ...carriedBy(unmatched, 'assign'), payment: String(id), to: 'BB-222222' };
  const refused = await ada.post('/staff/payments', assign);
  const text = await refused.text();
  expect([
    refused.status,
    text.includes('No enrolment has this reference'),
    text.includes('value="BB-222222"'),
  ]).toEqual([409, true, true]);
  expect((await ada.post('/staff/payments', { ...assign, to: second.reference.toLowerCase() })).status).toBe(303);
  const after = await page('/staff/payments');
  expect([after.includes('Too small'), after.includes('AU$299.00 still owed')]).toEqual([true, true]);
  const no = await upload('Name,Colour\r\nAda,blue');
  expect([no.status, (await no.text()).includes('We found no columns for date and amount')]).toEqual([400, true]);
});

test('a statement of 2 MB is previewed in pages and recorded; a larger one is refused in words', async () => {
  const rows = [...Array(2000).keys()].map((at) => `07/09/2025,+1.00,${`PAYER ${at} `.padEnd(1000, 'x')},${at + 1}.00`);
  const statement = rows.join('\n');
  expect(statement.length).toBeGreaterThan(2_000_000);
  const path = await uploaded(statement);
  const first = plain(await page(path));
  expect([first.includes('Record 2000 payments'), first.includes('Page 1 of 20')]).toEqual([true, true]);
  const last = plain(await page(`${path}?page=20`));
  expect([last.includes('PAYER 1999 '), last.includes('PAYER 5 ')]).toEqual([true, false]);
  const done = await record(path);
  expect([done.status, done.headers.get('Location')?.includes('recorded=2000')]).toEqual([303, true]);
  // The list goes on, page by page.
  const list = await page('/staff/payments');
  const [older = ''] = /\?before=\d+/.exec(list) ?? [];
  expect((await page(`/staff/payments${older}`)).includes('PAYER 1949 ')).toBe(true);

  const tooLarge = await upload('x'.repeat(2 * 1024 * 1024 + 1));
  expect([tooLarge.status, (await tooLarge.text()).includes('over 2 MB')]).toEqual([400, true]);
  const farTooLarge = await upload('x'.repeat(3 * 1024 * 1024));
  expect([farTooLarge.status, (await farTooLarge.text()).includes('over 2 MB')]).toEqual([413, true]);
  // Only this form, and only by staff.
  const body = new FormData();
  body.set('file', new File(['x'.repeat(100_000)], 'a.csv'));
  const headers = { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' };
  expect((await academy.request('/staff/mail', { method: 'POST', headers, body })).status).toBe(413);
  const stranger = { 'Sec-Fetch-Site': 'same-origin' };
  const turned = await academy.request('/staff/payments', { method: 'POST', headers: stranger, body });
  expect(turned.status).not.toBe(200);
  expect(turned.headers.get('Location') ?? '').not.toContain('statements');
});

test('P39: unread and unrecorded lines are shown after recording too, and in the trace', async () => {
  await sql`alter table payments add constraint refuses check (words <> 'REFUSED')`.execute(academy.database.owner);
  const rows = [...Array(60).keys()].map((at) => `07/09/2025,+3.00,REFUSED,${at + 1}.00`);
  const path = await uploaded(['07/09/2025,+3.00,GOOD,9.00', '31/02/2025,+3.00,A,9.00', ...rows, 'x,1,B'].join('\n'));
  try {
    const done = await record(path);
    const told = plain(await page(done.headers.get('Location') ?? ''));
    const texts = [
      '1 new payment,',
      'These lines could not be read, and we left them out: 2, 63.',
      'These lines could not be recorded: 3, 4, 5,',
      '21, 22 and 40 more.',
    ];
    for (const text of texts) expect(told.includes(text), text).toBe(true);
    const trace = plain(await page('/staff/trace'));
    expect(trace.includes('unreadable 2 (lines 2, 63)')).toBe(true);
    expect(trace.includes('failed 60 (lines 3, 4, 5,')).toBe(true);
    // A second press is answered without counts.
    expect((await page('/staff/payments?statement=recorded')).includes('“Who did what” says')).toBe(true);
  } finally {
    await sql`alter table payments drop constraint refuses`.execute(academy.database.owner);
  }
});

test('one press records money that the bank took back, and a payment is divided on its page', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course });
  const [one, two] = [await placeIn(db, courseDate), await placeIn(db, courseDate)];
  await record(await uploaded(`05/09/2025,+4598.00,${one.reference} ${two.reference}`));
  const { id } = await db
    .selectFrom('payments')
    .select('id')
    .where('amount_cents', '=', 459_800)
    .executeTakeFirstOrThrow();
  expect(plain(await page('/staff/payments')).includes('Names 2 enrolments: divide it')).toBe(true);
  const path = `/staff/payments/${id}`;
  const shown = await page(path);
  // The fields hold what the words name.
  for (const { reference } of [one, two]) expect(shown.includes(`value="${reference}"`)).toBe(true);
  const fields = { to0: one.reference, amount0: '2299', to1: two.reference, amount1: '12,50' };
  const refused = await ada.post(path, { ...carriedBy(shown, 'divide'), ...fields });
  expect([refused.status, (await refused.text()).includes('Enter an amount in dollars')]).toEqual([409, true]);
  const divide = { ...carriedBy(await page(path), 'divide'), ...fields, amount1: '2,299.00' };
  for (const { status } of [await ada.post(path, divide), await ada.post(path, divide)]) expect(status).toBe(303);
  const divided = await page(path);
  expect([divided.includes('Nothing owed'), divided.includes('matched the payment to enrolments')]).toEqual([
    true,
    true,
  ]);
  expect((await page(`/staff/enrolments/${two.reference}`)).includes('assigned a payment')).toBe(true);
  expect((await ada.get('/staff/payments/999999')).status).toBe(404);

  await record(await uploaded(`06/09/2025,-4598.00,REVERSAL ${two.reference}`));
  const list = plain(await page('/staff/payments'));
  expect([list.includes('−AU$4,598.00'), list.includes(`REVERSAL ${two.reference}`)]).toEqual([true, true]);
  expect((await page('/staff')).includes('was a payment taken back?')).toBe(true);
  const { id: line } = await db
    .selectFrom('bank_lines')
    .select('id')
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  const back = { ...carriedBy(list, 'line'), line: String(line), as: 'taken-back' };
  for (const { status } of [await ada.post('/staff/payments', back), await ada.post('/staff/payments', back)]) {
    expect(status).toBe(303);
  }
  expect((await page('/staff/payments')).includes('REVERSAL')).toBe(false);
  for (const { reference } of [one, two]) {
    const enrolment = await page(`/staff/enrolments/${reference}`);
    expect(enrolment.includes('The bank took the payment back')).toBe(true);
  }
});

test('P39: a late payment needs nothing: it is listed beside those that do', async () => {
  const { db } = academy.database;
  const { enrolmentId, reference } = await placeIn(db, await makeCourseDate(db, { course }));
  await receive(db, enrolmentId, 229_900, { today: '2025-10-29', now: academy.now() });
  expect((await page('/staff/payments')).includes(reference)).toBe(false);
  const late = plain(await page('/staff/payments?show=late'));
  expect([late.includes('Came late'), late.includes('All is settled')]).toEqual([true, true]);
  const file = await (await ada.get('/staff/payments.csv')).text();
  expect(file.split('\r\n').find((line) => line.includes(reference))).toContain('"Came late"');
});

test('P83: a payment is found by its amount, its day, its payer and its words, in a list of all', async () => {
  const { db } = academy.database;
  const buyer = { name: 'Olga Freight', email: 'olga@freight.example', phone: null };
  const { enrolmentId, reference } = await placeIn(db, await makeCourseDate(db, { course }), { buyer });
  await receive(db, enrolmentId, 123_450, { today: '2025-09-02', now: academy.now() });
  for (const search of ['1,234.50', '1234.5', '2 Sept', '2/9/2025', 'freight', 'olga fr', reference]) {
    expect((await page(`/staff/payments?${new URLSearchParams({ search })}`)).includes(reference), search).toBe(true);
  }
  for (const search of ['1234', '3 Sept', 'Olaf']) {
    expect((await page(`/staff/payments?${new URLSearchParams({ search })}`)).includes(reference), search).toBe(false);
  }
  const file = await (await ada.get('/staff/payments.csv?show=all')).text();
  expect(file.split('\r\n').find((line) => line.includes(reference))).toMatch(/^"2025-09-02","AUD",1234.50/);
});

test('P83: suggestions are shown with why, accepted by one press, and several sure ones together with their sum', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course: 'cissp', capacity: 12 });
  const [one, two, three] = [
    await placeIn(db, courseDate),
    await placeIn(db, courseDate),
    await placeIn(db, courseDate),
  ];
  // One letter of each reference is left out.
  const slip = ({ reference }: { reference: string }) => reference.slice(0, -1);
  const words = [one, two, three].map(slip);
  const path = await uploaded(words.map((text) => `04/09/2025,+5499.00,FROM ${text}`).join('\n'));
  const preview = plain(await page(path));
  expect(preview.includes(`The reference is ${one.reference} but for one slip. AU$5,499.00 is what is owed.`)).toBe(
    true,
  );
  expect(await db.selectFrom('payments').select('id').where('amount_cents', '=', 549_900).execute()).toEqual([]);
  await record(path);
  const list = await page('/staff/payments');
  const { id } = await db
    .selectFrom('payments')
    .select('id')
    .where('words', '=', `FROM ${slip(one)}`)
    .executeTakeFirstOrThrow();
  const accept = {
    ...carriedBy(list, 'accept'),
    payment: String(id),
    key: `${one.reference} 549900`,
  };
  const wrong = await ada.post('/staff/payments', { ...accept, key: `${two.reference} 549900` });
  expect([wrong.status, (await wrong.text()).includes('This suggestion has become wrong')]).toEqual([409, true]);
  const bad = await ada.post('/staff/payments', { ...accept, key: 'BB-1; drop' });
  expect(bad.status).toBe(400);
  for (const { status } of [await ada.post('/staff/payments', accept), await ada.post('/staff/payments', accept)]) {
    expect(status).toBe(303);
  }
  expect((await page(`/staff/payments/${id}`)).includes('Nothing owed')).toBe(true);
  const sure = '/staff/payments/suggested';
  const both = plain(await page(sure));
  expect([both.includes('Accept these 2, together AU$10,998.00'), both.includes(one.reference)]).toEqual([true, false]);
  const [left = ''] = /\?without=\d+/.exec(both) ?? [];
  expect(plain(await page(sure + left)).includes('Accept this one, together AU$5,499.00')).toBe(true);
  const picks = /name="picks" value="([^"]*)"/.exec(both)?.[1] ?? '';
  const form = { ...carriedBy(both, 'accept'), picks };
  const none = await ada.post(sure, { ...form, picks: '12 nothing' });
  expect(none.status).toBe(400);
  const done = await ada.post(sure, form);
  expect([done.status, done.headers.get('Location')]).toEqual([303, '/staff/payments?accepted=2&changed=0']);
  expect((await page('/staff/payments?accepted=2&changed=0')).includes('suggestions are')).toBe(true);
  const late = await ada.post(sure, { ...form, form: crypto.randomUUID() });
  expect([late.status, (await late.text()).includes('None of these suggestions holds any more')]).toEqual([409, true]);
});

test('P30: the program keeps the numbers that it gave out, outside of its database', async () => {
  const { db } = academy.database;
  await placeIn(db, await makeCourseDate(db, { course }));
  const { last } = await db
    .selectFrom('document_numbers')
    .select('last')
    .where('kind', '=', 'tax-invoice')
    .executeTakeFirstOrThrow();
  const folder = marksFolder(academy.settings.dataDir, await databaseIdentity(db));
  await expect.poll(async () => (await readMarks(folder))?.['tax-invoice']).toBe(last);
});
