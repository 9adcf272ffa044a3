import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordEnquiry } from '#app/features/enquiries/commands.server.ts';
import { connectionUrl } from '#tests/support/codegen.ts';
import { runScript } from '#tests/support/program.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  const enquiry = {
    ...{ firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '', consent: false },
    message: '=HYPERLINK("http://x")\nsecond "line"',
  };
  const now = new Date('2025-09-08T00:00:00Z');
  const contact = { ...enquiry, kind: 'contact' as const, idempotencyKey: crypto.randomUUID(), details: {} };
  await recordEnquiry(database.db, contact, now);
  const request = { ...contact, kind: 'enrolment' as const, idempotencyKey: crypto.randomUUID() };
  await recordEnquiry(database.db, { ...request, details: { item: 'course:cissp', attendees: 2 } }, now);
});
afterEach(() => database.drop());

async function list(...args: string[]): Promise<string> {
  const run = runScript('enquiries.ts', args, { DATABASE_URL: connectionUrl(database.connection) });
  expect(await run.end()).toBe(0);
  return run.output();
}

test('staff read what visitors sent, all of it or one kind', async () => {
  const all = await list();
  expect(all).toMatch(/BB-\w{6} {2}contact {2}2025-09-08T00:00:00\.000Z\n {2}Ada Byron <ada@example\.com>/);
  expect(all).toContain('item: course:cissp, attendees: 2');
  expect(all).toContain('2 enquiries');
  expect(await list('--kind', 'enrolment')).toContain('1 enquiry');
});

test('and take it elsewhere: JSON, and CSV that no spreadsheet runs', async () => {
  const json = JSON.parse(await list('--json'));
  expect(json).toHaveLength(2);
  expect(json[0]).toMatchObject({ kind: 'contact', first_name: 'Ada', details: {} });
  const csv = await list('--csv');
  expect(csv.split('\n')[0]).toBe(
    'reference,kind,created_at,first_name,last_name,email,phone,message,marketing_consent,details',
  );
  expect(csv).toContain(`"'=HYPERLINK(""http://x"")\nsecond ""line"""`);
});
