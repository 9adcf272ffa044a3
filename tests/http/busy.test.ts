import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { torture } from '#tests/support/torture.ts';

let academy: AcademyApp;
let addresses = 0;
const somebody = () => visitor(academy, `203.0.113.${++addresses}`);
const popular = 'security-plus-online';
const wish = { attendees: '1', 'way-comptia-security-plus': `course-date:${popular}` };

beforeAll(async () => {
  academy = await openAcademyApp();
  await sql`update course_dates set capacity = 100 where slug = ${popular}`.execute(academy.database.db);
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(new Date('2025-09-08T09:00:00+10:00')));

test('P88: buyers beyond the queue read that many enrol for the course date; other courses and pages go on', async () => {
  const holder = new pg.Client(academy.database.connection);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from course_dates where slug = $1 for no key update', [popular]);
  const buyers = Array.from({ length: 35 }, somebody);
  const forms = await Promise.all(buyers.map((buyer) => buyer.filled(`/enrol?courseDate=${popular}`, wish)));
  const refused: Response[] = [];
  const answers = buyers.map(async (buyer, at) => {
    const answer = await buyer.post('/enrol', forms[at]);
    if (answer.status === 503) refused.push(answer);
    return answer.status;
  });
  // Two wait for the lock in the database and thirty in front of the gate.
  await until(() => refused.length >= 3);
  const [first] = refused;
  expect(first?.headers.get('Retry-After')).toBe('10');
  const html = (await first?.clone().text()) ?? '';
  const text = first ? await mainText(first) : '';
  expect(text).toContain('Many people are enrolling for this date at the moment, so this was not saved yet');
  expect(text).not.toContain('away');
  // The form keeps the choice.
  expect(html).toMatch(
    new RegExp(`value="course-date:${popular}"[^>]*checked|checked[^>]*value="course-date:${popular}"`),
  );

  // Those who wait there are not counted as load, for which others would be refused.
  const sitesUnderWay: number[] = [];
  academy.services.traffic.isBehind = (_visitor, sites) => {
    sitesUnderWay.push(sites);
    return false;
  };
  const other = somebody();
  const elsewhere = { attendees: '1', 'way-cissp': 'course-date:cissp-melbourne' };
  expect(await other.choose('courseDate=cissp-melbourne', elsewhere)).toMatch(/^\/enrol\//);
  expect((await academy.request('/readyz')).status).toBe(200);
  expect((await academy.request('/chat')).status).toBe(200);
  expect(Math.max(...sitesUnderWay)).toBeLessThan(5);

  await holder.query('commit');
  await holder.end();
  const statuses = await Promise.all(answers);
  // On a slow machine some of those who waited were told the same after five seconds; nobody reads that we are away.
  expect(new Set(statuses)).toEqual(new Set([303, 503]));
  for (const answer of refused) {
    if (!answer.bodyUsed) expect(await mainText(answer)).toContain('Many people are enrolling for this date');
  }
});

torture('P88: with all connections in use the program is ready, and pages say that many people are here', async () => {
  const { promise: done, resolve: letGo } = Promise.withResolvers<void>();
  const { db } = academy.services.database;
  let held = 0;
  const holding = Array.from({ length: 10 }, () =>
    db.connection().execute(async () => {
      held += 1;
      await done;
    }),
  );
  await until(() => held === 10);
  expect((await academy.request('/readyz')).status).toBe(200);
  const contact = academy.submit('/contact', {
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'ada@example.com',
    message: 'Hello from the crowd',
    interest: 'other',
  });
  const page = await academy.request(`/booking/${'0'.repeat(48)}`);
  expect(page.status).toBe(503);
  expect(page.headers.get('Retry-After')).toBe('10');
  const shown = await mainText(page);
  expect(shown).toContain('Please wait a moment');
  expect(shown).toContain('Many people are here at the moment, so we could not show this page');
  // Only a script asks again: what is served must not promise it.
  expect(shown).not.toMatch(/503|tries again automatically/);
  const accounts = await academy.request(`/accounts/${'0'.repeat(48)}`);
  expect([accounts.status, accounts.headers.get('Retry-After')]).toEqual([503, '10']);
  expect(await mainText(accounts)).toContain('Many people are here at the moment');
  const sent = await contact;
  expect(sent.status).toBe(503);
  expect(sent.headers.get('Retry-After')).toBe('10');
  const html = await sent.text();
  expect(html).toContain('Many people are here at the moment, so this was not saved yet');
  expect(html).toContain('Hello from the crowd');
  letGo();
  await Promise.all(holding);
});

test('P88: a buyer who chooses a full date is told so at once, also while others wait for its seats', async () => {
  const { db } = academy.database;
  await sql`update course_dates set capacity = (select greatest(5, sold + held + offered) from course_date_seats
    where course_date_id = id) where slug = ${popular}`.execute(db);
  const holder = new pg.Client(academy.database.connection);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from course_dates where slug = $1 for no key update', [popular]);
  const buyer = somebody();
  const six = { ...wish, attendees: '6' };
  const answer = await buyer.post('/enrol', await buyer.filled('/enrol?course=comptia-security-plus', six));
  expect([answer.status, await mainText(answer)]).toEqual([
    409,
    expect.stringMatching(/ is full| seats left, and you/),
  ]);
  await holder.query('rollback');
  await holder.end();
  await sql`update course_dates set capacity = 100 where slug = ${popular}`.execute(db);
});

test('data that cannot be read make the program not ready until its next start, and /status says so', async () => {
  const { db } = academy.services.database;
  const unreadable = sql`do $$ begin raise exception 'invalid page in block 0' using errcode = 'XX001'; end $$`;
  await expect(unreadable.execute(db)).rejects.toThrow('invalid page');
  const ready = await academy.request('/readyz');
  expect([ready.status, await ready.text()]).toEqual([503, 'not ready: database damaged: invalid page in block 0\n']);
  expect(await mainText(await academy.request('/status'))).toMatch(/Database\s?: Damaged/);
});
