import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeSession, placeIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

/** At AU$2,299. */
const course = 'comptia-security-plus';
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const page = async (path: string) => (await ada.get(path)).text();

function upload(statement: string): Promise<Response> {
  const body = new FormData();
  body.set('act', 'preview');
  body.set('file', new File([statement], 'statement.csv', { type: 'text/csv' }));
  return academy.request('/staff/payments', {
    method: 'POST',
    headers: { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin' },
    body,
  });
}

test('a bank statement is shown, recorded once, and what it does not name is assigned by hand', async () => {
  expect((await page('/staff/payments')).includes('No money is owed to anybody.')).toBe(true);
  const { db } = academy.database;
  const session = await makeSession(db, { course });
  const first = await placeIn(db, session);
  const second = await placeIn(db, session);
  const statement = [
    `08/09/2025,"+2299.00","Transfer ${first.reference} <b>","+1.00"`,
    '08/09/2025,"+2000.00","from Jane","+1.00"',
    '08/09/2025,"-5.00","Fee","+1.00"',
  ].join('\r\n');
  const asked = await (await upload(statement)).text();
  const texts = [
    '2<!-- --> new <!-- -->payments',
    '1<!-- --> of them without',
    'Nothing owed',
    'Names no enrolment',
    '&lt;b&gt;',
  ];
  for (const text of texts) expect(asked.includes(text), text).toBe(true);
  expect(await db.selectFrom('payments').select('id').execute()).toEqual([]);
  const record = { ...carriedBy(asked, 'record'), statement };
  expect((await ada.post('/staff/payments', record)).status).toBe(303);
  expect((await ada.post('/staff/payments', record)).status).toBe(303);
  const again = await (await upload(statement)).text();
  expect(again.includes('0<!-- --> new')).toBe(true);
  expect(await db.selectFrom('payments').select('id').execute()).toHaveLength(2);
  expect((await page(`/staff/enrolments/${first.reference}`)).includes('recorded a payment')).toBe(true);

  const unmatched = await page('/staff/payments');
  expect(unmatched.includes('No enrolment found')).toBe(true);
  expect((await page('/staff')).includes('Payments without an enrolment')).toBe(true);
  const { id } = await db
    .selectFrom('payments')
    .select('id')
    .where('enrolment_id', 'is', null)
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
  expect([after.includes('Too small'), after.includes('AU$299 still owed')]).toEqual([true, true]);
  const no = await upload('Name,Colour\r\nAda,blue');
  expect([no.status, (await no.text()).includes('No columns for date and amount')]).toEqual([400, true]);
});
