// @module-tag torture
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { listEnquiries } from '#app/features/inbox/enquiries/queries.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { freePort, runScript, startProgram } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
  const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '', consent: false };
  const message = '=HYPERLINK("http://x")\nsecond "line"';
  const sent = () => ({ idempotencyKey: crypto.randomUUID(), at: new Date('2025-09-08T00:00:00Z') });
  await recordEnquiry(database.db, { ...person, kind: 'contact', message, details: {} }, sent());
  const details = { item: 'course:cissp', attendees: 2 };
  await recordEnquiry(database.db, { ...person, kind: 'enrolment', message, details }, sent());
});
afterEach(() => database.drop());

async function list(...args: string[]): Promise<string> {
  const run = runScript('enquiries.ts', args, { DATABASE_URL: connectionUrl(database.connection) });
  expect(await run.end()).toBe(0);
  return run.output();
}

test('staff read what visitors sent, all of it or one kind', async () => {
  const all = await list();
  expect(all).toMatch(/BB-\w{6} {2}contact {2}2025-09-08T00:00:00\.000Z {2}new\n {2}Ada Byron <ada@example\.com>/);
  expect(all).toContain('  item: course:cissp\n  attendees: 2\n  | =HYPERLINK("http://x")\n  | second "line"\n');
  expect(all).toContain('2 enquiries');
  expect(await list('--kind', 'enrolment')).toContain('1 enquiry');
});

test('staff export enquiries as JSON, and as CSV that no spreadsheet runs as formulas', async () => {
  const json = JSON.parse(await list('--json'));
  expect(json).toHaveLength(2);
  expect(json[0]).toMatchObject({ kind: 'contact', first_name: 'Ada', details: {} });
  const csv = await list('--csv');
  expect(csv.split('\n')[0]).toBe(
    'reference,kind,created_at,first_name,last_name,email,phone,message,marketing_consent,corrects,details,state',
  );
  expect(csv).toContain(`"'=HYPERLINK(""http://x"")\nsecond ""line"""`);
});

test('deleting an enquiry is confirmed, deleting an unknown one fails', async () => {
  const [first] = JSON.parse(await list('--json'));
  expect(await list('--delete', first.reference)).toContain('1 enquiry deleted');
  const run = runScript('enquiries.ts', ['--delete', first.reference], {
    DATABASE_URL: connectionUrl(database.connection),
  });
  expect(await run.end()).toBe(1);
  expect(run.output()).toContain('0 enquiries deleted');
});

test('the running program erases expired enquiries and addresses by itself', async () => {
  await database.db
    .updateTable('enquiries')
    .set({ created_at: new Date('2099-09-06T00:00:00Z') })
    .where('kind', '=', 'contact')
    .execute();
  const old = new Date('2001-01-01T00:00:00Z');
  await database.db.updateTable('enquiries').set({ created_at: old }).where('kind', '=', 'enrolment').execute();
  await database.db.insertInto('form_attempts').values({ network: 'x', attempts: 1, ends_at: old }).execute();
  const program = await startProgram({ DATABASE_URL: connectionUrl(database.connection), TODAY: '2099-09-07' });
  const kinds = async () => (await listEnquiries(database.db)).map(({ kind }) => kind);
  await until(async () => (await kinds()).length < 2);
  // By the clock that TODAY shifts, this one came yesterday.
  expect(await kinds()).toEqual(['contact']);
  await until(async () => (await database.db.selectFrom('form_attempts').selectAll().execute()).length === 0);
  await program.end('SIGTERM');
});

test('P81: the running program takes emails until it stops, and the list has them', async () => {
  const port = await freePort();
  const program = await startProgram({
    DATABASE_URL: connectionUrl(database.connection),
    INBOUND_MAIL_PORT: String(port),
  });
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, pool: true });
  const to = 'hello@bowerbirdacademy.example';
  await transport.sendMail({ from: 'Mary Shelley <mary@example.org>', to, subject: 'A seat', text: 'Is there one?' });
  // The connection of the mail server stays open meanwhile.
  expect(await program.end('SIGTERM')).toBe(0);
  await expect(transport.sendMail({ from: 'mary@example.org', to, text: 'Too late' })).rejects.toThrow();
  transport.close();
  expect(await list('--kind', 'email')).toMatch(
    / email .* new\n {2}Mary Shelley +<mary@example\.org>\n {2}\| Is there one\?/,
  );
});
