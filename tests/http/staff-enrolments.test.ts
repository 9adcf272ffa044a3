import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeAttendee } from '#app/features/enrolments/attendees.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { theBuyer } from '#app/features/people/actor.ts';
import { addDays } from '#app/lib/dates.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { changesOf } from '#tests/support/changes-of.ts';
import { placeCombo } from '#tests/support/combos.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, momentAt, placeIn, seatsLeftIn, termsId } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { torture } from '#tests/support/torture.ts';

/** A day more than a year away, and so many days more. */
const far = (days: number) => addDays('2026-11-22', days);
/** At AU$2,299. */
const course = 'comptia-security-plus';
let academy: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp({ jobs: true });
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(academy, 'grace@example.com', 'Grace Hopper');
});
afterAll(() => academy.close());

const page = async (path: string) => (await ada.get(path)).text();
/** The words of a page, without its marks. */
const words = async (path: string) =>
  (await page(path))
    .replaceAll(/<!--.*?-->|<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const pathOf = (reference: string) => `/staff/enrolments/${reference}`;
const buyer = (name: string) => ({ name, email: `${name.toLowerCase().replace(' ', '.')}@example.org`, phone: null });

/** The fields in which the form for enrolling by hand sends back the dates that it showed. */
const datesShown = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/name="(shown-[^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&').replaceAll('&#x27;', "'"),
    ]),
  );

test('the form to enrol somebody finds a course by its title and an organisation by its name', async () => {
  const { db } = academy.database;
  const { title } = await db.selectFrom('courses').select('title').where('slug', '=', course).executeTakeFirstOrThrow();
  const path = `/staff/enrolments/new?${new URLSearchParams({ item: title.toUpperCase(), find: 'harbour' })}`;
  const details = { legal_name: 'Harbour Tools Pty Ltd', abn: '51824753556', address: '1 Quay Street, Brisbane' };
  const { id } = await db
    .insertInto('organisations')
    .values({ ...details, made_at: academy.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const found = await page(path);
  expect(found).toContain('name="shown" value="229900"');
  expect(found).toMatch(new RegExp(`organisation=${id}"[^>]*>Harbour Tools Pty Ltd`));
  const filled = await page(`/staff/enrolments/new?item=course:${course}&organisation=${id}`);
  for (const value of ['Harbour Tools Pty Ltd', '51824753556', '1 Quay Street, Brisbane']) {
    expect(filled).toContain(`value="${value}"`);
  }
});

test('staff enrol a caller with the seats of a quote, and find the enrolment by everything it is known by', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course, capacity: 2, startsOn: far(60) });
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const courseDatePath = `/staff/course-dates/${slug}`;
  const begun = `/staff/enrolments/new?item=course:comptia-security-plus&way=course-date:${courseDate.id}`;
  expect(await page(courseDatePath)).toContain(`href="${begun.replace('&', '&amp;')}"`);
  expect(await page(begun)).toContain(`<option value="course-date:${courseDate.id}" selected="">`);
  expect(await page(begun.replace(/\d+$/, '999'))).not.toContain('selected="">2');
  const quote = { seats: '2', until: far(30), label: 'Bower Pty Ltd' };
  await ada.post(courseDatePath, { ...carriedBy(await page(courseDatePath), 'hold-quote'), ...quote });
  const path = '/staff/enrolments/new?item=course:comptia-security-plus';
  const asked = await page(path);
  const hold = /<option value="(\d+)">Bower Pty Ltd: 2 seats/.exec(asked)?.[1] ?? '';
  const shown = /name="shown" value="(\d+)"/.exec(asked)?.[1] ?? '';
  expect([hold !== '', shown, asked.includes('AU$2,299.00 incl. GST for each person')]).toEqual([true, '229900', true]);
  const fields = {
    ...carriedBy(asked, 'enrol'),
    ...datesShown(asked),
    shown,
    hold: '',
    [`way-${courseDate.courseId}`]: `course-date:${courseDate.id}`,
    attendees: 'Mary Shelley, mary@example.org\n?',
    buyerName: 'Percy Shelley',
    email: 'percy@example.net',
    phone: '07 7010 0142',
    organisation: 'Bower Pty Ltd',
    abn: '51 824 753 556',
    address: '',
    purchaseOrder: 'PO-77',
    accountsEmail: '',
    contact: 'they-asked-for-a-call',
    accepted: 'spoken',
    discountCents: '',
    discountWhy: '',
  };
  // P31: what is read to the caller binds, so it is there to be read, and another date is refused.
  for (const text of ['9:00 AM to 5:00 PM', 'Confirmed. If they cancel, for each person: until ']) {
    expect(asked).toContain(text);
  }
  const dateField = `shown-${courseDate.courseId}-course-date:${courseDate.id}`;
  const moved = await ada.post(path, { ...fields, hold, [dateField]: 'another date' });
  expect([moved.status, (await moved.text()).includes('Somebody changed the date')]).toEqual([409, true]);
  const full = await ada.post(path, { ...fields, form: crypto.randomUUID() });
  const refused = await full.text();
  expect([full.status, refused.includes('Only 0 seats are left on the date chosen.')]).toEqual([409, true]);
  expect(refused.includes('value="PO-77"')).toBe(true);
  const wrong = await ada.post(path, { ...fields, abn: '51 824 753 557', attendees: ' ' });
  const faults = await wrong.text();
  expect(wrong.status).toBe(400);
  for (const text of ['This is not an ABN', 'Enter one line for each person']) expect(faults.includes(text)).toBe(true);
  const swapped = await ada.post(path, { ...fields, hold, attendees: 'Shelley, Mary' });
  expect([swapped.status, (await swapped.text()).includes('Write “Shelley, Mary” as a name')]).toEqual([400, true]);
  // Somebody who was called without asking is not enrolled (ACL s 69), and staff have to say which it was.
  for (const [contact, text] of [
    ['we-contacted-them', 'Do not enrol them.'],
    ['', 'Choose who contacted whom.'],
  ] as const) {
    const unasked = await ada.post(path, { ...fields, ...carriedBy(refused, 'enrol'), hold, contact });
    expect([unasked.status, (await unasked.text()).includes(text)]).toEqual([400, true]);
  }
  const placed = await ada.post(path, { ...fields, ...carriedBy(refused, 'enrol'), hold });
  const location = placed.headers.get('Location') ?? '';
  const reference = location.replace('/staff/enrolments/', '');
  expect([placed.status, reference]).toEqual([303, expect.stringMatching(/^BB-/)]);
  expect(await seatsLeftIn(db, courseDate.id)).toBe(0);
  const shownPage = await words(location);
  for (const text of [
    'placed by Ada Byron',
    'they asked for a call',
    'INV-00001',
    'To be named',
    'AU$4,598.00 owed',
    'percy@example.net',
    '51 824 753 556',
  ]) {
    expect(shownPage.includes(text), text).toBe(true);
  }
  const pdf = await ada.get('/staff/documents/tax-invoice/1');
  expect([pdf.headers.get('Content-Type'), (await pdf.text()).startsWith('%PDF')]).toEqual(['application/pdf', true]);
  expect((await ada.get('/staff/documents/tax-invoice/99')).status).toBe(404);
  for (const search of [reference, 'shelley perc', 'mary@example.org', 'INV-00001', 'inv00001', 'bower po', '7010']) {
    const list = await page(`/staff/enrolments?search=${encodeURIComponent(search)}`);
    expect(list.includes(location), search).toBe(true);
  }
  expect((await page('/staff/enrolments?search=byron')).includes(location)).toBe(false);
  expect((await page(`/staff/enrolments?courseDate=${slug}&state=unpaid`)).includes(location)).toBe(true);
  expect((await page('/staff/enrolments?state=overpaid')).includes(location)).toBe(false);
});

test('payments and refunds are recorded once, a failed refund reopens the balance, and lists follow', async () => {
  const courseDate = await makeCourseDate(academy.database.db, { course, startsOn: '2025-11-17' });
  const { reference } = await placeIn(academy.database.db, courseDate, { buyer: buyer('Jane Austen') });
  const path = pathOf(reference);
  const listed = async (state: string) => (await page(`/staff/enrolments?state=${state}`)).includes(path);
  const act = async (name: string, fields: Record<string, string>, by = ada) =>
    by.post(path, { ...carriedBy(await page(path), name), ...fields });
  const payment = { amount: '2,400.00', day: '2025-09-05', method: 'bank', words: 'INV1' };
  const late = await act('payment', { ...payment, day: '2025-09-09' });
  expect([late.status, (await late.text()).includes('This day is in the future.')]).toEqual([409, true]);
  const sent = { ...carriedBy(await page(path), 'payment'), ...payment };
  for (const { status } of [await ada.post(path, sent), await ada.post(path, sent)]) expect(status).toBe(303);
  expect((await words(path)).includes('AU$101.00 to refund')).toBe(true);
  expect([await listed('overpaid'), await listed('unpaid')]).toEqual([true, false]);
  expect((await page('/staff/payments')).includes('AU$101.00')).toBe(true);

  const { id } = await academy.database.db.selectFrom('payments').select('id').executeTakeFirstOrThrow();
  const refund = { payment: String(id), refunded: '3000', sentOn: '2025-09-06', why: 'Paid too much' };
  const tooMuch = await act('refund', refund);
  expect([tooMuch.status, (await tooMuch.text()).includes('Only AU$2,400.00 of this payment is left.')]).toEqual([
    409,
    true,
  ]);
  for (const [sentOn, why] of [
    ['2025-09-09', 'This day is in the future.'],
    ['2025-09-04', 'The payment came in on Friday 5 September 2025'],
  ] as const) {
    const wrong = await act('refund', { ...refund, refunded: '101', sentOn });
    expect([wrong.status, (await wrong.text()).includes(why)]).toEqual([409, true]);
  }
  expect(await page(path)).toMatch(/<input[^>]*name="sentOn"[^>]*value="2025-09-08"/);
  expect((await act('refund', { ...refund, refunded: '101' }, grace)).status).toBe(303);
  expect(await words(path)).toMatch(/\b6 Sep\w* 2025 Refund: Paid too much/);
  expect([await listed('overpaid'), (await page(path)).includes('Nothing owed')]).toEqual([false, true]);
  // Sums of the record have their cents, as its ledger has.
  expect((await words(path)).match(/AU\$[\d,]+(?!\.?[\d,])/g)).toEqual(null);
  const before = await page(path);
  const { id: refundId } = await academy.database.db.selectFrom('refunds').select('id').executeTakeFirstOrThrow();
  const failed = { ...carriedBy(before, 'refund-failed'), refund: String(refundId) };
  expect((await ada.post(path, failed)).status).toBe(303);
  expect((await words(path)).includes('AU$101.00 to refund')).toBe(true);
  expect((await page('/staff')).includes('>Refund failed<')).toBe(true);
  const second = await grace.post(path, { ...failed, form: crypto.randomUUID() });
  expect([
    second.status,
    (await second.text()).includes('Ada Byron recorded that a refund failed in the meantime'),
  ]).toEqual([409, true]);

  // Of a payment through Stripe only Stripe says that a refund failed.
  expect((await act('refund', { ...refund, refunded: '1' })).status).toBe(303);
  expect((await page(path)).includes('>It failed<')).toBe(true);
  const { db } = academy.database;
  await db.updateTable('payments').set({ method: 'card', source: 'pi_1' }).where('id', '=', id).execute();
  expect((await page(path)).includes('>It failed<')).toBe(false);
  // Such a refund leaves when it is recorded.
  const back = await act('refund', { ...refund, refunded: '1' });
  expect([back.status, (await back.text()).includes('so enter today.')]).toEqual([409, true]);
});

test('P28: buyer and staff read the text that was accepted, also when /terms has another now', async () => {
  const { db } = academy.database;
  const accepted = await termsId(db, '## Refunds of then\n\nAll of it, always.');
  const { reference, token } = await placeIn(db, await makeCourseDate(db, { course }), { termsId: accepted });
  expect(await page(pathOf(reference))).toContain(`href="/staff/terms/${accepted}"`);
  expect(await page(`/staff/terms/${accepted}`)).toContain('All of it, always.');
  expect(await page(`/enrolment/${token}/terms`)).toContain('All of it, always.');
});

test('P100: places are cancelled by the terms or in full, and the refund is shown before', async () => {
  const { db } = academy.database;
  // Ten days before the first day: half of it comes off, had it not been placed within 24 hours.
  const courseDate = await makeCourseDate(db, { course, startsOn: '2025-09-18' });
  const attendees = [attendee({ name: 'Emily' }), attendee({ name: 'Anne' }), attendee({ name: 'Charlotte' })];
  const { reference } = await placeIn(db, courseDate, { buyer: buyer('Maria Branwell'), attendees });
  academy.setNow(new Date('2025-09-09T12:00:00+10:00'));
  const path = `${pathOf(reference)}/cancel`;
  const choice = await page(path);
  const ids = [...choice.matchAll(/name="place" [^>]*value="(\d+)"/g)].map(([, id]) => id ?? '');
  expect([ids.length, choice.includes('AU$1,149.50')]).toEqual([3, true]);
  const asked = await page(`${path}?place=${ids[0]}`);
  expect(asked.replaceAll('<!-- -->', '').includes('AU$1,149.50, as the terms say')).toBe(true);
  const fields = { ...carriedBy(asked, 'cancel'), places: ids[0] ?? '', shown: '114950', how: 'terms', reason: '' };
  const changed = await ada.post(`${path}?place=${ids[0]}`, { ...fields, shown: '229900' });
  expect([changed.status, (await changed.text()).includes('AU$1,149.50 instead of AU$2,299.00')]).toEqual([409, true]);
  expect((await ada.post(path, fields)).status).toBe(303);
  const own = carriedBy(await page(`${path}?place=${ids[1]}`), 'cancel');
  const inFull = { ...fields, ...own, places: ids[1] ?? '', how: 'full' };
  const noReason = await ada.post(`${path}?place=${ids[1]}`, inFull);
  expect([noReason.status, (await noReason.text()).includes('Enter the reason.')]).toEqual([400, true]);
  expect((await ada.post(path, { ...inFull, reason: 'Illness' })).status).toBe(303);
  const after = await words(pathOf(reference));
  for (const text of ['AU$3,448.50 owed', 'Cancelled by staff', 'ADJ-00002', 'cancelled places']) {
    expect(after.includes(text), text).toBe(true);
  }
  expect((await page('/staff/enrolments?state=cancelled')).includes(reference)).toBe(true);
  const discount = `${pathOf(reference)}/discount`;
  const asking = { place: ids[2] ?? '', discount: '100', discountWhy: 'The room was cold', refundOf: '' };
  expect((await ada.post(discount, { ...carriedBy(await page(discount), 'discount'), ...asking })).status).toBe(303);
  expect((await words(pathOf(reference))).includes('AU$3,348.50 owed')).toBe(true);
  expect(await changesOf(academy.database.db, `enrolment:${reference}`)).toEqual([
    ['discount', `chargedCents of place ${ids[2]}`, 229_900, 219_900],
  ]);
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
});

test('P99: staff cancel a combo as a whole under the terms, and a single course with a reason only', async () => {
  const ways = [{ startsOn: '2025-12-01' }, { startsOn: '2025-12-08' }, 'later'] as const;
  const { reference } = await placeCombo(academy.database.db, ways, momentAt('2025-09-08T09:00'), {
    buyer: buyer('Ada Lovelace'),
  });
  const path = `${pathOf(reference)}/cancel`;
  const ids = [...(await page(path)).matchAll(/name="place" [^>]*value="(\d+)"/g)].map(([, id]) => id ?? '');
  const alone = `${path}?place=${ids[0]}`;
  const asked = await page(alone);
  expect([ids.length, asked.includes('as the terms say')]).toEqual([3, false]);
  const one = { ...carriedBy(asked, 'cancel'), places: ids[0] ?? '', shown: '0', reason: '' };
  const refused = await ada.post(alone, { ...one, how: 'terms' });
  expect([refused.status, (await refused.text()).includes('a combo is cancelled as a whole')]).toEqual([409, true]);
  expect((await ada.post(alone, { ...one, how: 'full', reason: 'Illness' })).status).toBe(303);
  // What is left of it is again cancelled as a whole: 2,308.97 for the second course, and nothing for the third.
  const rest = `${path}?${ids
    .slice(1)
    .map((id) => `place=${id}`)
    .join('&')}`;
  const shown = (await page(rest)).replaceAll('<!-- -->', '');
  expect(shown).toContain('AU$2,308.97, as the terms say');
  const both = {
    ...carriedBy(shown, 'cancel'),
    places: ids.slice(1).join(),
    shown: '230897',
    how: 'terms',
    reason: '',
  };
  expect((await ada.post(rest, both)).status).toBe(303);
  expect(await words(pathOf(reference))).toContain('Nothing owed');
});

test('places move to another date, people and buyers are corrected, links are sent again', async () => {
  const { db } = academy.database;
  const [from, to] = [
    await makeCourseDate(db, { course, startsOn: '2026-01-12' }),
    await makeCourseDate(db, { course, startsOn: '2026-01-19' }),
  ];
  const { reference } = await placeIn(db, from, { buyer: buyer('Ann Lister'), attendees: [attendee({ name: null })] });
  const path = pathOf(reference);
  const links = /href="([^"]+\/places\/\d+\/transfer)"/.exec(await page(path));
  const transfer = links?.[1] ?? '';
  const wish = { ...carriedBy(await page(transfer), 'transfer'), courseDate: String(to.id) };
  // Who wants the move decides what a later cancellation gives back, so it has to be said.
  const unsaid = await ada.post(transfer, wish);
  expect([unsaid.status, (await unsaid.text()).includes('Choose whether the buyer asked for it.')]).toEqual([
    400,
    true,
  ]);
  const undated = Object.fromEntries(
    Object.entries({ ...wish, because: 'asked' }).filter(([name]) => name !== 'courseDate'),
  );
  expect(await (await ada.post(transfer, undated)).text()).toContain('Choose a date.');
  const moved = await ada.post(transfer, { ...wish, because: 'asked' });
  expect([moved.status, await seatsLeftIn(db, from.id), await seatsLeftIn(db, to.id)]).toEqual([303, 6, 5]);
  expect((await ada.get(transfer)).status).toBe(404);

  const person = /href="([^"]+\/attendees\/\d+)"/.exec(await page(path))?.[1] ?? '';
  const named = {
    ...carriedBy(await page(person), 'attendee'),
    name: 'Eliza Raine',
    email: 'eliza@example.org',
    needs: '',
  };
  const young = await ada.post(person, { ...named, under18: 'on', guardianName: '', guardianEmail: '' });
  expect([young.status, (await young.text()).includes('Someone under 18 needs one')]).toEqual([400, true]);
  expect((await ada.post(person, { ...named, guardianName: '', guardianEmail: '' })).status).toBe(303);

  const correct = `${path}/buyer`;
  const details = { phone: '', abn: '', address: '', purchaseOrder: '', accountsEmail: '' };
  const corrected = {
    ...details,
    buyerName: 'Anne Lister',
    email: 'anne@shibden.example',
    organisation: 'Shibden Hall',
  };
  const answer = await ada.post(correct, { ...carriedBy(await page(correct), 'buyer'), ...corrected });
  expect(answer.status).toBe(303);
  // The unpaid seats of a mail domain are counted where the buyer is now (P28).
  const domains = db.selectFrom('enrolments').select('mail_domain').where('email', '=', 'anne@shibden.example');
  expect(await domains.execute()).toEqual([{ mail_domain: 'shibden.example' }]);
  const after = await page(path);
  const told = await words(path);
  for (const text of [
    'Anne Lister, Shibden Hall',
    'Eliza Raine',
    'Adjustment note',
    'AU$2,299.00 owed',
    'Ada Byron named Eliza Raine',
    'corrected a name, from Ann Lister to Anne Lister',
  ]) {
    expect(told.includes(text), text).toBe(true);
  }
  expect((await ada.post(path, carriedBy(after, 'links'))).status).toBe(303);
  const mails = db.selectFrom('mails').select(['recipient']).where('kind', '=', 'enrolment-links').orderBy('recipient');
  // Once because of the new address, once because staff asked.
  expect((await mails.execute()).map(({ recipient }) => recipient)).toEqual([
    'anne@shibden.example',
    'anne@shibden.example',
    'eliza@example.org',
    'eliza@example.org',
  ]);
  expect((await ada.get(pathOf('BB-222222'))).status).toBe(404);
});

test('items for which a job failed are on the list of things to do, with their subject and what staff can do', async () => {
  const { db } = academy.database;
  const empty = await (await ada.get('/staff/faults')).text();
  expect(empty).toContain('No job has failed.');
  expect(await mainText(await ada.get('/staff'))).not.toContain('Jobs that failed');
  const courseDate = await makeCourseDate(db, { course: 'cism' });
  const placed = await placeIn(db, courseDate);
  const [place] = await db.selectFrom('places').select('id').where('enrolment_id', '=', placed.enrolmentId).execute();
  const { slug } = await db
    .selectFrom('course_dates')
    .select('slug')
    .where('id', '=', courseDate.id)
    .executeTakeFirstOrThrow();
  const at = new Date();
  const fault = { first_at: at, last_at: at, message: 'it <b>broke</b>' };
  await db
    .insertInto('job_faults')
    .values([
      { ...fault, job: 'remind of places', item: `place:${place?.id}`, times: 3 },
      { ...fault, job: 'give back seats', item: `course-date:${courseDate.id}` },
      { ...fault, job: 'keep waiting lists', item: 'waiting-entry:999999' },
      { ...fault, job: 'a job of tomorrow', item: 'part:all of it' },
    ])
    .execute();
  const start = (await (await ada.get('/staff')).text()).replace(/[\s\S]*<main/, '');
  expect(/href="\/staff\/faults"[^>]*>Jobs that failed/.test(start)).toBe(true);
  const page = await (await ada.get('/staff/faults')).text();
  for (const text of [
    `href="/staff/enrolments/${placed.reference}"`,
    `href="/staff/course-dates/${slug}"`,
    'Some holds on this date have ended',
    'waiting-entry:999999',
    'A job of tomorrow',
    'all of it',
    'it &lt;b&gt;broke&lt;/b&gt;',
  ]) {
    expect(page.includes(text), text).toBe(true);
  }
  expect(page.replaceAll('<!-- -->', '')).toContain('3 times');
  await db.deleteFrom('job_faults').execute();
});

torture('staff see when each job ran, start one by hand, and its failed items are done', async () => {
  const { db } = academy.database;
  const listed = ['Remind of places', 'name="job" value="forget networks"'];
  // A job is in the list once it ran; one that has not yet would take the fault along.
  await until(async () => {
    const html = await (await ada.get('/staff/faults')).text();
    return listed.every((one) => html.includes(one));
  });
  await db
    .insertInto('job_faults')
    .values({
      job: 'forget networks',
      item: 'part:all of it',
      message: 'broke',
      first_at: new Date(),
      last_at: new Date(),
    })
    .execute();
  const page = await (await ada.get('/staff/faults')).text();
  // The one beside the fault, and the one in the list of all jobs.
  expect(page.match(/name="job" value="forget networks"/g)).toHaveLength(2);
  // What runs every few seconds anyway has no button.
  expect(page).toContain('Give back seats');
  expect(page).not.toContain('name="job" value="give back seats"');
  const answer = await ada.post('/staff/faults', { job: 'forget networks' });
  expect(answer.headers.get('location')).toBe('/staff/faults?asked=forget+networks');
  const { action, subject } = await db
    .selectFrom('audit_entries')
    .select(['action', 'subject'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect([action, subject]).toEqual(['run-job', 'job:forget networks']);
  expect(await (await ada.get('/staff/faults?asked=forget+networks')).text()).toContain('starts within a few seconds');
  await until(async () => (await db.selectFrom('job_faults').select('job').execute()).length === 0);
  expect((await ada.post('/staff/faults', { job: 'give back seats' })).status).toBe(409);
});

test('P83, P25: a payment that is sent again with another amount is another one, in the ledger as in the history', async () => {
  const { db } = academy.database;
  const { reference, enrolmentId } = await placeIn(db, await makeCourseDate(db, { course, startsOn: far(70) }));
  const path = pathOf(reference);
  const day = academy.now().toISOString().slice(0, 10);
  const typed = { act: 'payment', day, method: 'bank', words: '', form: crypto.randomUUID(), seen: '0' };
  expect((await ada.post(path, { ...typed, amount: '100' })).status).toBe(303);
  // The same again is taken once; corrected, it is asked about, and sent once more it is a second one.
  expect((await ada.post(path, { ...typed, amount: '100' })).status).toBe(303);
  const corrected = { ...typed, amount: '1000' };
  expect((await ada.post(path, corrected)).status).toBe(409);
  const { seen } = await db
    .selectFrom('audit_entries')
    .select((eb) => eb.fn.max('id').as('seen'))
    .executeTakeFirstOrThrow();
  expect((await ada.post(path, { ...corrected, seen: String(seen) })).status).toBe(303);
  const payments = await db
    .selectFrom('payments')
    .select('amount_cents')
    .where('enrolment_id', '=', enrolmentId)
    .execute();
  expect(payments.map(({ amount_cents }) => amount_cents).toSorted()).toEqual([10_000, 100_000]);
});

/** What a form carries of the fields that it showed. */
const wasIn = (html: string) => /name="was" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '';

test('P64: a form of staff that is older than a change by the buyer does not undo it', async () => {
  const { db } = academy.database;
  const placed = await placeIn(db, await makeCourseDate(db, { course, startsOn: far(71) }), {
    attendees: [attendee({ name: 'Ada Lovelace', email: 'lovelace@example.org' })],
  });
  const { reference, enrolmentId } = placed;
  const { places } = await readEnrolment(db, enrolmentId);
  const attendeeId = places[0]?.attendee.id ?? 0;
  const path = `${pathOf(reference)}/attendees/${attendeeId}`;
  const form = { ...carriedBy(await page(path), 'attendee'), was: wasIn(await page(path)) };
  const shown = { name: 'Ada Lovelace', email: 'lovelace@example.org', guardianName: '', guardianEmail: '' };
  const bob = { enrolmentId, attendeeId, attendee: attendee({ name: 'Bob Boole', email: 'boole@example.org' }) };
  await db
    .transaction()
    .execute((trx) => changeAttendee(trx, { ...bob, actor: theBuyer }, momentAt('2025-09-08T10:00')));
  const sent = await ada.post(path, { ...form, ...shown, needs: 'Captions' });
  expect(sent.status).toBe(409);
  expect(await sent.text()).toContain('Somebody changed this in the meantime, to “Bob Boole”.');
  const now = async () => (await readEnrolment(db, enrolmentId)).places[0]?.attendee;
  expect(await now()).toMatchObject({ name: 'Bob Boole', needs: null });

  // The buyer became an organisation; staff correct the telephone number only.
  const of = `${pathOf(reference)}/buyer`;
  const older = { ...carriedBy(await page(of), 'buyer'), was: wasIn(await page(of)) };
  const { buyerName, email } = await readEnrolment(db, enrolmentId);
  await db
    .updateTable('enrolments')
    .set({ payer: 'organisation', organisation: 'Bower Pty Ltd' })
    .where('id', '=', enrolmentId)
    .execute();
  const blank = { organisation: '', abn: '', address: '', purchaseOrder: '', accountsEmail: '' };
  expect((await ada.post(of, { ...older, ...blank, buyerName, email, phone: '07 7010 0199' })).status).toBe(303);
  expect(await readEnrolment(db, enrolmentId)).toMatchObject({ organisation: 'Bower Pty Ltd' });
});
