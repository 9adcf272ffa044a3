import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let owner: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  owner = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const health = async () => mainText(await owner.get('/staff/health'));

test('P94: /staff/health has a line for each part of the program', async () => {
  const page = await health();
  expect(page).toMatch(/Pages ?Good ?Compared with the database \d+ s ago\./);
  expect(page).toMatch(/Database ?Good ?It takes writes\./);
  expect(page).toMatch(/Jobs ?Good ?None failed\./);
  expect(page).toMatch(/Connections ?Good ?\d+ of 10 in use\. Requests that wait for one: 0\./);
  expect(page).toMatch(/Disk ?(Good|Look at it) ?[\d.]+ of [\d.]+ GB free at \//);
});

test('P94: a job that failed and a statement that took long are named', async () => {
  const { db } = academy.services.database;
  const fault = { job: 'send links', item: 'part:1', message: 'x', first_at: new Date(), last_at: new Date() };
  await db.insertInto('job_faults').values(fault).execute();
  await sql`select pg_sleep(${1.1})`.execute(db);
  const page = await health();
  expect(page).toMatch(/Jobs ?Look at it ?1 failed\./);
  expect(page).toMatch(/Slow statements ?Look at it ?1 took longer than a second in the last hour\./);
  expect(page).toContain('select pg_sleep($1)');
});

test('P94: the line of a request in the log has the trace id of a proxy, and nothing else that it sent', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const logOf = async (traceparent: string) => {
    academy.logged.length = 0;
    await academy.request('/login', { headers: { traceparent } });
    return academy.logged.join('');
  };
  expect(await logOf(`00-${trace}-00f067aa0ba902b7-01`)).toContain(`"trace":"${trace}"`);
  expect(await logOf('00-none-of-it-01')).not.toContain('trace');
});
