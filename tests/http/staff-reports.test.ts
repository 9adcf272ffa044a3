import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { enrolInvoiced } from '#tests/support/money.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let reader: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  reader = await signInStaff(academy, 'ada@example.com', 'Ada Byron', { role: 'reader' });
});
afterAll(() => academy.close());

test('P85: every report has its definition, days, table and file; charts stand above their table', async () => {
  await enrolInvoiced(academy.database.db, { today: '2025-09-08', at: academy.now() });
  const list = await (await reader.get('/staff/reports')).text();
  const addresses = [...list.matchAll(/href="(\/staff\/reports\/[a-z]+)"/g)].map(([, address = '']) => address);
  expect(addresses).toHaveLength(9);
  for (const address of addresses) {
    const page = await reader.get(`${address}?from=2025-09-01&to=2025-09-30`);
    const html = await page.text();
    expect(page.status, address).toBe(200);
    expect(html).toContain('1 to 30 September 2025');
    expect(html).toContain('What is counted');
    const file = /href="([^"]*table\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const csv = await reader.get(file);
    expect(csv.headers.get('Content-Disposition')).toContain('-2025-09-01-to-2025-09-30.csv');
  }
  const money = await (await reader.get('/staff/reports/money?from=2025-09-01&to=2025-09-30')).text();
  expect(money.match(/<figure/g)).toHaveLength(2);
  expect(money).not.toContain('style=');
  const csv = await (await reader.get('/staff/reports/money/table.csv?from=2025-09-01&to=2025-09-30')).text();
  expect(csv).toContain('"2025-09-08",2299.00,0.00,2299.00,0.00,0.00,0.00');
  expect((await reader.get('/staff/reports/nothing')).status).toBe(404);
  expect((await reader.get('/staff/reports/money?from=x&to=2025-09-30')).status).toBe(200);
});
