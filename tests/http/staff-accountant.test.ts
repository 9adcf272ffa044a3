import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { enrolInvoiced, receive } from '#tests/support/money.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const path = '/staff/money/accountant';
const wordsOf = (html: string) =>
  html
    .replaceAll(/<!--.*?-->|<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const read = async (address: string) => wordsOf(await (await ada.get(address)).text());

test('P83: staff make a file for Xero, download it once, and again only on purpose', async () => {
  const { db } = academy.database;
  const now = academy.now();
  expect(await read(path)).toContain('Tax invoices: all are in a file.');
  const { id, reference } = await enrolInvoiced(db, { today: '2025-09-08', at: now });
  expect(await read(path)).toContain('Tax invoices: 1 in no file yet, AU$2,299.00, since 8 September 2025.');
  const fields = carriedBy(await (await ada.get(path)).text(), 'make');
  const make = (more: Record<string, string>) =>
    ada.post(path, { ...fields, kind: 'tax-invoice', until: '2025-09-08', account: '200', ...more });
  expect((await make({ account: 'a new account' })).status).toBe(400);
  expect((await make({ until: '2025-09-01' })).status).toBe(409);
  expect((await make({})).status).toBe(303);
  const html = await (await ada.get(path)).text();
  const file = /href="([^"]*xero\.csv[^"]*)"/.exec(html)?.[1] ?? '';
  // A program that looks before it downloads has taken nothing.
  const looked = await academy.request(file, { method: 'HEAD', headers: { Cookie: ada.cookie } });
  expect(looked.status).toBe(200);
  const first = await ada.get(file);
  expect(first.headers.get('Content-Disposition')).toBe('attachment; filename="xero-INV-00001-to-INV-00001.csv"');
  const text = await first.text();
  expect(text.startsWith('"*ContactName","EmailAddress","POAddressLine1",')).toBe(true);
  expect(text).toContain(`"INV-00001","${reference}","08/09/2025","22/09/2025"`);
  expect(text).toContain(',1,2299.00,"","200","GST on Income",');
  expect((await ada.get(file)).status).toBe(409);
  expect(await read(path)).toContain('Import it only once.');
  const again = await ada.get(`${file}&again=1`);
  expect(again.headers.get('Content-Disposition')).toContain('-again.csv');
  expect(await again.text()).toBe(text);
  // The form of before was taken, and another says who was faster.
  expect((await make({})).status).toBe(303);
  await receive(db, id, 229_900, { today: '2025-09-08', now });
  const cash = await (await ada.get(`/staff/cash.csv?from=2025-09-08&to=2025-09-08`)).text();
  expect(cash).toContain(`"08/09/2025",2299.00,"Ada Byron","Received, bank","${reference}"`);
});

test('P83: BAS figures lead to their rows, on either basis', async () => {
  const bas = await read('/staff/money/bas?quarter=2025-07');
  expect(bas).toContain('G1 Total sales, GST included 2,299.00 2,299');
  expect(bas).toContain('1A GST on sales 209.00 209');
  expect(bas).toContain('This quarter has not ended.');
  expect(bas).toContain('Your accountant decides what is lodged.');
  expect(await read('/staff/money/bas?quarter=2025-07&basis=cash')).toContain('1A GST on sales 209.00 209');
  expect(await read('/staff/money/rows/invoices?from=2025-07-01&to=2025-09-30')).toContain('INV-00001 Ada Byron');
  expect(await read('/staff/money/rows/notes?from=2025-07-01&to=2025-09-30')).toContain('Nothing in these days.');
  const rows = await (await ada.get('/staff/money-rows.csv?kind=received&from=2025-07-01&to=2025-09-30')).text();
  expect(rows).toContain('2299.00,""');
  expect((await ada.get('/staff/money/rows/all')).status).toBe(404);
});
