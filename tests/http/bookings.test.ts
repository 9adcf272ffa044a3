import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { carriedBy, signInStaff } from '#tests/support/staff.ts';

const opening = new Date('2025-09-08T09:00:00+10:00');
let academy: AcademyApp;
/** Mails of the tests before: they are delivered meanwhile, so they are left alone. */
const earlier = new Set<string>();
beforeAll(async () => {
  academy = await openAcademyApp({
    edit: ({ site }) => {
      site.bookings.advisers = 1;
    },
  });
});
beforeEach(async () => {
  academy.setNow(opening);
  const { db } = academy.database;
  await sql`delete from bookings`.execute(db);
  await sql`delete from form_attempts`.execute(db);
  await sql`delete from mail_counts`.execute(db);
  for (const { id } of await db.selectFrom('mails').select('id').execute()) earlier.add(id);
});
afterAll(() => academy.close());

const page = '/book/career-counseling';
const nine = '2025-09-08T23:00:00.000Z';
const quarterToTen = '2025-09-08T23:45:00.000Z';
const person = { name: 'Ada Byron', email: 'ada@example.com', note: 'By telephone: 0412 345 678' };

/** The text of a page's main part as a person reads it. */
function textOf(html: string): string {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const plain = main
    .replaceAll(/<(script|select)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ');
  return plain.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ');
}
const read = async (address: string) => textOf(await (await academy.request(address)).text());
const timesOn = async (address: string) => {
  const html = await (await academy.request(address)).text();
  return [...html.matchAll(/name="start"[^>]* value="([^"]+)"|value="([^"]+)"[^>]* name="start"/g)].map(
    ([, a, b]) => a ?? b ?? '',
  );
};

async function mails() {
  const rows = await academy.database.db
    .selectFrom('mails')
    .select(['kind', 'recipient', 'reply_to', 'subject', 'body_text', 'calendar', 'stale_after', 'id'])
    .orderBy('queued_at')
    .orderBy('kind')
    .execute();
  return rows
    .filter(({ id }) => !earlier.has(id))
    .map((row) => {
      const calendar = row.calendar as { method: string; content: string } | null;
      return { ...row, method: calendar?.method ?? null, ics: (calendar?.content ?? '').replaceAll('\r\n ', '') };
    });
}
const mailOf = async (kind: string) => (await mails()).filter((mail) => mail.kind === kind).at(-1);
const linkIn = async (text: string | undefined) =>
  /\/booking\/[\w-]+/.exec(await withLinks(academy.database.db, text))?.[0] ?? 'none';
const post = (address: string, fields: Record<string, string>) =>
  academy.request(address, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });

test('P20: the free times of a day are offered in Brisbane time, and beside it in a zone one asks for', async () => {
  // Without a day it is the first that has a free time: today, two hours ahead.
  const text = await read(page);
  expect(text).toContain('Monday 8 September 2025, Brisbane time');
  // The King's Birthday.
  expect(text).toContain('Monday 6 October 2025: 6 Oct none');
  expect(text).toContain('11:15 AM');
  expect(text).not.toContain('10:30 AM');
  const elsewhere = await read(`${page}?date=2025-09-09&zone=America/New_York`);
  expect(elsewhere).toContain('9:00 AM Mon 7:00 PM in New York');
  // Sydney's clocks went forward on 5 October.
  expect(await read(`${page}?date=2025-10-03&zone=Australia/Sydney`)).not.toContain('in Sydney');
  expect(await read(`${page}?date=2025-10-04&zone=Australia/Sydney`)).not.toContain('in Sydney');
  academy.setNow(new Date('2025-09-09T09:00:00+10:00'));
  expect(await read(`${page}?date=2025-10-07&zone=Australia/Sydney`)).toContain('9:00 AM 10:00 AM in Sydney');
  expect((await academy.request('/book/constructor')).status).toBe(404);
});

test('P20, P49: a booking is confirmed by email with a calendar entry, and shown only to who made it', async () => {
  const response = await academy.submit(`${page}?about=course:cissp&zone=Europe/London`, { ...person, start: nine });
  expect(response.status).toBe(303);
  const location = response.headers.get('Location') ?? '';
  expect(location).toMatch(/^\/booked\/BB-[2-9A-HJ-NP-Z]{6}\?proof=/);
  const own = await read(location);
  for (const fact of [
    'Tuesday 9 September 2025',
    '9:00 AM to 9:30 AM Brisbane time',
    '12:00 AM in London',
    'ada@example.com',
    'Certified Information Systems',
  ])
    expect(own).toContain(fact);
  const others = await (await academy.request(location.split('?')[0] ?? '')).text();
  for (const secret of ['ada@', 'Byron', '9:00', '0412']) expect(textOf(others)).not.toContain(secret);

  const [confirmation, notice, ...more] = await mails();
  expect(more).toEqual([]);
  expect(confirmation).toMatchObject({
    kind: 'booking-confirmation',
    recipient: 'ada@example.com',
    reply_to: 'hello@bowerbirdacademy.example',
    method: 'REQUEST',
    stale_after: null,
  });
  // Nothing a stranger typed goes to the address.
  for (const typed of ['Ada', 'Byron', '0412']) {
    expect(`${confirmation?.subject}${confirmation?.body_text}${confirmation?.ics}`).not.toContain(typed);
  }
  expect(confirmation?.body_text).toContain('Tuesday 9 September 2025, 9:00 AM to 9:30 AM Brisbane time');
  const ics = confirmation?.ics ?? '';
  expect(ics).toContain('METHOD:REQUEST');
  expect(ics).toMatch(/UID:booking-[0-9a-f-]{36}@bowerbird-academy/);
  expect(ics).toContain('SEQUENCE:0');
  expect(ics).toContain(`DTSTART:20250908T230000Z`);
  expect(ics).toContain(`DTEND:20250908T233000Z`);
  expect(ics).toMatch(/ORGANIZER;CN="?Bowerbird Academy"?:mailto:hello@bowerbirdacademy\.example/i);
  expect(ics).toMatch(/ATTENDEE.*mailto:ada@example\.com/i);
  expect(ics).toContain('Declining in your calendar does not cancel');
  expect(ics).not.toContain('/booking/');
  expect(notice).toMatchObject({
    kind: 'booking-notice',
    recipient: 'hello@bowerbirdacademy.example',
    reply_to: 'ada@example.com',
  });
  for (const fact of ['Ada Byron', '> By telephone', 'Certified Information', 'Tuesday 9 September 2025'])
    expect(notice?.body_text).toContain(fact);
});

test('P20: a time that somebody else just took is a 409 that keeps every word and chooses the next time', async () => {
  expect(await timesOn(`${page}?date=2025-09-09`)).toContain(nine);
  await academy.submit(page, { ...person, start: nine });
  expect(await timesOn(`${page}?date=2025-09-09`)).not.toContain(nine);
  const late = await academy.submit(`${page}?date=2025-09-10`, { ...person, email: 'bob@example.com', start: nine });
  expect(late.status).toBe(409);
  const html = await late.text();
  expect(textOf(html)).toContain(
    'Tuesday 9 September 2025, 9:00 AM Brisbane time has just been taken by someone else. The next free time is Tuesday 9 September 2025, 9:45 AM Brisbane time.',
  );
  expect(html).toContain('value="bob@example.com"');
  expect(html).toContain('By telephone: 0412 345 678');
  expect(html).toMatch(new RegExp(`<input[^>]*checked=""[^>]*value="${quarterToTen}"`));
  expect((await mails()).length).toBe(2);
});

test('P23: a missing field is named, and nothing is booked', async () => {
  const response = await academy.submit(page, { email: 'nowhere' });
  expect(response.status).toBe(400);
  const text = textOf(await response.text());
  for (const fault of ['Choose a time.', 'Enter your name.', 'Enter an email address such as'])
    expect(text).toContain(fault);
  for (const start of ['2025-09-09T09:00', '2025-09-09T02:50:00.000Z', '+275760-09-13T00:00:00.000Z', 'x']) {
    expect((await academy.submit(page, { ...person, start })).status).toBeGreaterThanOrEqual(400);
  }
  expect(await mails()).toEqual([]);
});

test('P24: a visitor who got an email within the hour can still book, and gets the confirmation after it', async () => {
  const email = 'grace@example.com';
  const message = { firstName: 'Grace', lastName: 'Hopper', email, message: 'Before I book' };
  expect((await academy.submit('/contact', message)).status).toBe(303);
  const booked = await academy.submit(page, { ...person, email, start: nine });
  expect(booked.status).toBe(303);
  expect(await read(booked.headers.get('Location') ?? '')).toContain('we send it when the hour is over');
  const later = await academy.submit('/contact', { ...message, message: 'After it' });
  expect(later.status).toBe(303);
  const toHer = (await mails()).filter(({ recipient }) => recipient === email);
  expect(toHer.map(({ kind }) => kind)).toEqual(['contact-acknowledgement', 'booking-confirmation']);
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from start_after - created_on)::int as wait from pgboss.job
    where data ->> 'mailId' in (select id::text from mails where recipient = ${email}) order by wait
  `.execute(academy.database.db);
  // The acknowledgement may have been delivered already, and its job deleted.
  const wait = rows.at(-1)?.wait ?? 0;
  expect([wait > 3500, wait <= 3600]).toEqual([true, true]);
});

test('P25: sent again, a booking is the same, and nothing more is mailed', async () => {
  const asked = { ...person, start: nine };
  const [first, second] = [await academy.submit(page, asked), await academy.submit(page, asked)];
  const referenceOf = (response: Response) => response.headers.get('Location')?.slice(0, 17);
  expect(referenceOf(second)).toBe(referenceOf(first));
  expect(await mails()).toHaveLength(2);
  const soon = await academy.submit(page, { ...asked, note: '', start: quarterToTen });
  expect(soon.status).toBe(409);
  expect(textOf(await soon.text())).toContain('less than an hour ago');
});

test('P20: an address with a booking at that time is told so, without what is booked', async () => {
  await academy.submit('/book/career-counseling', { ...person, start: nine });
  academy.setNow(new Date('2025-09-08T11:00:00+10:00'));
  const again = await academy.submit('/book/virtual-tour', { ...person, name: 'Somebody', start: nine });
  expect(again.status).toBe(409);
  const text = textOf(await again.text());
  expect(text).toContain('This address has a booking at that time already.');
  expect(text).not.toContain('Career');
});

test('P20: the private link shows, moves and cancels; reading it changes nothing', async () => {
  await academy.submit(page, { ...person, start: nine });
  const link = await linkIn((await mailOf('booking-confirmation'))?.body_text);
  const response = await academy.request(link);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
  const shown = textOf(await response.text());
  for (const fact of ['Tuesday 9 September 2025', '9:00 AM to 9:30 AM']) expect(shown).toContain(fact);
  for (const query of ['?intent=cancel', `?intent=move&start=${quarterToTen}`, '?done=cancelled'])
    await academy.request(`${link}${query}`);
  expect(await mails()).toHaveLength(2);
  // Its own time is among those it may have.
  expect(await timesOn(`${link}?date=2025-09-09`)).toContain(nine);
  const proved = academy.database.db
    .selectFrom('person_emails')
    .select('verified_at')
    .where('email', '=', person.email);
  expect(await proved.execute()).toEqual([{ verified_at: null }]);

  // A file to download names nobody else and holds no link; declining it tells nobody.
  const file = await academy.request(`${link}/booking.ics`);
  expect(file.headers.get('Content-Disposition')).toMatch(/^attachment; filename="BB-\w{6}\.ics"$/);
  expect([
    file.headers.get('Content-Type'),
    file.headers.get('Cache-Control'),
    file.headers.get('X-Robots-Tag'),
  ]).toEqual(['text/calendar; charset=utf-8', 'no-store', 'noindex, nofollow']);
  const published = (await file.text()).replaceAll('\r\n ', '');
  for (const part of ['METHOD:PUBLISH', 'SEQUENCE:0', 'STATUS:CONFIRMED', 'ORGANIZER', 'Declining in your calendar'])
    expect(published).toContain(part);
  expect(published).not.toMatch(/ATTENDEE|\/booking\/|ada@example/);
  const uid = /UID:.*/.exec(published)?.[0];
  expect((await academy.request('/booking/aaaa/booking.ics')).status).toBe(404);

  const moved = await post(`${link}?zone=Europe/London`, { intent: 'move', start: quarterToTen });
  expect([moved.status, moved.headers.get('Location')]).toEqual([303, `${link}?done=moved&zone=Europe%2FLondon`]);
  expect(await read(`${link}?done=moved`)).toContain('Your booking was moved');
  // P50: a visitor who uses the link that was mailed has the address.
  expect(await proved.execute()).toEqual([{ verified_at: expect.any(Date) }]);
  expect(await timesOn(`${page}?date=2025-09-09`)).toContain(nine);
  const second = await mailOf('booking-moved');
  expect(second).toMatchObject({ recipient: 'ada@example.com', method: 'REQUEST' });
  expect(second?.body_text).toContain('New time: Tuesday 9 September 2025, 9:45 AM');
  expect(second?.body_text).toContain('Instead of: Tuesday 9 September 2025, 9:00 AM');
  expect(second?.ics).toContain('SEQUENCE:1');
  const newLink = await linkIn(second?.body_text);
  expect(newLink).not.toBe(link);

  await academy.submit(page, { ...person, email: 'bob@example.com', start: nine });
  const taken = await post(newLink, { intent: 'move', start: nine });
  expect(taken.status).toBe(409);
  expect(textOf(await taken.text())).toContain('has just been taken by someone else');
  expect((await post(newLink, { intent: 'move' })).status).toBe(400);
  expect(
    (await academy.request(newLink, { method: 'POST', body: new URLSearchParams({ intent: 'cancel' }) })).status,
  ).toBe(403);

  for (const path of [newLink, link]) expect((await post(path, { intent: 'cancel' })).status).toBe(303);
  expect(await read(link)).toContain('This booking is cancelled');
  expect(await timesOn(`${page}?date=2025-09-09`)).toContain(quarterToTen);
  const all = await mails();
  expect(all.filter(({ kind }) => kind === 'booking-cancelled')).toHaveLength(1);
  const third = await mailOf('booking-cancelled');
  expect(third).toMatchObject({ method: 'CANCEL' });
  for (const part of ['METHOD:CANCEL', 'STATUS:CANCELLED', 'SEQUENCE:2', 'DTSTART:20250908T234500Z'])
    expect(third?.ics).toContain(part);
  const uids = all
    .filter(({ recipient, ics }) => recipient === 'ada@example.com' && ics)
    .map(({ ics }) => /UID:.*/.exec(ics)?.[0]);
  expect(new Set([...uids, uid]).size).toBe(1);
  const withdrawn = await (await academy.request(`${link}/booking.ics`)).text();
  for (const part of ['METHOD:PUBLISH', 'STATUS:CANCELLED', 'SEQUENCE:2']) expect(withdrawn).toContain(part);
  expect(all.filter(({ kind }) => kind === 'booking-notice').map(({ subject }) => subject.slice(0, 18))).toEqual([
    'New booking: Caree',
    'Booking moved: Car',
    'New booking: Caree',
    'Booking cancelled:',
  ]);
  const notThere = await academy.request('/booking/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  expect(notThere.status).toBe(404);
});

test('P37: while the database is away the page says so, keeps what was typed, and the link loses nothing', async () => {
  const link = '/booking/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  const { academy: context } = academy.services;
  const db = context.db;
  const away = createDb({ ...academy.database.connection, host: '/nowhere' }, () => undefined);
  const token = /name="form"[^>]* value="([^"]+)"/.exec(await (await academy.request(page)).text())?.[1] ?? '';
  academy.setNow(new Date(opening.getTime() + 5000));
  context.db = away;
  context.forms.db = away;
  try {
    expect((await academy.request(page)).status).toBe(503);
    expect((await academy.request(link)).status).toBe(503);
    expect((await academy.request(`${link}/booking.ics`)).status).toBe(503);
    expect((await academy.request('/booked/BB-7KQ2MX')).status).toBe(503);
    expect((await post(link, { intent: 'cancel' })).status).toBe(503);
    const refused = await post(page, { ...person, start: nine, form: token });
    expect(refused.status).toBe(503);
    const html = await refused.text();
    expect(textOf(html)).toContain('our system is not available');
    for (const kept of [person.email, person.name, person.note, nine]) expect(html).toContain(kept);
  } finally {
    context.db = db;
    context.forms.db = db;
    await away.destroy();
  }
});

test.each([
  ['/contact?topic=chat&about=course:cissp', '/chat?about=course%3Acissp'],
  ['/contact?topic=booking', '/book/career-counseling'],
  ['/contact?topic=tour&about=course:cissp', '/book/virtual-tour?about=course%3Acissp'],
])('the former form %s leads to %s', async (before, after) => {
  const response = await academy.request(before);
  expect([response.status, response.headers.get('Location')]).toEqual([301, after]);
});

test('staff book, move and cancel for a caller, who gets each email at once', async () => {
  const ada = await signInStaff(academy, 'staff@example.com', 'Grace Hopper');
  const words = async (path: string) => (await ada.get(path)).text();
  const form = carriedBy(await words('/staff/bookings/new'), 'book');
  const booked = await ada.post('/staff/bookings/new?kind=career-counseling', { ...form, ...person, start: nine });
  const path = booked.headers.get('Location') ?? '';
  expect([booked.status, path]).toEqual([303, expect.stringMatching(/^\/staff\/bookings\/BB-/)]);
  const moving = `${path}?date=2025-09-09`;
  const move = { ...carriedBy(await words(moving), 'move'), start: quarterToTen };
  expect((await ada.post(path, move)).status).toBe(303);
  // A page from before the move does nothing, and says who was first.
  const stale = await ada.post(path, { ...move, act: 'cancel', form: crypto.randomUUID() });
  expect([stale.status, await stale.text()]).toEqual([409, expect.stringContaining('moved it in the meantime')]);
  expect((await ada.post(path, carriedBy(await words(path), 'cancel'))).status).toBe(303);
  expect((await mails()).filter(({ recipient }) => recipient === person.email).map(({ kind }) => kind)).toEqual([
    'booking-confirmation',
    'booking-moved',
    'booking-cancelled',
  ]);
  expect((await mailOf('booking-moved'))?.body_text).toContain('our staff moved the booking');
});
