import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { cancelCourseDateAndAsk, moveCourseDateAndAsk } from '#app/features/enrolments/course-date-changes.server.ts';
import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { placeCombo } from '#tests/support/combos.ts';
import {
  attendee,
  makeCourseDate,
  momentAt,
  type OrderWish,
  orderOf,
  seatIn,
  seatsLeftIn,
} from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
beforeEach(() => academy.setNow(opening.now));
afterAll(() => academy.close());

const opening = momentAt('2025-09-08T09:00');
const setNow = (text: string) => academy.setNow(momentAt(text).now);

/** The text of a page's main part as a person reads it. */
function textOf(html: string): string {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const plain = main
    .replaceAll(/<(script|select)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ');
  return plain.replaceAll('&#x27;', "'").replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').replaceAll(' .', '.');
}
const html = async (address: string) => (await academy.request(address)).text();
const read = async (address: string) => textOf(await html(address));
/** The hidden fields of the form that is sent. */
const hidden = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
const send = (address: string, fields: Record<string, string>) =>
  academy.request(address, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
/** Opens a page, fills its form in and sends it; returns the status, where it leads, and the page that came back. */
async function act(address: string, fields: Record<string, string> = {}) {
  const response = await send(address, { ...hidden(await html(address)), ...fields });
  const body = await response.text();
  return { status: response.status, to: response.headers.get('Location') ?? '', body, text: textOf(body) };
}

/** Places an order and returns what leads to it. Pages read course dates from memory: they are waited for. */
async function placed(courseDates: { id: number; courseId: number }[], parts: OrderWish = {}) {
  const { db } = academy.database;
  const [first] = courseDates;
  if (!first) throw new Error('a course date is needed');
  const order = await orderOf(db, [seatIn(first)], parts);
  const result = await db.transaction().execute((trx) => placeEnrolment(trx, order, opening));
  if (!result.ok) return expect.unreachable(JSON.stringify(result));
  await until(() => {
    const known = academy.services.snapshot.current().courseDates;
    return courseDates.every(({ id }) => known.some((courseDate) => courseDate.id === id));
  });
  const { enrolmentId, token } = result;
  return { id: enrolmentId, page: `/enrolment/${token}`, order, reference: result.reference };
}
const placesOf = async (id: number) => (await readEnrolment(academy.database.db, id)).places;
const documents = async (id: number) => {
  const { db } = academy.database;
  const invoices = await db
    .selectFrom('tax_invoices')
    .select(['id', 'total_cents'])
    .where('enrolment_id', '=', id)
    .execute();
  const notes = await db
    .selectFrom('adjustment_notes')
    .select(['total_cents', 'reason'])
    .where('tax_invoice_id', 'in', [0, ...invoices.map((invoice) => invoice.id)])
    .execute();
  return {
    invoices: invoices.map(({ total_cents }) => total_cents),
    notes: notes.map(({ total_cents }) => total_cents),
  };
};
const mailsTo = (recipient: string) =>
  academy.database.db
    .selectFrom('mails')
    .select(['kind', 'body_text'])
    .where('recipient', '=', recipient)
    .orderBy('kind')
    .execute();
const courseDate = (wish: Parameters<typeof makeCourseDate>[1] = {}) => makeCourseDate(academy.database.db, wish);

test('P32, P31: the buyer’s page has places, dates, the debt, how to pay, documents and the ladder', async () => {
  const november = await courseDate();
  const two = [attendee(), attendee({ name: null })];
  const { page, order, reference, id } = await placed([november], { attendees: two });
  const text = await read(page);
  expect(text).toContain('Confirmed 3 to 7 November 2025, 9:00 AM to 5:00 PM AEST each day Online');
  expect(text).toContain('Ada Byron');
  expect(text).toContain('To be named');
  expect(text).toContain('Still to pay AU$10,998 incl. GST by Monday 22 September 2025');
  expect(text).toContain(`Reference INV00001 ${reference.replace('-', '')}`);
  expect(text).toContain(
    'Until Monday 20 October Now AU$5,499 less to pay for each person Until Monday 27 October AU$2,749.50 less to pay for each person From Tuesday 28 October No refund',
  );
  const response = await academy.request(page);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(response.headers.get('X-Robots-Tag')).toContain('noindex');
  expect(response.headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');

  const pdf = await academy.request(`${page}/document/inv-00001.pdf`);
  expect(pdf.headers.get('Content-Type')).toBe('application/pdf');
  expect(pdf.headers.get('Content-Disposition')).toContain('INV-00001.pdf');
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const [place] = await placesOf(id);
  const ics = await (await academy.request(`${page}/place/${place?.id}/calendar.ics`)).text();
  expect(ics).toContain('METHOD:PUBLISH');
  expect(ics.replaceAll('\r\n ', '')).toContain('Declining in your calendar does not cancel');
  expect(ics).not.toContain(page);

  // Another's link opens none of it.
  const other = await placed([november]);
  for (const path of ['/document/inv-00001.pdf', `/place/${place?.id}/calendar.ics`, `/transfer/${place?.id}`]) {
    expect((await academy.request(other.page + path)).status).toBe(404);
  }
  expect((await send(`${other.page}/cancel`, { places: String(place?.id), shown: '549900' })).status).toBe(409);
  expect((await placesOf(id)).map(({ state }) => state)).toEqual(['active', 'active']);
  expect(order.attendees).toHaveLength(2);
});

test('P32: an attendee’s page shows their own place, never money or the others; wrong links say what to do', async () => {
  const november = await courseDate();
  const people = [attendee({ email: 'ada@example.com', needs: 'Captions' }), attendee({ name: 'Alan Turing' })];
  const { id, page } = await placed([november], { attendees: people });
  const [ada] = await placesOf(id);
  const token = await makeEnrolmentLink(academy.database.db, id, ada?.attendee.id);
  const text = await read(`/place/${token}`);
  expect(text).toContain('Ada Byron’s place');
  expect(text).toContain('3 to 7 November 2025');
  expect(text).toContain('Captions');
  const whole = await html(`/place/${token}`);
  for (const secret of ['AU$', 'Turing', 'INV-', 'Grace', 'cancel?'])
    expect(whole.slice(whole.indexOf('<main'))).not.toContain(secret);
  const ics = await academy.request(`/place/${token}/${ada?.id}/calendar.ics`);
  expect(await ics.text()).toContain('METHOD:PUBLISH');
  // Neither link opens the page of the other kind.
  for (const address of [`/enrolment/${token}`, page.replace('enrolment', 'place'), '/enrolment/0123', '/place/0123']) {
    const response = await academy.request(address);
    expect(response.status).toBe(404);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(textOf(await response.text())).toContain('Send me my links');
  }
  expect((await send(`/enrolment/${token}/cancel`, { places: String(ada?.id), shown: '549900' })).status).toBe(404);
});

test('P32: once the last class has ended, an attendee’s page offers nothing to join or prepare', async () => {
  const november = await courseDate();
  const { id } = await placed([november], { attendees: [attendee()] });
  const [ada] = await placesOf(id);
  const { db } = academy.database;
  const link = { joining_link: 'https://live.example/class' };
  await db.updateTable('course_dates').set(link).where('id', '=', november.id).execute();
  const page = `/place/${await makeEnrolmentLink(db, id, ada?.attendee.id)}`;
  setNow('2025-11-07T16:59');
  expect(await html(page)).toContain(link.joining_link);
  setNow('2025-11-07T17:00');
  expect(await html(page)).not.toContain(link.joining_link);
  expect(await read(page)).toContain('This course date is over.');
});

test('P32, P40: once the course is over, its buyer’s page offers nothing to join and no refund', async () => {
  const november = await courseDate();
  const { page } = await placed([november], { attendees: [attendee()] });
  const { db } = academy.database;
  const link = { joining_link: 'https://live.example/class' };
  await db.updateTable('course_dates').set(link).where('id', '=', november.id).execute();
  setNow('2025-11-07T16:59');
  expect(await html(page)).toContain(link.joining_link);
  setNow('2025-12-12T12:00');
  expect(await html(page)).not.toContain(link.joining_link);
  const text = await read(page);
  expect(text).toContain('This course date is over.');
  for (const gone of ['Confirmed', 'If you cancel', 'no refund', 'How to join']) {
    expect([gone, text.includes(gone)]).toEqual([gone, false]);
  }
});

test('P40, P31: cancelling one of two shows the dollars first, gives the seat back, and a repeat does nothing', async () => {
  const november = await courseDate({ capacity: 3 });
  const { id, page, order } = await placed([november], { attendees: [attendee(), attendee({ name: 'Alan Turing' })] });
  const [ada] = await placesOf(id);
  const asked = `${page}/cancel?place=${ada?.id}`;
  expect(await read(`${page}/cancel`)).not.toContain('Cancel this place:');
  expect(await read(`${page}/cancel?show=changes`)).toContain('Tick what you want to cancel.');
  // Nothing was paid, so nothing is said to come back.
  expect(await read(page)).toContain('AU$5,499 less to pay for each, if you cancel today');
  const shown = await read(asked);
  expect(shown).toContain('Cancel this place: AU$5,499 less to pay');
  expect(shown).toContain('14 days or more before the first day: all of its price.');
  expect(shown).not.toContain('refund');
  const fields = hidden(await html(asked));
  const proved = academy.database.db
    .selectFrom('person_emails')
    .select('verified_at')
    .where('email', '=', order.buyer.email);
  expect(await proved.executeTakeFirst()).toEqual({ verified_at: null });
  const done = await act(asked);
  expect([done.status, done.to]).toEqual([303, `${page}?done=cancelled`]);
  // P50: a visitor who uses the buyer's link has the address.
  expect(await proved.executeTakeFirst()).toEqual({ verified_at: expect.any(Date) });
  expect(await documents(id)).toEqual({ invoices: [1099800], notes: [549900] });
  expect(await seatsLeftIn(academy.database.db, november.id)).toBe(2);
  const again = await send(asked, fields);
  expect([again.status, again.headers.get('Location')]).toEqual([303, `${page}?done=cancelled`]);
  expect((await documents(id)).notes).toEqual([549900]);
  expect((await mailsTo(order.buyer.email)).map(({ kind }) => kind)).toEqual(['enrolment-placed', 'place-cancelled']);
  const text = await read(`${page}?done=cancelled`);
  expect(text).toContain('It is cancelled.');
  expect(text).toContain('Cancelled by you');
  expect(text).toContain('Adjustment note ADJ-00001 (PDF)');
  expect(text).toContain('Still to pay AU$5,499 incl. GST');
  // The buyer can only choose among the places that are left.
  expect(await read(`${page}/cancel`)).toContain('Cancel this place: AU$5,499 less to pay');
});

test('P31: a step of the ladder that passes at midnight while the page is open is shown before it counts', async () => {
  const november = await courseDate();
  const { id, page } = await placed([november]);
  const [place] = await placesOf(id);
  setNow('2025-10-20T23:59');
  const cancel = `${page}/cancel`;
  const before = hidden(await html(cancel));
  setNow('2025-10-21T00:00');
  const refused = await send(cancel, before);
  const text = textOf(await refused.text());
  expect(refused.status).toBe(409);
  expect(text).toContain('it is now AU$2,749.50, not AU$5,499. Nothing was cancelled.');
  expect(text).toContain('Cancel this place: AU$2,749.50 less to pay');
  expect((await placesOf(id))[0]?.state).toBe('active');

  // A move fixes the most that comes back later: it is shown anew too.
  const december = await courseDate({ startsOn: '2025-12-01' });
  await until(() => academy.services.snapshot.current().courseDates.some((one) => one.id === december.id));
  const slug = academy.services.snapshot.current().courseDates.find((one) => one.id === december.id)?.slug;
  setNow('2025-10-20T23:59');
  const move = `${page}/transfer/${place?.id}?to=${slug}`;
  const shown = hidden(await html(move));
  expect(shown.shown).toBe('549900');
  setNow('2025-10-21T00:00');
  expect((await send(move, shown)).status).toBe(409);
  expect((await placesOf(id)).map(({ state }) => state)).toEqual(['active']);
  const done = await act(move);
  expect(done.to).toBe(`${page}?done=moved`);
  // Half at most, although the new date is weeks away.
  expect(await read(`${page}/cancel`)).toContain('Cancel this place: AU$2,749.50 less to pay');
  expect((await act(cancel)).to).toBe(`${page}?done=cancelled`);
  expect((await documents(id)).notes).toEqual([274950]);
});

test('P40: a place moves once, to a date with seats; full dates and second moves are refused in words', async () => {
  const november = await courseDate();
  const december = await courseDate({ startsOn: '2025-12-01', capacity: 1 });
  const january = await courseDate({ startsOn: '2026-01-12' });
  const { id, page } = await placed([november, december, january]);
  const [place] = await placesOf(id);
  const slugOf = (wanted: number) =>
    academy.services.snapshot.current().courseDates.find((one) => one.id === wanted)?.slug;
  const path = `${page}/transfer/${place?.id}`;
  expect(await read(path)).toContain('1 to 5 December 2025');
  const fields = hidden(await html(`${path}?to=${slugOf(december.id)}`));
  expect(await read(`${path}?to=${slugOf(december.id)}`)).toContain('If you cancel after the move');
  // Somebody else takes the last seat while the page is open.
  await placed([december]);
  const full = await send(`${path}?to=${slugOf(december.id)}`, fields);
  expect(full.status).toBe(409);
  expect(textOf(await full.text())).toContain('Someone else has taken the last seat on that date.');

  const to = `${path}?to=${slugOf(january.id)}`;
  const sent = hidden(await html(to));
  expect((await act(to)).to).toBe(`${page}?done=moved`);
  const again = await send(to, sent);
  expect(again.headers.get('Location')).toBe(`${page}?done=moved`);
  const moved = (await placesOf(id)).filter(({ state }) => state === 'active');
  expect(moved.map((one) => one.courseDate?.id)).toEqual([january.id]);
  expect(await documents(id)).toEqual({ invoices: [549900], notes: [] });
  const second = `${page}/transfer/${moved[0]?.id}`;
  expect(await read(second)).toContain('its free move was used');
  const date = `${slugOf(november.id)}: 3 to 7 November 2025, 9:00 AM to 5:00 PM AEST each day, Online`;
  const back = { place: String(moved[0]?.id), to: String(november.id), shown: '549900', date };
  const refused = await send(second, back);
  expect(textOf(await refused.text())).toContain('You have already used the free move of this place.');
  expect(await read(page)).not.toContain('Another date');
});

test('P40: the buyer names and renames attendees; faults keep what was typed, and nothing is sent twice', async () => {
  const november = await courseDate();
  const { id, page } = await placed([november], { attendees: [attendee({ name: null })] });
  const [place] = await placesOf(id);
  const path = `${page}/attendee/${place?.attendee.id}`;
  const faulty = await act(path, { 'name-1': 'Katherine Johnson', 'email-1': 'no address', 'under18-1': 'on' });
  expect(faulty.status).toBe(400);
  expect(faulty.body).toContain('value="Katherine Johnson"');
  expect(faulty.text).toContain('Enter the name of a parent or guardian.');
  const named = { 'name-1': 'Katherine Johnson', 'email-1': 'katherine@example.com' };
  for (let time = 0; time < 2; time++) expect((await act(path, named)).to).toBe(`${page}?done=named`);
  expect((await mailsTo('katherine@example.com')).map(({ kind }) => kind)).toEqual(['place-given']);
  const [mail] = await mailsTo('katherine@example.com');
  const link = /\/place\/[0-9a-f]+/.exec(await withLinks(academy.database.db, mail?.body_text))?.[0] ?? '';
  expect(await read(link)).toContain('Katherine Johnson’s place');
  expect((await act(path, { 'name-1': 'Mary Jackson', 'email-1': 'mary@example.com' })).to).toBe(`${page}?done=named`);
  // A person who no longer attends has no link any more.
  expect((await academy.request(link)).status).toBe(404);
  expect((await act(`${page}/cancel`)).to).toContain('done=cancelled');
  const late = await send(path, { attendee: String(place?.attendee.id), 'name-1': 'Dorothy Vaughan' });
  expect(late.status).toBe(409);
  expect(textOf(await late.text())).toContain('This person no longer has a place in this enrolment');
  expect((await placesOf(id))[0]?.attendee.name).toBe('Mary Jackson');
});

test('P64: everybody without a name is named by one form, and the buyer gets one email', async () => {
  const unnamed = () => attendee({ name: null });
  const { id, page, order } = await placed([await courseDate()], { attendees: [unnamed(), unnamed(), unnamed()] });
  const { email } = order.buyer;
  expect(await read(page)).toContain('Add all names');
  const before = (await mailsTo(email)).length;
  const typed = { 'name-1': 'Ada Byron', 'email-1': 'ada@names.example', 'name-3': 'Grace Hopper' };
  // One fault, and nobody is named.
  expect((await act(`${page}/names`, { ...typed, 'email-3': 'none' })).status).toBe(400);
  expect((await act(`${page}/names`, typed)).to).toBe(`${page}?done=named`);
  expect((await placesOf(id)).map(({ attendee: { name } }) => name)).toEqual(['Ada Byron', null, 'Grace Hopper']);
  const mails = (await mailsTo(email)).slice(before);
  expect(mails.map(({ kind }) => kind)).toEqual(['place-attendee-named']);
});

test('P115: a pasted list names everybody without a name, once, with one email to the buyer', async () => {
  const unnamed = () => attendee({ name: null });
  const { id, page, order } = await placed([await courseDate()], { attendees: [unnamed(), unnamed(), unnamed()] });
  const before = (await mailsTo(order.buyer.email)).length;
  const typed = {
    'name-2': 'Grace Hopper',
    list: 'Name\tEmail\nAda Byron\tada@list.example\nMary Jackson\tmary@list.example',
  };
  const names = async () => (await placesOf(id)).map(({ attendee: { name } }) => name);
  const faulty = await act(`${page}/names`, { ...typed, list: 'Ada Byron, ada@list.example\nMary' });
  expect([faulty.status, faulty.text]).toEqual([400, expect.stringContaining('Line 2: an email address is missing.')]);
  expect(await names()).toEqual([null, null, null]);
  const form = { attendees: (await placesOf(id)).map((place) => place.attendee.id).join(','), ...typed };
  for (const _ of [1, 2]) expect((await send(`${page}/names`, form)).status).toBe(303);
  expect(await names()).toEqual(['Ada Byron', 'Grace Hopper', 'Mary Jackson']);
  const mails = (await mailsTo(order.buyer.email)).slice(before);
  expect(mails.map(({ kind }) => kind)).toEqual(['place-attendee-named']);
});

test('P39: an attendee is added at today’s price with an invoice of its own; once, and only while seats last', async () => {
  const { db } = academy.database;
  const november = await courseDate({ capacity: 3 });
  const { id, page } = await placed([november]);
  const path = `${page}/add`;
  const offered = await read(path);
  expect(offered).toContain('Add, and pay AU$5,499 by invoice');
  // P31: an addition is a purchase of its own, so the page says what a cancellation gives back until which day.
  expect(offered).toMatch(
    /If you cancel: until \d+ October AU\$5,499 back, until \d+ October AU\$2,749.50, then nothing/,
  );
  await db.updateTable('courses').set({ price_cents: 560000 }).where('id', '=', november.courseId).execute();
  const alan = { 'name-1': 'Alan Turing' };
  const dearer = await act(path, { ...alan, shown: '549900' });
  expect(dearer.status).toBe(409);
  expect(dearer.text).toContain('it is now AU$5,600, not AU$5,499. Nobody was added.');
  expect(dearer.text).toContain('Add, and pay AU$5,600 by invoice');
  expect(dearer.body).toContain('value="Alan Turing"');
  const fields = hidden(await html(path));
  for (let time = 0; time < 2; time++) {
    expect((await send(path, { ...fields, ...alan })).headers.get('Location')).toBe(`${page}?done=added`);
  }
  expect(await documents(id)).toEqual({ invoices: [549900, 560000], notes: [] });
  const other = await send(path, { ...fields, 'name-1': 'Grace Hopper' });
  expect(textOf(await other.text())).toContain('Someone has just been added to this enrolment.');
  expect((await act(path, { 'name-1': '' })).to).toBe(`${page}?done=added`);
  expect(await seatsLeftIn(db, november.id)).toBe(0);
  // A page that was opened while there was a seat; opened now it has no form (tests/http/limits.test.ts).
  const newest = Math.max(...(await placesOf(id)).map(({ attendee: { id: at } }) => at));
  const full = await send(path, { ...fields, seen: String(newest), 'name-1': 'Too Late' });
  const body = await full.text();
  expect(textOf(body)).toContain('No seat on this date is free now.');
  expect(body).toContain('value="Too Late"');
  await db.updateTable('courses').set({ price_cents: 549900 }).where('id', '=', november.courseId).execute();
});

test('P28, P38: a buyer who adds too many people is told so, and the fields stay filled', async () => {
  const { db } = academy.database;
  const { id: courseId } = await db
    .selectFrom('courses')
    .select('id')
    .where('slug', '=', 'cism')
    .executeTakeFirstOrThrow();
  const group = async (people: number) => {
    const attendees = Array.from({ length: people }, () => attendee());
    const order = await orderOf(db, [{ courseId, way: 'next-date' }], { attendees });
    const result = await db.transaction().execute((trx) => placeEnrolment(trx, order, opening));
    return result.ok ? `/enrolment/${result.token}/add` : expect.unreachable(result.reason);
  };
  setNow('2025-09-08T10:00');
  const small = await group(1);
  for (let time = 0; time < 6; time++) expect((await act(small, { 'name-1': `Guest ${time}` })).status).toBe(303);
  const seventh = await act(small, { 'name-1': 'Guest seven' });
  expect(seventh.status).toBe(409);
  expect(seventh.text).toContain('Six people were added to this enrolment within the last hour, which is the most.');
  expect(seventh.body).toContain('value="Guest seven"');
  const large = await act(await group(20), { 'name-1': 'One more' });
  expect(large.status).toBe(409);
  expect(large.text).toContain('More than 20 people for a date that is not set: write to us');
  expect(large.body).toContain('value="One more"');
});

test('P40: after the academy cancels or moves, the buyer keeps, moves free of charge or gets a full refund', async () => {
  const { db } = academy.database;
  const november = await courseDate();
  const december = await courseDate({ startsOn: '2025-12-01' });
  const { id, page } = await placed([november, december]);
  const [place] = await placesOf(id);
  setNow('2025-10-30T09:00');
  const now = momentAt('2025-10-30T09:00');
  const times = { startDate: '2025-11-10', endDate: '2025-11-14', startTime: '09:00', endTime: '17:00' };
  const { instructor_slug } = await db
    .selectFrom('course_dates')
    .select('instructor_slug')
    .where('id', '=', november.id)
    .executeTakeFirstOrThrow();
  const moved = await db.transaction().execute((trx) =>
    moveCourseDateAndAsk(
      trx,
      {
        courseDate: november.id,
        times: {
          ...times,
          breakMinutes: 60,
          delivery: 'online',
          venue: null,
          instructor: instructor_slug,
          enrolmentEnds: '2025-11-09',
          decidedBy: null,
        },
        actor: theProgram,
      },
      now,
    ),
  );
  expect(moved).toMatchObject({ ok: true });
  expect(await read(page)).toContain('You keep your place unless you choose otherwise by Sunday 9 November 2025.');
  const choose = `${page}/choose/${place?.id}`;
  const text = await read(choose);
  expect(text).toContain('You keep your place unless you choose otherwise by Sunday 9 November 2025.');
  expect(text).toContain('10 to 14 November 2025');
  const keeping = hidden(await html(choose));
  for (let time = 0; time < 2; time++) {
    expect((await send(choose, keeping)).headers.get('Location')).toBe(`${page}?done=kept`);
  }
  expect(await read(choose)).toContain('There is nothing to choose');
  expect(await read(`${page}/cancel`)).toContain('AU$2,749.50 less to pay');

  await db.transaction().execute((trx) => cancelCourseDateAndAsk(trx, november.id, theProgram, now));
  expect(await read(choose)).toContain('We had to cancel this date');
  const kept = await send(choose, { place: String(place?.id) });
  expect(kept.status).toBe(409);
  expect(textOf(await kept.text())).toContain('We cancelled this date, so you cannot keep it.');
  expect(await read(`${page}/cancel`)).toContain('Cancel this place: AU$5,499 less to pay');
  const slug = academy.services.snapshot.current().courseDates.find((one) => one.id === december.id)?.slug;
  const move = `${page}/transfer/${place?.id}?to=${slug}`;
  expect(await read(move)).toContain('this move is free and does not use your free move');
  expect((await act(move)).to).toBe(`${page}?done=moved`);
  const active = (await placesOf(id)).filter(({ state }) => state === 'active');
  expect(active.map(({ moveCap, chooseBy }) => [moveCap, chooseBy])).toEqual([[null, null]]);
});

test('P99: a combo has one button for the whole, and its sum is explained line by line', async () => {
  const { db } = academy.database;
  const [begun, near, far] = [{ startsOn: '2025-09-29' }, { startsOn: '2025-10-11' }, { startsOn: '2025-12-01' }];
  const { enrolmentId, token } = await placeCombo(db, [begun, near, far], opening);
  const page = `/enrolment/${token}`;
  setNow('2025-10-01T09:00');
  const text = await read(`${page}/cancel`);
  for (const row of [
    '13 to 7 days before the first day: half of its price. AU$1,154.49',
    '14 days or more before the first day: all of its price. AU$3,008.88',
    'Taken off, because AWS Certified Cloud Practitioner (CLF-C02) has begun. −AU$449.85',
    'Together AU$3,713.52',
    'You keep AWS Certified Cloud Practitioner (CLF-C02).',
    'Cancel the combo: AU$3,713.52 less to pay',
  ]) {
    expect(text).toContain(row);
  }
  expect(await read(page)).toContain('If you cancel the combo');
  const shown = hidden(await html(`${page}/cancel`));
  const [, second] = await placesOf(enrolmentId);
  const part = await send(`${page}/cancel`, { ...shown, places: String(second?.id) });
  expect([part.status, textOf(await part.text())]).toEqual([409, expect.stringContaining('nothing was done')]);
  expect((await act(`${page}/cancel`)).to).toBe(`${page}?done=cancelled`);
  expect((await documents(enrolmentId)).notes).toEqual([371_352]);
  expect(await read(`${page}/cancel`)).toContain('Every course of the combo has begun.');
});

test('P99: the buyer chooses for whom of several people to cancel a combo', async () => {
  const december = { startsOn: '2025-12-01' };
  const attendees = [attendee(), attendee({ name: 'Alan Turing' })];
  const combo = await placeCombo(academy.database.db, [december, december, december], opening, { attendees });
  const page = `/enrolment/${combo.token}`;
  setNow('2025-10-01T09:00');
  expect(await read(`${page}/cancel`)).toContain('What do you want to cancel?');
  const ofAlan = (await placesOf(combo.enrolmentId)).filter((place) => place.attendee.name === 'Alan Turing');
  const asked = `${page}/cancel?place=${ofAlan.map(({ id }) => id).join()}`;
  expect(await read(asked)).toContain('Cancel the combo: AU$6,367 less to pay');
  expect((await act(asked)).to).toBe(`${page}?done=cancelled`);
  const left = (await placesOf(combo.enrolmentId)).filter(({ state }) => state === 'active');
  expect(left.map((place) => place.attendee.name)).toEqual(Array(3).fill('Ada Byron'));
});

test('P99: a course of a combo whose date the academy cancelled is chosen for alone', async () => {
  const { db } = academy.database;
  const december = { startsOn: '2025-12-01' };
  const { enrolmentId, token } = await placeCombo(db, [december, december, december], opening);
  const page = `/enrolment/${token}`;
  const [, second] = await placesOf(enrolmentId);
  setNow('2025-10-01T09:00');
  await db
    .transaction()
    .execute((trx) =>
      cancelCourseDateAndAsk(trx, second?.courseDate?.id ?? 0, theProgram, momentAt('2025-10-01T09:00')),
    );
  expect(await read(`${page}/choose/${second?.id}`)).toContain('AU$2,308.97 incl. GST, all of it.');
  const asked = `${page}/cancel?place=${second?.id}`;
  expect(await read(asked)).toContain('Cancel this place: AU$2,308.97 less to pay');
  expect((await act(asked)).to).toBe(`${page}?done=cancelled`);
  expect(await read(`${page}/cancel`)).toContain('Cancel the combo: AU$4,058.03 less to pay');
});

test('P30: wrong details are corrected by an adjustment note and a new invoice; the debt stays the same', async () => {
  const november = await courseDate();
  const { id, page, order } = await placed([november]);
  const path = `${page}/details`;
  const company = {
    buyerName: 'Grace Hopper',
    payer: 'organisation',
    organisation: 'Navy Pty Ltd',
    abn: '51 824 753 556',
  };
  const wrong = await act(path, { ...company, abn: '51 824 753 557' });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('This is not a valid ABN');
  expect(wrong.body).toContain('value="Navy Pty Ltd"');
  for (let time = 0; time < 2; time++) expect((await act(path, company)).to).toBe(`${page}?done=corrected`);
  expect(await documents(id)).toEqual({ invoices: [549900, 549900], notes: [549900] });
  const text = await read(page);
  expect(text).toContain('Still to pay AU$5,499 incl. GST');
  expect(text).toContain('Navy Pty Ltd');
  expect((await mailsTo(order.buyer.email)).map(({ kind }) => kind)).toEqual(['buyer-corrected', 'enrolment-placed']);
  // A telephone number stands on no invoice.
  expect((await act(path, { ...company, phone: '0412 345 678' })).to).toBe(`${page}?done=corrected`);
  expect((await documents(id)).invoices).toHaveLength(2);
});

test('P32, P24, P50: links are sent again to the very address that has some; the answer is the same for all others', async () => {
  const november = await courseDate();
  const email = 'asks@example.com';
  const buyer = { name: 'Asks Again', email, phone: null };
  const { reference } = await placed([november], { buyer, attendees: [attendee({ email: 'attends@example.com' })] });
  const { db } = academy.database;
  const answers: string[] = [];
  // A server may give the mailbox of the second to somebody else.
  const asked = ['Asks@Example.com', 'asks+later@example.com', 'attends@example.com', 'nobody@example.com'];
  for (const typed of asked) {
    const response = await academy.submit('/enrolments', { email: typed });
    answers.push(`${response.status} ${response.headers.get('Location')}`);
  }
  expect(answers).toEqual(asked.map(() => '303 /enrolments?sent'));
  expect(await read('/enrolments?sent')).toContain('If that address has enrolments or places');
  const sent = await db
    .selectFrom('mails')
    .select(['recipient', 'body_text', 'links'])
    .where('kind', '=', 'enrolment-links')
    .orderBy('recipient')
    .execute();
  expect(sent.map(({ recipient, links }) => [recipient, links.length])).toEqual([
    ['asks@example.com', 1],
    ['attends@example.com', 1],
  ]);
  const link = /\/enrolment\/[0-9a-f]+/.exec(await withLinks(db, sent[0]?.body_text))?.[0] ?? '';
  expect(await read(link)).toContain(reference);
  const place = /\/place\/[0-9a-f]+/.exec(await withLinks(db, sent[1]?.body_text))?.[0] ?? '';
  expect(await read(place)).toContain('Ada Byron’s place');
  // Asked again they come again.
  expect((await academy.submit('/enrolments', { email })).status).toBe(303);
  const count = await db.selectFrom('mails').select('id').where('kind', '=', 'enrolment-links').execute();
  expect(count).toHaveLength(3);
  const page = await html('/enrolments');
  expect(page).toContain('href="/login"');
  expect(page).not.toContain('no account');
  const faulty = await academy.submit('/enrolments', { email: 'not an address' });
  expect(faulty.status).toBe(400);
  expect(await faulty.text()).toContain('value="not an address"');
});

test('P37: while the database is away every page says so, and what was typed stays', async () => {
  const november = await courseDate();
  const { id, page } = await placed([november]);
  const [place] = await placesOf(id);
  const { academy: context } = academy.services;
  const { db } = context;
  const away = createDb({ ...academy.database.connection, host: '/nowhere' }, () => undefined);
  context.db = away;
  try {
    const attends = `/attendee/${place?.attendee.id}`;
    const paths = ['', '/cancel', `/transfer/${place?.id}`, `/choose/${place?.id}`, attends, '/add', '/details'];
    for (const path of paths) {
      const response = await academy.request(page + path);
      expect(response.status).toBe(503);
      expect(textOf(await response.text())).toContain('The enrolment is saved and is not lost.');
    }
    for (const file of ['/document/inv-00001.pdf', `/place/${place?.id}/calendar.ics`]) {
      expect((await academy.request(page + file)).status).toBe(503);
    }
    for (const [path, field] of [
      [attends, 'name-1'],
      ['/add', 'name-1'],
      ['/details', 'buyerName'],
    ] as const) {
      const response = await send(page + path, { [field]: 'Katherine Johnson', shown: '549900' });
      const body = await response.text();
      expect(response.status).toBe(503);
      expect(body).toContain('value="Katherine Johnson"');
      expect(textOf(body)).toContain('Our system is not available, so nothing was changed.');
    }
  } finally {
    context.db = db;
    await away.destroy();
  }
});
