import { afterAll, beforeAll, expect, test } from 'vitest';
import { queuePaymentReminders } from '#app/features/enrolments/payment-reminders.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { paymentsToReview } from '#app/features/money/payments-to-review.server.ts';
import { moneyDue } from '#app/features/reports/today/money.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { balancesOf, receive } from '#tests/support/money.ts';
import { anOwner, carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(academy, 'grace@example.com', 'Grace Hopper');
});
afterAll(() => academy.close());

const wordsOf = (html: string) =>
  html
    .replaceAll(/<!--.*?-->|<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const read = async (path: string) => wordsOf(await (await ada.get(path)).text());
const act = async (path: string, name: string, fields: Record<string, string>, by = ada) =>
  by.post(path, { ...carriedBy(await (await by.get(path)).text(), name), ...fields });
/** The field of a form that nobody fills in. */
const hidden = async (path: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(await (await ada.get(path)).text())?.[1] ?? '';

/** The fields in which the form for enrolling by hand sends back the dates that it showed. */
const datesShown = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/name="(shown-[^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&').replaceAll('&#x27;', "'"),
    ]),
  );

/** An enrolment in CISSP at AU$5,499 a place, confirmed, invoiced on Monday 8 September 2025, due on the 22nd. */
async function enrolled(people = 1, startsOn = '2025-12-15') {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn, capacity: 12 });
  const attendees = Array.from({ length: people }, (_, at) => attendee({ name: at === 0 ? 'Mary Shelley' : null }));
  const placed = await placeIn(db, courseDate, { attendees });
  const { places } = await readEnrolment(db, placed.enrolmentId);
  return { ...placed, placeId: String(places[0]?.id), path: `/staff/enrolments/${placed.reference}` };
}
const today = { today: '2025-09-08', now: new Date('2025-09-08T09:00:00+10:00') };

test('P83: a discount lowers the invoice and its GST, and an overpayment is refunded in the same act', async () => {
  const { db } = academy.database;
  const { enrolmentId, placeId, path } = await enrolled();
  await receive(db, enrolmentId, 520_000, today);
  const { id } = await db.selectFrom('payments').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const at = `${path}/discount`;
  expect(await read(at)).toContain('AU$299.00 is owed now.');
  const fields = { place: placeId, discount: '549.90', discountWhy: 'Colleagues of one company', refundOf: '' };
  // AU$5,499 less AU$549.90 is AU$4,949.10; AU$5,200 was paid.
  const alone = await act(at, 'discount', fields);
  expect([alone.status, wordsOf(await alone.text())]).toEqual([
    409,
    expect.stringContaining('AU$250.90 of this was paid already and goes back to the buyer.'),
  ]);
  expect((await balancesOf(db, enrolmentId)).computed).toBe(29_900);
  const sent = { ...carriedBy(await (await ada.get(at)).text(), 'discount'), ...fields, refundOf: String(id) };
  // The same press twice is one discount.
  for (const { status } of [await ada.post(at, sent), await ada.post(at, sent)]) expect(status).toBe(303);
  expect(await balancesOf(db, enrolmentId)).toEqual({ computed: 0, listed: 0 });
  const note = await db
    .selectFrom('adjustment_notes')
    .select(['total_cents', 'gst_cents', 'reason'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  // An eleventh of AU$5,499 is AU$499.91, of AU$4,949.10 AU$449.92.
  expect(note).toEqual({ total_cents: 54_990, gst_cents: 4_999, reason: 'Colleagues of one company' });
  expect(await changesOf(db, `enrolment:${path.split('/').at(-1)}`)).toEqual([
    ['discount', `chargedCents of place ${placeId}`, 549_900, 494_910],
  ]);
  const shown = await read(path);
  for (const text of [
    'Adjustment note: Colleagues of one company',
    '−549.90',
    'Refund: Colleagues of one company',
    '250.90 0.00',
    'Nothing owed',
    'Ada Byron gave a discount: note ADJ-',
    'amount AU$549.90, refund AU$250.90',
  ]) {
    expect(shown).toContain(text);
  }
  // Somebody else's page, open since before, is out of date.
  const second = await grace.post(at, { ...sent, form: crypto.randomUUID() });
  expect(second.status).toBe(409);
  const tooMuch = await act(at, 'discount', { ...fields, discount: '4949.11', refundOf: String(id) });
  expect(wordsOf(await tooMuch.text())).toContain('Only AU$4,949.10 is charged for it.');
});

test('P83: of two discounts at once on one enrolment one is given, and the other is refused in words', async () => {
  const { db } = academy.database;
  const { enrolmentId, placeId, path } = await enrolled();
  const at = `${path}/discount`;
  const fields = { place: placeId, discount: '100', discountWhy: 'Loyal customer', refundOf: '' };
  const forms = await Promise.all(
    [ada, grace].map(async (by) => ({ by, form: carriedBy(await (await by.get(at)).text(), 'discount') })),
  );
  const answers = await Promise.all(forms.map(({ by, form }) => by.post(at, { ...form, ...fields })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect((await balancesOf(db, enrolmentId)).computed).toBe(539_900);
});

test('P83: instalments take the place of the due day, for the buyer, reminders and the list of who owes', async () => {
  const { db } = academy.database;
  const { enrolmentId, token, path, email } = { ...(await enrolled()), email: '' };
  await receive(db, enrolmentId, 49_900, today);
  const at = `${path}/instalments`;
  const invoice = await hidden(at, 'invoice');
  expect(await read(at)).toContain('AU$5,000.00 is owed.');
  const fields = { invoice, 'day-1': '2025-09-15', 'amount-1': '2,000', 'day-2': '2026-01-12', 'amount-2': '3000' };
  const wrong = await act(at, 'agree', { ...fields, 'amount-2': '2999.99' });
  expect([wrong.status, wordsOf(await wrong.text())]).toEqual([
    409,
    expect.stringContaining('The amounts add up to AU$4,999.99. AU$5,000.00 is owed.'),
  ]);
  expect((await act(at, 'agree', fields)).status).toBe(303);
  const shown = await read(path);
  expect(shown).toContain('Mon 15 Sept 2025 Due, an instalment that was agreed 2,000.00');
  expect(shown).toContain('Mon 12 Jan 2026 Due, an instalment that was agreed 3,000.00');
  const buyers = wordsOf(await (await academy.request(`/enrolment/${token}`)).text());
  expect(buyers).toContain('We agreed on these instalments: AU$2,000 by Monday 15 September 2025 AU$3,000 by');
  const mail = await db
    .selectFrom('mails')
    .select('body_text')
    .where('kind', '=', 'instalments-agreed')
    .where('about_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  expect(mail.body_text).toContain('By Monday 15 September 2025: AU$2,000 incl. GST');
  expect(email).toBe('');

  // A day late, although the invoice itself says the 22nd.
  academy.setNow(new Date('2025-09-16T09:00:00+10:00'));
  const late = await read('/staff/owed');
  expect(late).toContain('2,000.00 5,000.00');
  expect(late).toContain('We remind on Thu 18 Sept');
  await receive(db, enrolmentId, 200_000, today);
  expect(await read('/staff/owed')).not.toContain('2,000.00 5,000.00');

  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  expect((await act(at, 'end', { invoice })).status).toBe(303);
  expect(await read(path)).toContain('Mon 22 Sept 2025 Due, 14 days after the invoice 3,000.00');
  expect((await act(at, 'end', { invoice })).status).not.toBe(303);
});

test('P84: each of three instalments counts by its own day on every page and in the file of who owes', async () => {
  const { db } = academy.database;
  const { enrolmentId, path, reference } = await enrolled();
  const at = `${path}/instalments`;
  const days = { 'day-1': '2025-09-10', 'day-2': '2025-10-20', 'day-3': '2025-12-01' };
  const amounts = { 'amount-1': '1499', 'amount-2': '2000', 'amount-3': '2000' };
  expect((await act(at, 'agree', { invoice: await hidden(at, 'invoice'), ...days, ...amounts })).status).toBe(303);
  // The printed day, Monday 22 September, counts nowhere from here on.
  academy.setNow(new Date('2025-09-24T09:00:00+10:00'));
  const line = async () =>
    (await (await ada.get('/staff/owed.csv')).text()).split('\r\n').find((text) => text.includes(reference)) ?? '';
  expect(await line()).toContain(`"2025-09-10","${reference}"`);
  expect(await line()).toContain(',1499.00,5499.00,"yes"');
  // On its day the second one is not late yet, the day after it is.
  academy.setNow(new Date('2025-10-20T23:00:00+10:00'));
  expect(await line()).toContain(',1499.00,5499.00,');
  academy.setNow(new Date('2025-10-21T00:00:00+10:00'));
  expect(await line()).toContain(',3499.00,5499.00,');
  academy.setNow(new Date('2025-09-24T09:00:00+10:00'));
  expect(await read('/staff/owed')).toContain('1,499.00 5,499.00');
  const sums = async () => {
    const { week, late, long } = await moneyDue(db, anOwner, '2025-09-24');
    return [week.cents, late.cents, long.cents] as const;
  };
  const before = await sums();

  const lateOnes = async () => {
    const { payments } = await paymentsToReview(db, { part: 'all', since: new Date(0) });
    return payments.filter((one) => one.enrolmentId === enrolmentId && one.why.includes('late')).map(({ id }) => id);
  };
  const pay = async (day: string, cents: number) => {
    const now = new Date(`${day}T10:00:00+10:00`);
    await receive(db, enrolmentId, cents, { today: day, now });
    return (await db.selectFrom('payments').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;
  };
  const late = await pay('2025-09-24', 149_900);
  // The first one was 14 days late; nothing of the others was due this week.
  const [week, lateSum, long] = await sums();
  expect([before[0] - week, before[1] - lateSum, before[2] - long]).toEqual([0, 149_900, 0]);
  // Behind the printed day, before its own.
  await pay('2025-10-20', 200_000);
  expect(await lateOnes()).toEqual([late]);
  const last = await pay('2025-12-02', 200_000);
  expect(await lateOnes()).toEqual([last, late]);
  expect(await line()).toBe('');
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
});

test('P39: the former report of debts leads to who owes', async () => {
  const answer = await ada.get('/staff/reports/owed');
  expect([answer.status, answer.headers.get('Location')]).toEqual([301, '/staff/owed']);
});

test('P39: who owes is one list, by when it is due, with its sum and boxes to remind several', async () => {
  const { reference } = await enrolled();
  const list = async (query: string) => (await ada.get(`/staff/owed${query}`)).text();
  const [all, later, late] = [await list(`?search=${reference}`), await list('?due=later'), await list('?due=late')];
  expect(wordsOf(all)).toContain('1 payment, AU$5,499.00 together');
  expect(all).toContain(`name="row" value="${reference}"`);
  expect([later.includes(reference), late.includes(reference)]).toEqual([true, false]);
  const file = await (await ada.get('/staff/owed.csv?due=later')).text();
  expect(file).toContain(`"2025-09-22","${reference}"`);
});

test('P83: a person is added at today’s price or at that of the contract, said before', async () => {
  const { db } = academy.database;
  const { enrolmentId, path, placeId } = await enrolled();
  const at = `${path}/add`;
  expect(await read(at)).toContain('AU$5,499.00 incl. GST: today’s price, the same as when they enrolled.');
  // As if it had been placed when the course cost AU$4,999.
  await db.updateTable('places').set({ price_cents: 499_900 }).where('id', '=', Number(placeId)).execute();
  const html = await (await ada.get(at)).text();
  expect(wordsOf(html)).toContain('AU$4,999.00, as the others of this enrolment');
  const shown = { shownToday: '549900', shownContract: '499900' };
  const [, way = '', value = ''] = /name="(way-\d+)"[^>]*>.*?<option value="([^"]+)"/s.exec(html) ?? [];
  const nobody = { name: '', email: '', needs: '', guardianName: '', guardianEmail: '' };
  const date = { [`shown-${value}`]: await hidden(at, `shown-${value}`) };
  const asking = { ...shown, ...nobody, ...date, [way]: value };
  // Of a date that was moved while the caller was read the refunds, nobody is added.
  const moved = await act(at, 'add', { ...asking, [`shown-${value}`]: 'another', price: 'today' });
  expect([moved.status, wordsOf(await moved.text()).includes('Somebody changed this date')]).toEqual([409, true]);
  expect((await act(at, 'add', { ...asking, price: '' })).status).toBe(400);
  expect((await act(at, 'add', { ...asking, price: 'contract', shownContract: '1' })).status).toBe(409);
  expect((await act(at, 'add', { ...asking, price: 'contract' })).status).toBe(303);
  expect((await act(at, 'add', { ...asking, price: 'today' })).status).toBe(303);
  const totals = await db
    .selectFrom('tax_invoices')
    .select('total_cents')
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id')
    .execute();
  expect(totals.map(({ total_cents }) => total_cents)).toEqual([549_900, 499_900, 549_900]);
  expect(await read(path)).toContain('Ada Byron added an attendee: by the price of the contract, price AU$4,999.00');
  // Where nobody fits any more the field says so: it was empty.
  await db.updateTable('course_dates').set({ capacity: 3 }).where('starts_on', '=', '2025-12-15').execute();
  expect(await read(at)).toContain('Every date is full');
});

test('P83: the invoice is sent again, as it was issued, with the amount due now', async () => {
  const { db } = academy.database;
  const { enrolmentId, path } = await enrolled();
  await receive(db, enrolmentId, 100_000, today);
  expect((await act(path, 'send-invoice', { invoice: await hidden(path, 'invoice') })).status).toBe(303);
  const mail = await db
    .selectFrom('mails')
    .select(['body_text', 'attachments'])
    .where('kind', '=', 'invoice-copy')
    .where('about_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  expect(mail.body_text).toContain('Please pay AU$4,499 incl. GST by Monday 22 September 2025.');
  expect(JSON.stringify(mail.attachments)).toMatch(/tax-invoice:\d+/);
  expect((await act(path, 'send-invoice', { invoice: '999999' })).status).toBe(409);
});

test('P83: notes are for colleagues; their author changes them for 15 minutes, and they stand in nobody’s way', async () => {
  const { db } = academy.database;
  const { path } = await enrolled();
  const before = carriedBy(await (await grace.get(path)).text(), 'links');
  expect((await act(path, 'note', { note: '  ' })).status).toBe(400);
  expect((await act(path, 'note', { note: 'She calls back on Friday.' })).status).toBe(303);
  expect((await grace.post(path, before)).status).toBe(303);
  expect(await read(path)).toContain('Ada Byron noted She calls back on Friday.');
  const { id } = await db.selectFrom('notes').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const change = { noteId: String(id), note: 'He calls back on Friday.' };
  const form = carriedBy(await (await ada.get(path)).text(), 'change-note');
  expect((await grace.post(path, { ...form, ...change })).status).toBe(409);
  expect((await ada.post(path, { ...form, ...change })).status).toBe(303);
  expect(await read(path)).toContain('noted (changed since) He calls back on Friday.');
  academy.setNow(new Date(academy.services.academy.clock.now().getTime() + 16 * 60_000));
  for (const name of ['change-note', 'delete-note']) {
    const late = await ada.post(path, { ...form, ...change, act: name, form: crypto.randomUUID() });
    expect(wordsOf(await late.text())).toContain('Only its author can change a note');
  }
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  const mails = await db.selectFrom('mails').select('body_text').execute();
  expect(mails.filter(({ body_text }) => body_text.includes('calls back'))).toEqual([]);
});

test('P83: staff see when a buyer opened their page, the invoice and the calendar entry first; scanners do not count', async () => {
  const { db } = academy.database;
  const { enrolmentId, token, path, placeId } = await enrolled();
  const { number } = await db
    .selectFrom('tax_invoices')
    .select('number')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const invoice = `/enrolment/${token}/document/inv-${String(number).padStart(5, '0')}.pdf`;
  const calendar = /href="([^"]+\.ics)"/.exec(await (await academy.request(`/enrolment/${token}`)).text())?.[1] ?? '';
  expect(calendar).toContain(placeId);
  const ahead = { 'Sec-Fetch-Mode': 'cors', 'Sec-Purpose': 'prefetch' };
  for (const headers of [{}, ahead]) await academy.request(`/enrolment/${token}`, { headers });
  expect(await read(path)).not.toContain('opened');
  const browser = { 'Sec-Fetch-Mode': 'navigate' };
  for (const address of [`/enrolment/${token}`, invoice, calendar, `/enrolment/${token}`]) {
    expect((await academy.request(address, { headers: browser })).status).toBe(200);
  }
  const { openings } = { openings: await db.selectFrom('first_openings').select(['what', 'attendee_id']).execute() };
  expect(openings.map(({ what }) => what).toSorted()).toEqual(['calendar', 'page', 'tax-invoice']);
  const shown = await read(`${path}?who=buyer`);
  for (const text of ['opened their page', /opened INV-\d{5}/, 'took the calendar entry']) {
    expect(shown).toMatch(text);
  }
  expect(shown).not.toContain('Program issued');
});

test('P78: links walk the list that an enrolment was opened from', async () => {
  const [first, second, third] = [await enrolled(), await enrolled(), await enrolled()];
  const list = await (await ada.get('/staff/enrolments?state=unpaid')).text();
  const to = new RegExp(`href="(/staff/enrolments/${second.reference}[^"]*)"`).exec(list)?.[1] ?? '';
  expect(to).toContain('?list=state%3Dunpaid');
  const page = await (await ada.get(to.replaceAll('&amp;', '&'))).text();
  const leads = (rel: string) => new RegExp(`<a[^>]*rel="${rel}"[^>]*>`).exec(page)?.[0] ?? '';
  // The latest stands first in the list.
  expect(leads('prev')).toContain(`/staff/enrolments/${third.reference}?list=state%3Dunpaid`);
  expect(leads('next')).toContain(`/staff/enrolments/${first.reference}?list=state%3Dunpaid`);
  expect(wordsOf(page)).toContain('Owes money Previous Next');
});

test('P83: a caller who enrolled before is found, and enrolled with a discount and how the terms were accepted', async () => {
  const { db } = academy.database;
  const { reference } = await enrolled();
  await db
    .updateTable('enrolments')
    .set({ buyer_name: 'Petra Manning', phone: '+61412345678', address: '12 Eagle Street, Brisbane' })
    .where('reference', '=', reference)
    .execute();
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-08', capacity: 4 });
  const item = '/staff/enrolments/new?item=course%3Acissp';
  const found = await (await ada.get(`${item}&find=manning`)).text();
  const known =
    /href="([^"]*\?item=course%3Acissp&amp;way=&amp;buyer=[^"]+)"[^>]*>Petra Manning</.exec(found)?.[1] ?? '';
  const at = known.replaceAll('&amp;', '&');
  const form = await (await ada.get(at)).text();
  expect(form).toContain('12 Eagle Street, Brisbane');
  const fields = {
    ...carriedBy(form, 'enrol'),
    ...datesShown(form),
    shown: /name="shown" value="(\d+)"/.exec(form)?.[1] ?? '',
    hold: '',
    [`way-${courseDate.courseId}`]: `course-date:${courseDate.id}`,
    attendees: '?\n?',
    ...{ buyerName: 'Petra Manning', email: 'petra@moreton.example', phone: '', organisation: '', abn: '' },
    ...{ address: '12 Eagle Street, Brisbane', purchaseOrder: '', accountsEmail: '', contact: 'they-contacted-us' },
    ...{ accepted: 'spoken', discountCents: '1,000', discountWhy: 'Two of one company' },
  };
  expect((await ada.post(at, { ...fields, accepted: '' })).status).toBe(400);
  expect((await ada.post(at, { ...fields, discountWhy: '' })).status).toBe(400);
  const tooMuch = await ada.post(at, { ...fields, discountCents: '10998.01', form: crypto.randomUUID() });
  expect(wordsOf(await tooMuch.text())).toContain('Only AU$10,998.00 is invoiced now.');
  const placed = await ada.post(at, { ...fields, form: crypto.randomUUID() });
  expect(placed.status).toBe(303);
  const shown = await read(placed.headers.get('Location') ?? '');
  for (const text of ['2 people', '2 names missing', 'AU$9,998.00 owed', 'spoken, heard by who placed it']) {
    expect(shown).toContain(text);
  }
  const mails = await db
    .selectFrom('mails')
    .select(['kind', 'body_text'])
    .where('recipient', '=', 'petra@moreton.example')
    .execute();
  expect(mails.map(({ kind }) => kind).toSorted()).toEqual(['adjustment-note', 'enrolment-placed']);
  const [text = ''] = mails.flatMap((mail) => (mail.kind === 'enrolment-placed' ? [mail.body_text] : []));
  // What the mail promises is what the page and a cancellation give: 5,499 each, less 500.
  for (const words of [
    'Total: AU$9,998 incl. GST',
    'Discount: AU$1,000, as the adjustment note says',
    'Until Monday 24 November: AU$4,999 for each place',
    'Until Monday 1 December: AU$2,499.50 for each place',
  ]) {
    expect(text).toContain(words);
  }
  expect(text).not.toMatch(/AU\$5,499|AU\$2,749.50|AU\$10,998/);
});

test('P30, P83: a reminder is of no use from the first day of the course on, unless it names an instalment, which may be due later', async () => {
  const { db } = academy.database;
  academy.setNow(today.now);
  const whole = await enrolled();
  const parts = await enrolled();
  const at = `${parts.path}/instalments`;
  const fields = { 'day-1': '2025-09-22', 'amount-1': '2499', 'day-2': '2026-01-12', 'amount-2': '3000' };
  expect((await act(at, 'agree', { invoice: await hidden(at, 'invoice'), ...fields })).status).toBe(303);
  const { academy: identity } = academy.services;
  await queuePaymentReminders(
    db,
    momentOf({ ...identity, clock: { now: () => new Date('2025-09-25T09:00:00+10:00'), aheadMs: 0 } }),
  );
  const staleAfter = async (id: number) => {
    const mails = db.selectFrom('mails').select('stale_after').where('kind', '=', 'payment-reminder');
    return (await mails.where('about_id', '=', id).execute()).map((mail) => mail.stale_after);
  };
  expect(await staleAfter(whole.enrolmentId)).toEqual([new Date('2025-12-15T00:00:00+10:00')]);
  expect(await staleAfter(parts.enrolmentId)).toEqual([null]);
});
