import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '#app/db/schema.ts';
import { cancelSeats, lockCourseDates, sellSeats } from '#app/features/course-dates/seats.server.ts';
import { confirmEntry, joinWaitingList } from '#app/features/enrolments/waiting/entries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { addDays, dayIn } from '#app/lib/dates.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

/** Whether the mail server takes what it is given. */
let isWell = false;
let academy: AcademyApp;
let ada: SignedIn;
let server: Awaited<ReturnType<typeof startSmtpServer>>;
beforeAll(async () => {
  server = await startSmtpServer({ onMessage: () => (isWell ? 'take' : 'defer') });
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}` };
  academy = await openAcademyApp({ env, jobs: true });
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(async () => {
  await academy.close();
  await server.close();
});

const startsOn = addDays('2025-09-08', 60);
const mails = () =>
  academy.database.db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'state', 'body_text', 'body_html'])
    .orderBy('recipient')
    .orderBy('kind')
    .execute();
const linkCount = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from private_links`.execute(academy.database.db);
  return Number(rows[0]?.count);
};
function moment(): Moment {
  const { clock, academy: sender } = academy.services.academy;
  const now = clock.now();
  return { now, today: dayIn('Australia/Brisbane', now), academy: sender() };
}

/** The time until the next attempt goes by. */
const hurry = () =>
  sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`.execute(
    academy.database.db,
  );

/** A seat is offered to somebody who waits for a full date. */
async function offer(email: string): Promise<void> {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { capacity: 1, startsOn });
  const change = (run: 'sell' | 'cancel') =>
    db.transaction().execute(async (trx) => {
      const locked = (await lockCourseDates(trx, [courseDate.id], academy.now())).get(courseDate.id);
      if (locked && run === 'sell') await sellSeats(trx, locked, [1_000_001], academy.now());
      if (locked && run === 'cancel') await cancelSeats(trx, locked, [1_000_001], academy.now());
    });
  await change('sell');
  await db.transaction().execute(async (trx) => {
    const wish = { courseId: courseDate.courseId, courseDateId: courseDate.id, seats: 1, name: 'Mary Shelley', email };
    const joined = await joinWaitingList(trx, wish, moment());
    if (joined.ok) await confirmEntry(trx, joined.entryId, moment());
  });
  await change('cancel');
}

test('after an outage of days every confirmation, document and offer is sent again, once, with links that open', async () => {
  const { db } = academy.database;
  await placeIn(db, await makeCourseDate(db, { startsOn }), {
    buyer: { name: 'Grace Hopper', email: 'grace@example.com', phone: null },
    attendees: [attendee({ name: 'Katherine Johnson', email: 'katherine@example.com' })],
  });
  const page = '/book/career-counseling?date=2025-09-09';
  const html = await (await academy.request(page)).text();
  const start = /name="start"[^>]* value="([^"]+)"/.exec(html)?.[1] ?? '';
  const booked = await academy.submit(page, { name: 'Booker', email: 'booker@example.com', note: '', start });
  expect(booked.status).toBe(303);
  await offer('mary@example.com');
  const wanted = [
    'booker@example.com booking-confirmation',
    'grace@example.com enrolment-placed',
    'katherine@example.com place-given',
    'mary@example.com waiting-joined',
    'mary@example.com waiting-offer',
  ];
  const toCustomers = async () => (await mails()).filter(({ recipient }) => recipient.endsWith('@example.com'));
  const told = async () => (await toCustomers()).map(({ recipient, kind }) => `${recipient} ${kind}`);
  await until(async () => (await told()).length === wanted.length);
  expect(await told()).toEqual(wanted);

  // Every mail is put off, again and again.
  const attempts = (outcome: DB['mail_attempts']['outcome']) =>
    db.selectFrom('mail_attempts').select(['mail_id', 'number']).where('outcome', '=', outcome).execute();
  for (let round = 1; round <= 3; round++) {
    await until(async () => {
      await hurry();
      const numbers = await attempts('deferred');
      return (await mails()).every(({ id }) => numbers.some((one) => one.mail_id === id && one.number >= round));
    });
  }
  // The clock goes on, past the last attempt.
  await db.updateTable('mails').set({ tries_from: sql<Date>`now() - interval '30 days'` }).execute();
  await until(async () => {
    await hurry();
    return (await mails()).every(({ state }) => state === 'failed');
  });
  // No link is in the database, and what was made for an attempt is gone; the buyer's page has the one it was answered with.
  for (const { body_text, body_html } of await mails())
    expect(body_text + body_html).not.toMatch(/(?<!unsubscribe)\/[0-9a-f]{48}/);
  expect(await linkCount()).toBe(1);
  expect(server.taken).toEqual([]);

  // The mails failed by the program's own clock, which ran on meanwhile; the page is read later than that.
  academy.setNow(new Date(academy.now().getTime() + 600_000));
  const before = await (await ada.get('/staff/mail')).text();
  const count = (await mails()).length;
  expect(before).toContain(`Send all ${count} again`);
  expect(before).toContain('Not sent: 451 Try again later');
  const upTo = /name="upTo" value="([^"]*)"/.exec(before)?.[1] ?? '';
  const form = { ...carriedBy(before, 'all'), since: '', upTo };
  isWell = true;
  const answers = [await ada.post('/staff/mail', form), await ada.post('/staff/mail', form)];
  expect(answers.map((one) => one.headers.get('Location'))).toEqual([
    `/staff/mail?queued=${count}`,
    '/staff/mail?queued=0',
  ]);
  const said = await mainText(await ada.get(`/staff/mail?queued=${count}&erased=1&nowhere=2`));
  expect(said).toContain(`${count} emails wait to be sent again.`);
  expect(said).toContain('1 email was not sent again: the text was deleted');
  await until(async () => (await mails()).every(({ state }) => state === 'sent'));
  const entry = db.selectFrom('audit_entries').select(['person_id', 'details']).where('subject', '=', 'mail:all');
  expect(await entry.execute()).toEqual([{ person_id: ada.id, details: { queued: count } }]);

  // One copy each, with its document, and with a link that opens the page of what it is about.
  const taken = await Promise.all(
    server.taken
      .filter(({ recipient }) => recipient.endsWith('@example.com'))
      .map(async ({ recipient, raw }) => ({ recipient, mail: await PostalMime.parse(raw) })),
  );
  expect(taken.map(({ recipient }) => recipient).sort()).toEqual(wanted.map((one) => one.split(' ')[0]));
  expect(server.taken).toHaveLength(count);
  const shows: Record<string, string> = {
    'booker@example.com': 'Booker',
    'grace@example.com': 'Katherine Johnson',
    'katherine@example.com': 'Katherine Johnson',
    'mary@example.com': 'We are keeping seats for you',
  };
  for (const { recipient, mail } of taken) {
    const link = /http:\/\/localhost:3000(\/(?:enrolment|place|waiting|booking)\/[0-9a-f]{48})/.exec(
      mail.text ?? '',
    )?.[1];
    expect(mail.html, recipient).toContain(link);
    const response = await academy.request(link ?? '/no-link');
    expect(response.status, recipient).toBe(200);
    if (recipient !== 'booker@example.com') expect(await mainText(response)).toContain(shows[recipient]);
  }
  const confirmation = taken.find(({ recipient }) => recipient === 'grace@example.com')?.mail;
  const documents = confirmation?.attachments.map(({ filename, content }) => [
    filename,
    Buffer.from(content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
  ]);
  expect(documents).toEqual([[expect.stringMatching(/^INV.*\.pdf$/), '%PDF-']]);

  // The 72 hours of the offer run from when it was taken.
  const timed = () =>
    db
      .selectFrom('waiting_offers')
      .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
      .innerJoin('mails', 'mails.id', 'mail_id')
      .select(['seat_holds.expires_at as until', 'mails.settled_at as sent', 'waiting_offers.ended_at as ended'])
      .executeTakeFirstOrThrow();
  await until(async () => (await timed()).until !== null);
  const { until: end, sent, ended } = await timed();
  expect([(end?.getTime() ?? 0) - (sent?.getTime() ?? 0), ended]).toEqual([72 * 60 * 60 * 1000, null]);
});
