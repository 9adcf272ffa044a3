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
  const found = [...list.matchAll(/href="(\/staff\/reports\/[a-z-]+)"/g)].map(([, address = '']) => address);
  const addresses = [...new Set(found)];
  expect(addresses).toHaveLength(12);
  for (const address of addresses) {
    const page = await reader.get(`${address}?from=2025-09-01&to=2025-09-30`);
    const html = await page.text();
    expect(page.status, address).toBe(200);
    expect(html).toContain('1 to 30 September 2025');
    expect(html).toContain('What is counted');
    const file = /href="([^"]*report\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const csv = await reader.get(file);
    expect(csv.headers.get('Content-Disposition')).toContain('-2025-09-01-to-2025-09-30.csv');
  }
  const money = await (await reader.get('/staff/reports/money?from=2025-09-01&to=2025-09-30')).text();
  expect(money.match(/<figure/g)).toHaveLength(2);
  expect(money).not.toContain('style=');
  const csv = await (await reader.get('/staff/report.csv?report=money&from=2025-09-01&to=2025-09-30')).text();
  expect(csv).toContain('"2025-09-08",2299.00,0.00,2299.00,0.00,0.00,0.00');
  expect((await reader.get('/staff/reports/nothing')).status).toBe(404);
  const backwards = await reader.get('/staff/reports/money?from=2025-09-30&to=2025-09-01');
  expect(await backwards.text()).toContain(
    'The last day is before the first. The last twelve weeks are shown instead.',
  );
});

test('P85: six figures say how the academy is doing, with what they were before', async () => {
  academy.setNow(new Date('2025-09-15T09:00:00+10:00'));
  const shown = (await (await reader.get('/staff/reports')).text())
    .replaceAll(/<!-- -->|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  expect(shown).toContain('Invoiced in the last 4 weeks AU$2,299.00 0.00 in the 4 before');
  expect(shown).toContain('Places sold in the last 4 weeks 1 0 in the 4 before');
  for (const title of ['Received', 'Late', 'Seats sold', 'Answered in time']) expect(shown).toContain(title);
});

/** As a browser asks for a page that it shows, from a network of its own. */
const opened = (path: string, headers: Record<string, string> = {}, from = '192.0.2.7') =>
  academy.request(path, {
    from,
    headers: {
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
      'User-Agent': 'Mozilla/5.0 Firefox/140.0',
      ...headers,
    },
  });
const table = async (slug: string) =>
  (await (await reader.get(`/staff/report.csv?report=${slug}&from=2025-09-08&to=2025-09-08`)).text()).split('\r\n');

test('P85: pages of courses are counted when they are read, and checkouts when they are begun', async () => {
  const path = '/course/ccsp';
  // Rendered, from memory, and in place of the page before.
  await opened(path);
  const head = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', host: 'localhost:3000' };
  const question = { method: 'GET', url: path, headers: head } as never;
  expect(academy.recall(question)?.status).toBe(200);
  await opened(`${path}.data`, { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' });
  // None of these is read by anybody.
  await opened(path, { 'Sec-Purpose': 'prefetch' });
  await opened(path, { 'User-Agent': 'Mozilla/5.0 (compatible; Examplebot/2.1)' });
  await academy.request(path);
  await opened('/course/no-such-course');
  await opened('/faq');
  const page = await (await academy.request('/enrol?course=ccsp')).text();
  const fields = [...page.matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
  const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]));
  const sent = { ...form, attendees: '1', 'way-ccsp': 'guided', 'monday-ccsp': '2025-09-15' };
  const begin = () =>
    academy.request('/enrol', {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(sent),
    });
  await begin();
  await academy.services.visits.store();
  await academy.services.visits.store();
  const [, row] = (await table('page-to-payment')).filter((line, at) => at === 0 || line.includes('CCSP'));
  expect(row).toMatch(/,3,1,0,0$/);
});

test('P85: words that no course matches are shown once three networks searched for them', async () => {
  const search = (words: string, from: string, where = '/courses') =>
    opened(`${where}?search=${encodeURIComponent(words)}`, {}, from);
  for (const from of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    await search('Underwater  Basket', from);
    await search('underwater basket weav', from);
    await search('underwater basket weaving', from);
    await search('cissp', from);
    await search('jane@example.com', from);
  }
  for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) await search('yoga', from, '/');
  await academy.services.visits.store();
  expect(await table('searches')).toEqual([
    '"Words","Times"',
    '"underwater basket weaving",3',
    '"Words not kept",5',
    '',
  ]);
});
