import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteEnquiries } from '#app/features/enquiries/commands.server.ts';
import { formSecret, listEnquiries } from '#app/features/enquiries/queries.server.ts';
import { type Enquiries, freshForm, submitEnquiry } from '#app/features/enquiries/submit.server.ts';
import { createRateLimit } from '#app/http/rate-limit.server.ts';
import { clockFixedOn } from '#app/lib/clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let enquiries: Enquiries;
let now: Date;

beforeEach(async () => {
  database = await createTestDatabase();
  now = new Date('2025-09-08T00:00:00Z');
  enquiries = {
    db: database.db,
    clock: clockFixedOn('2025-09-08'),
    trueNow: () => now,
    secret: await formSecret(database.db),
    limit: createRateLimit({ attempts: 5, windowMs: 60_000 }),
    log: { warn: () => undefined },
  };
});
afterEach(() => database.drop());

const person = { firstName: 'Ada', lastName: "O'Byron", email: 'ada@example.com', message: 'Line one\nLine two' };

function filled(parts: Record<string, string> = {}): FormData {
  const form = new FormData();
  const { token } = freshForm(enquiries);
  for (const [name, value] of Object.entries({ ...person, form: token, website: '', ...parts })) form.set(name, value);
  now = new Date(now.getTime() + 10_000);
  return form;
}
const send = (form: FormData, parts: Partial<Parameters<typeof submitEnquiry>[1]> = {}) =>
  submitEnquiry(enquiries, { form, kind: 'contact', address: '203.0.113.9', isOffered: () => true, ...parts });

test('P23: what was sent is stored as it was, with a reference', async () => {
  const result = await send(filled({ interest: 'cloud-security', consent: 'on' }));
  expect(result).toMatchObject({ ok: true, reference: expect.stringMatching(/^BB-/) });
  const [row] = await listEnquiries(database.db);
  expect(row).toMatchObject({
    ...{ kind: 'contact', first_name: 'Ada', last_name: "O'Byron", message: 'Line one\nLine two', phone: null },
    ...{ marketing_consent: true, details: { interest: 'cloud-security' } },
  });
});

test('P25: the same form sent again, or twenty times at once, is one enquiry with one reference', async () => {
  const form = filled();
  const results = await Promise.all(Array.from({ length: 20 }, (_, at) => send(form, { address: `203.0.113.${at}` })));
  const references = results.map((result) => (result.ok ? result.reference : 'refused'));
  expect(new Set(references).size).toBe(1);
  expect(await listEnquiries(database.db)).toHaveLength(1);
});

test('P23: a refusal keeps every word, and its token, so that the mended form is still the same one', async () => {
  const form = filled({ email: 'nowhere' });
  const result = await send(form);
  expect(result).toMatchObject({
    ok: false,
    status: 400,
    form: { values: { firstName: 'Ada', email: 'nowhere', message: 'Line one\nLine two' }, token: form.get('form') },
  });
  expect(await listEnquiries(database.db)).toEqual([]);
});

test('P24: the trap, a forged form, a hasty one, and too many are refused, in words that say what to do', async () => {
  expect(await send(filled({ website: 'http://spam.example' }))).toMatchObject({ ok: false, status: 403 });
  expect(await send(filled({ form: 'made-up' }))).toMatchObject({ ok: false, status: 403 });
  const hasty = filled();
  now = new Date(now.getTime() - 9000);
  expect(await send(hasty)).toMatchObject({
    ok: false,
    status: 403,
    form: { fault: expect.stringContaining('once more') },
  });
  for (let sent = 0; sent < 5; sent++) expect(await send(filled())).toMatchObject({ ok: true });
  expect(await send(filled())).toMatchObject({
    ...{ ok: false, status: 429, form: { fault: expect.stringContaining('wait ten minutes') } },
  });
  expect(await send(filled(), { address: '203.0.113.77' })).toMatchObject({ ok: true });
});

test('P37: with the database away a form says so plainly and keeps what was typed', async () => {
  const form = filled();
  await database.db.destroy();
  const result = await send(form);
  expect(result).toMatchObject({
    ...{
      ok: false,
      status: 503,
      form: { values: person, fault: expect.stringContaining('cannot take this right now') },
    },
  });
  const again = await createTestDatabase();
  await database.drop().catch(() => undefined);
  database = again;
});

test('P24, P25: a repeat of what is stored gets its reference, whatever the limit says', async () => {
  const form = filled();
  const first = await send(form);
  for (let sent = 0; sent < 5; sent++) await send(filled());
  expect(await send(filled())).toMatchObject({ status: 429 });
  expect(await send(form)).toEqual(first);
});

test('control characters are dropped, and a name stays one line', async () => {
  const result = await send(filled({ firstName: 'A\u0000da\u001b[2J\nBB-FORGED', message: 'a\u0000b\r\nc' }));
  expect(result).toMatchObject({ ok: true });
  const [row] = await listEnquiries(database.db);
  expect(row).toMatchObject({ first_name: 'Ada[2J BB-FORGED', message: 'ab\nc' });
});

test('what the server adds stands in the details', async () => {
  const enrolment = { item: 'course:cissp', attendees: '2', payer: 'myself' };
  const describe = () => ({ label: 'CISSP', priceCents: 549_900 });
  await send(filled(enrolment), { kind: 'enrolment', describe });
  const [row] = await listEnquiries(database.db);
  expect(row?.details).toMatchObject({ item: 'course:cissp', attendees: 2, label: 'CISSP', priceCents: 549_900 });
});

test('enquiries can be deleted: one by its reference, or all that are old', async () => {
  const first = await send(filled());
  await send(filled());
  expect(await deleteEnquiries(database.db, { reference: first.ok ? first.reference : '' })).toBe(1);
  expect(await deleteEnquiries(database.db, { before: new Date('2025-09-01T00:00:00Z') })).toBe(0);
  expect(await deleteEnquiries(database.db, { before: new Date('2025-09-09T00:00:00Z') })).toBe(1);
  expect(await listEnquiries(database.db)).toEqual([]);
});

test('every process signs forms with the same key', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => formSecret(database.db)));
  expect(new Set([...keys, enquiries.secret]).size).toBe(1);
});
