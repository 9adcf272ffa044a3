import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Trx } from '#app/db/client.server.ts';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { cancelPlaces } from '#app/features/enrolments/cancel-places.server.ts';
import { setJoiningDetailsAndTell } from '#app/features/enrolments/course-date-changes.server.ts';
import type { Place } from '#app/features/enrolments/enrolment.ts';
import { enrolmentRecords } from '#app/features/enrolments/personal-records.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { transferPlace } from '#app/features/enrolments/transfer-place.server.ts';
import { tellJoined } from '#app/features/enrolments/waiting/mails.server.ts';
import { theBuyer, theProgram } from '#app/features/people/actor.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import { forgetCounts } from '#app/outbox/mail-counts.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { balancesOf, receive } from '#tests/support/money.ts';

const opening = momentAt('2025-09-08T09:00');
const dayMs = 24 * 3_600_000;
let academy: AcademyApp;
let days = 0;
let networks = 0;
beforeAll(async () => {
  academy = await openAcademyApp();
});
// A day of its own for each test, so that none counts what another sent.
beforeEach(() => academy.setNow(new Date(opening.now.getTime() + ++days * dayMs)));
afterAll(() => academy.close());

/** Tests that have a hundred pages rendered. */

const now = () => academy.services.academy.clock.now();
const pass = (minutes: number) => academy.setNow(new Date(now().getTime() + minutes * 60_000));
const someone = (from = `198.51.100.${++networks}`) => visitor(academy, from);
const location = (response: Response) => response.headers.get('Location') ?? '';
const moment = () => ({ ...opening, now: now() });

/** The mails to an address, with the links that would be sent now. */
async function mailsTo(recipient: string) {
  const { db } = academy.database;
  const mails = await db
    .selectFrom('mails')
    .select(['kind', 'subject', 'body_text', 'attachments'])
    .where('recipient', '=', recipient)
    .orderBy('queued_at')
    .orderBy('id')
    .execute();
  return Promise.all(mails.map(async (mail) => ({ ...mail, body_text: await withLinks(db, mail.body_text) })));
}
/** How many mails of each kind an address got. */
async function countsTo(recipient: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { kind } of await mailsTo(recipient)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
/** Sends a form with its token, some seconds after it was opened. */
async function sendForm(path: string, fields: Record<string, string>, one = someone()): Promise<Response> {
  const sends = await one.filled(path, fields);
  pass(0.1);
  return one.post(path, sends);
}
const courseSlugs = async (count: number) =>
  (await academy.database.db.selectFrom('courses').select('slug').orderBy('slug').limit(count).execute()).map(
    ({ slug }) => slug,
  );
async function join(email: string, slug: string, one = someone()): Promise<void> {
  const response = await sendForm(`/waiting-list?course=${slug}`, { name: 'A', email, seats: '1' }, one);
  expect(response.status).toBe(303);
}
const tell = () => tellJoined(academy.database.db, moment());
const filledIn = (text: string | undefined) => withLinks(academy.database.db, text, moment());
const links = async (text: string | undefined) =>
  [...(await filledIn(text)).matchAll(/\/waiting\/[0-9a-f]{48}/g)].map(([link]) => link);

async function firstStart(): Promise<string> {
  const html = await (await academy.request('/book/career-counseling')).text();
  const starts = [...html.matchAll(/name="start"[^>]* value="([^"]+)"|value="([^"]+)"[^>]* name="start"/g)];
  return starts[0]?.[1] ?? starts[0]?.[2] ?? '';
}

test('P24: a person on three waiting lists can book, and is told of two more lists in one mail when the hours allow', async () => {
  const email = 'three-lists@example.com';
  const [one = '', two = '', three = ''] = await courseSlugs(3);
  for (const slug of [one, two, three]) await join(email, slug);
  expect(await countsTo(email)).toEqual({ 'waiting-joined': 1 });
  const booked = await sendForm('/book/career-counseling', { name: 'Ada', email, start: await firstStart(), note: '' });
  expect([booked.status, await mainText(booked)]).toEqual([303, '']);
  expect(await countsTo(email)).toEqual({ 'waiting-joined': 1, 'booking-confirmation': 1 });
  const { tries_from, queued_at } = await academy.database.db
    .selectFrom('mails')
    .select(['tries_from', 'queued_at'])
    .where('recipient', '=', email)
    .where('kind', '=', 'booking-confirmation')
    .executeTakeFirstOrThrow();
  const waits = (tries_from.getTime() - queued_at.getTime()) / 60_000;
  expect([waits > 55, waits <= 60]).toEqual([true, true]);
  // The booking has the next hour: the lists are told in the one after it.
  pass(65);
  expect(await tell()).toBe(0);
  pass(60);
  // One of several processes does it.
  expect((await Promise.all([tell(), tell()])).toSorted()).toEqual([0, 1]);
  expect(await countsTo(email)).toEqual({ 'waiting-joined': 2, 'booking-confirmation': 1 });
  const [first, , second] = await mailsTo(email);
  const told = await Promise.all([links(first?.body_text), links(second?.body_text)]);
  expect(told.map((found) => new Set(found).size)).toEqual([1, 2]);
  expect(second?.subject).toBe('Confirm your places on 2 waiting lists');
  for (const link of await links(second?.body_text)) {
    expect((await someone().post(link, { intent: 'confirm' })).status).toBe(303);
  }
  pass(200);
  expect(await tell()).toBe(0);
});

test('P24, P32: twelve lists that a stranger joined keep nobody from their links, and are one mail an hour', async () => {
  const email = 'enrolled@example.com';
  const { db } = academy.database;
  await placeIn(db, await makeCourseDate(db), { buyer: { name: 'Ada', email, phone: null } });
  for (const slug of await courseSlugs(12)) await join(email, slug);
  const asks = async () => location(await sendForm('/enrolments', { email }));
  const nobody = location(await sendForm('/enrolments', { email: 'nobody@example.com' }));
  // Whoever asks from other networks uses up nothing, and the answer never tells.
  for (let turn = 0; turn < 5; turn++) expect(await asks()).toBe(nobody);
  expect(await countsTo(email)).toEqual({ 'enrolment-placed': 1, 'waiting-joined': 1, 'enrolment-links': 5 });
  pass(61);
  expect(await tell()).toBe(1);
  expect(await countsTo(email)).toMatchObject({ 'waiting-joined': 2 });
  const last = (await mailsTo(email)).findLast(({ kind }) => kind === 'waiting-joined');
  expect(new Set(await links(last?.body_text)).size).toBe(11);
  expect(await tell()).toBe(0);
});

test('P24: asking for the link of a draft tells nobody whether the address got mail within the hour', async () => {
  const [written, fresh] = ['written@example.com', 'fresh@example.com'];
  await join(written, (await courseSlugs(1))[0] ?? '');
  const one = someone();
  const draft = await one.choose('courseDate=cissp-melbourne', { 'way-cissp': 'course-date:cissp-melbourne' });
  const asked = async (linkEmail: string) =>
    location(await one.post(`${draft}/payer`, { intent: 'link', linkEmail })).replace(draft, '');
  const answers = [];
  for (const email of [written, fresh, written, fresh, written, fresh]) answers.push(await asked(email));
  expect(new Set(answers)).toEqual(new Set(['/payer?link=sent']));
  expect(await asked(fresh)).toBe('/payer?link=too-many');
  expect(await countsTo(written)).toEqual({ 'waiting-joined': 1, 'enrolment-draft-link': 3 });
  expect(await countsTo(fresh)).toEqual({ 'enrolment-draft-link': 3 });
});

/** An unpaid enrolment of somebody, with its private page. */
async function enrolled(parts: Parameters<typeof placeIn>[2] = {}) {
  const { db } = academy.database;
  const { enrolmentId, token } = await placeIn(db, await makeCourseDate(db), parts);
  const { places, email } = await readEnrolment(db, enrolmentId);
  return { id: enrolmentId, page: `/enrolment/${token}`, attendeeId: String(places[0]?.attendee.id), email };
}
const issued = async (id: number) => {
  const { db } = academy.database;
  const invoices = await db.selectFrom('tax_invoices').select('id').where('enrolment_id', '=', id).execute();
  const ids = [0, ...invoices.map((one) => one.id)];
  const notes = await db.selectFrom('adjustment_notes').select('id').where('tax_invoice_id', 'in', ids).execute();
  return [invoices.length, notes.length];
};

test('P24, P49: letting another person attend 94 times sends a stranger four mails, with nothing that was typed', async () => {
  const victim = 'victim-a@example.com';
  const { page, attendeeId } = await enrolled();
  const one = someone();
  const name = 'URGENT: your account is suspended, pay AU$4,400 at https://evil.example/pay?id=4711';
  const statuses: Record<number, number> = {};
  let last: Response | undefined;
  for (let turn = 0; turn < 94; turn++) {
    const email = turn % 2 === 0 ? victim : 'other-a@example.com';
    const response = await one.post(`${page}/attendee/${attendeeId}`, {
      attendee: attendeeId,
      'name-1': name,
      'email-1': email,
    });
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status === 429) last = response;
  }
  // Two places a day to one mailbox: the victim's third is refused; that the other one stays changes nothing.
  expect(statuses).toEqual({ 303: 49, 429: 45 });
  expect(await countsTo(victim)).toEqual({ 'place-given': 2, 'place-other-address': 2 });
  for (const { subject, body_text } of await mailsTo(victim))
    expect(subject + body_text).not.toMatch(/URGENT|evil|4,400/);
  const text = last ? await last.text() : '';
  for (const words of [
    'You can give at most 2 places a day to one email address',
    'Nothing was changed',
    victim,
    'URGENT',
  ]) {
    expect(text).toContain(words);
  }
  // Another buyer names the same person, who hears of that.
  const second = await enrolled({ buyer: { name: 'Mary', email: 'employer@example.com', phone: null } });
  const give = () =>
    one.post(`${second.page}/attendee/${second.attendeeId}`, {
      attendee: second.attendeeId,
      'name-1': 'Mary',
      'email-1': victim,
    });
  expect((await give()).status).toBe(303);
  expect((await mailsTo(victim)).at(-1)?.body_text).toContain('Mary');
});

test('P24: an enrolment tells others ten times a day of who attends, no matter who they are', async () => {
  const { page, attendeeId } = await enrolled();
  const one = someone();
  const statuses = [];
  for (let turn = 0; turn < 12; turn++) {
    const fields = { attendee: attendeeId, 'name-1': 'Mary', 'email-1': `person${turn}@example.com` };
    statuses.push((await one.post(`${page}/attendee/${attendeeId}`, fields)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429, 429]);
});

test('P24: an enrolment placed for six people of one address tells that address twice, and the buyer so', async () => {
  const victim = 'six@example.com';
  const { email } = await enrolled({ attendees: Array.from({ length: 6 }, () => attendee({ email: victim })) });
  expect(await countsTo(victim)).toEqual({ 'place-given': 2 });
  expect((await mailsTo(email))[0]?.body_text).toContain('We have not written to 4 attendees');
});

test('P24: other spellings of the buyer’s own mailbox are no strangers, and each attendee there is told', async () => {
  const attendees = [1, 2, 3].map((one) => attendee({ email: `lena+${one}@example.com` }));
  await enrolled({ buyer: { name: 'Lena', email: 'lena@example.com', phone: null }, attendees });
  // The first of them is in the buyer's own mail.
  for (const one of [2, 3]) expect(await countsTo(`lena+${one}@example.com`)).toEqual({ 'place-given': 1 });
});

test('P24, P32: an attendee not told of a place is not told of its buyer’s changes; our changes tell them', async () => {
  const { db } = academy.database;
  const victim = 'six-moved@example.com';
  const from = await makeCourseDate(db);
  const to = await makeCourseDate(db, { startsOn: '2025-12-01' });
  const buyer = { name: 'Grace', email: 'buyer@six-moved.example', phone: null };
  const attendees = Array.from({ length: 6 }, () => attendee({ email: victim }));
  const { enrolmentId } = await placeIn(db, from, { buyer, attendees });
  expect(await countsTo(victim)).toEqual({ 'place-given': 2 });
  const active = async () => (await readEnrolment(db, enrolmentId)).places.filter(({ state }) => state === 'active');
  const each = async (places: Place[], act: (trx: Trx, placeId: number) => Promise<{ ok: boolean }>) => {
    for (const { id } of places)
      expect(await db.transaction().execute((trx) => act(trx, id))).toMatchObject({ ok: true });
  };
  await each(await active(), (trx, placeId) =>
    transferPlace(trx, { enrolmentId, placeId, toCourseDateId: to.id, actor: theBuyer }, moment()),
  );
  expect(await countsTo(victim)).toEqual({ 'place-given': 2, 'place-moved': 2 });
  const untold = (await active()).filter(({ attendee: { told } }) => !told);
  expect(untold).toHaveLength(4);
  expect(
    (await mailsTo(buyer.email)).filter(({ body_text }) => body_text.includes('not written to 1 attendee')),
  ).toHaveLength(4);
  const cancel = (trx: Trx, id: number) =>
    cancelPlaces(trx, { enrolmentId, placeIds: [id], why: 'buyer', shownCents: null }, moment());
  await each(untold.slice(0, 1), cancel);
  const renamed = untold[1]?.attendee.id ?? 0;
  const change = { enrolmentId, attendeeId: renamed, attendee: attendee({ email: 'other-six@example.com' }) } as const;
  await db.transaction().execute((trx) => changeAttendee(trx, { ...change, actor: theBuyer }, moment()));
  expect(await countsTo(victim)).toEqual({ 'place-given': 2, 'place-moved': 2 });
  // The class gets another link: that concerns all who attend, and from then on they hear of everything.
  const joiningDetails = { room: null, street: null, joiningLink: 'https://class.example/another' };
  await db
    .transaction()
    .execute((trx) =>
      setJoiningDetailsAndTell(trx, to.id, { joiningDetails: joiningDetails, actor: theProgram }, moment()),
    );
  expect(await countsTo(victim)).toEqual({ 'place-given': 2, 'place-moved': 2, 'place-joining-details': 4 });
  await each(await active(), cancel);
  expect(await countsTo(victim)).toMatchObject({ 'place-cancelled': 4 });
});

test('P24, P30: 46 corrections replace three invoices, and a stranger named for invoices is asked once', async () => {
  const victim = 'victim-b@example.com';
  const { id, page, email } = await enrolled();
  const one = someone();
  const correct = (buyerName: string, organisation = 'Engines') =>
    one.post(`${page}/details`, {
      buyerName,
      payer: 'organisation',
      organisation,
      purchaseOrder: 'PO 4711',
      accountsEmail: victim,
    });
  expect(await issued(id)).toEqual([1, 0]);
  const statuses: Record<number, number> = {};
  let text = '';
  for (let turn = 0; turn < 46; turn++) {
    const response = await correct(turn % 2 === 0 ? 'Grace' : 'Ada');
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status === 429) text = await response.text();
  }
  // After three the name is Grace: sending that again changes nothing.
  expect(statuses).toEqual({ 303: 3 + 21, 429: 22 });
  expect(await issued(id)).toEqual([4, 3]);
  expect(await countsTo(victim)).toEqual({ 'accounts-address': 1 });
  expect(await countsTo(email)).toEqual({ 'enrolment-placed': 1, 'buyer-corrected': 3 });
  for (const words of ['can be corrected here at most 3 times a day', 'PO 4711', 'or call'])
    expect(text).toContain(words);
  // Ten in all.
  for (let day = 0; day < 4; day++) {
    pass(24 * 60 + 1);
    await forgetCounts(academy.database.db, academy.now());
    for (const name of ['Mary', 'Jane', 'Ann', 'Kate']) await correct(`${name} ${'abcd'[day]}`);
  }
  expect(await issued(id)).toEqual([11, 10]);
  expect(await mainText(await correct('Emmy'))).toContain('can be corrected here at most 10 times');
  expect(await countsTo(victim)).toEqual({ 'accounts-address': 1 });
});

test('P30: an address for invoices gets none before its reader agrees; then all so far, once, and later ones', async () => {
  const accounts = 'accounts-c@example.com';
  const payer = { kind: 'organisation', organisation: 'https://evil.example', abn: null, address: null } as const;
  const { id, page, email } = await enrolled({ payer: { ...payer, purchaseOrder: 'PO', accountsEmail: accounts } });
  const [asked, ...more] = await mailsTo(accounts);
  expect([asked?.kind, more]).toEqual(['accounts-address', []]);
  expect(asked?.body_text).not.toMatch(/evil|Grace|PO\b/);
  expect((await countsTo(email))['enrolment-placed']).toBe(1);
  expect(await someone().read(page)).toContain(`${accounts} (not confirmed yet)`);
  const link = /\/accounts\/[0-9a-f]{48}/.exec(await filledIn(asked?.body_text))?.[0] ?? '';
  const shown = await academy.request(link);
  expect([shown.status, shown.headers.get('Cache-Control'), shown.headers.get('X-Robots-Tag')]).toEqual([
    200,
    'no-store',
    'noindex, nofollow',
  ]);
  // A program that opens the links of a mail agrees to nothing.
  expect(await mainText(shown)).toContain('Send me the invoices');
  expect(await countsTo(accounts)).toEqual({ 'accounts-address': 1 });
  for (let turn = 0; turn < 2; turn++) expect((await someone().post(link)).status).toBe(303);
  expect(await someone().read(link)).toContain('You get the invoices');
  const got = await mailsTo(accounts);
  expect(got.map(({ kind }) => kind)).toEqual(['accounts-address', 'accounts-documents']);
  expect(got[1]?.attachments).toHaveLength(1);
  expect(await someone().read(page)).not.toContain('not confirmed yet');
  // Known for this buyer, so the next enrolment asks no more.
  const again = await enrolled({
    payer: { ...payer, purchaseOrder: null, accountsEmail: accounts },
    buyer: { name: 'Grace', email, phone: null },
  });
  expect((await countsTo(accounts))['invoice-copy']).toBe(1);
  expect(await issued(again.id)).toEqual([1, 0]);
  const correct = (accountsEmail: string) =>
    someone().post(`${page}/details`, {
      buyerName: 'Ada',
      payer: 'organisation',
      organisation: 'Engines',
      accountsEmail,
    });
  await correct(accounts);
  expect((await countsTo(accounts))['buyer-corrected']).toBe(1);
  await correct('elsewhere@example.com');
  expect(await countsTo('elsewhere@example.com')).toEqual({ 'accounts-address': 1 });
  expect(await someone().read(link)).toContain('We no longer send invoices here');
  await someone().post(link);
  expect((await countsTo(accounts))['accounts-documents']).toBe(1);
  expect((await academy.request(`/accounts/${'a'.repeat(48)}`)).status).toBe(404);
  expect((await someone().post(`/accounts/${'a'.repeat(48)}`)).status).toBe(404);
  expect(await issued(id)).toEqual([2, 1]);
  // Its reader may have it erased once these enrolments are over and paid.
  const { db } = academy.database;
  const named = async () => (await enrolmentRecords.read(db, await findHeldPerson(db, accounts))).length;
  expect(await named()).toBe(2);
  const erase = () =>
    db
      .transaction()
      .execute(async (trx) =>
        enrolmentRecords.erase(trx, await findHeldPerson(trx, accounts), new Date('2026-11-22T09:00:00+10:00')),
      );
  await erase();
  expect((await readEnrolment(db, again.id)).accountsEmail).toBe(accounts);
  for (const one of [id, again.id]) await receive(db, one, (await balancesOf(db, one)).computed, opening);
  await erase();
  expect([await named(), (await readEnrolment(db, again.id)).accountsEmail]).toEqual([0, null]);
});

test('P24: one network causes a stranger at most seventeen mails in an hour', async () => {
  const victim = 'victim-d@example.com';
  const one = someone();
  const slugs = await courseSlugs(30);
  // Guided, so that no seat has to be held.
  const [monday = ''] = /20\d\d-\d\d-\d\d(?=")/.exec(await (await one.get('/enrol?course=cissp')).text()) ?? [];
  const ways = { 'way-cissp': 'guided', 'monday-cissp': monday };
  const drafts = [];
  for (let window = 0; window < 6; window++) {
    const draft = await one.choose('course=cissp', ways);
    drafts.push(draft);
    const typed = { buyerName: 'A', email: victim, payer: 'person' };
    await one.post(`${draft}/payer`, typed);
    for (let turn = 0; turn < 3; turn++) await one.post(`${draft}/review`, { intent: 'again' });
    await one.post(`${draft}/payer`, { ...typed, intent: 'link', linkEmail: victim });
    for (const slug of slugs.slice(window * 4, window * 4 + 4)) await join(victim, slug, one);
    await sendForm('/contact', { firstName: 'A', lastName: 'B', email: victim, message: 'Hello' }, one);
    await tell();
    if (window < 5) pass(10.1 - 0.5);
  }
  const counts = await countsTo(victim);
  expect(counts).toEqual({ 'email-code': 10, 'waiting-joined': 1, 'enrolment-draft-link': 6 });
  const [last = ''] = drafts.slice(-1);
  const refused = location(await one.post(`${last}/review`, { intent: 'again' }));
  expect(refused).toContain('code=network');
  expect(await one.read(refused)).toContain('We sent no code, because many were asked for from your network');
  // The owner of the address enrols from their own network.
  await someone().post(`${last}/review`, { intent: 'again' });
  expect((await countsTo(victim))['email-code']).toBe(11);
});
