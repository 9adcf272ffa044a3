import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeSession, placeIn } from '#tests/support/enrolments.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

// Acts on many from lists (P79). The clock stands at 8 September 2025, 9:00; what is placed is due on the 22nd.
let academy: AcademyApp;
let ada: SignedIn;
let reader: SignedIn;
const references: string[] = [];
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  reader = await signInStaff(academy, 'rita@example.com', 'Rita', { role: 'reader' });
  const session = await makeSession(academy.database.db, { startsOn: '2025-11-24', capacity: 80 });
  for (let at = 0; at < 53; at++) {
    const buyer = { name: at === 0 ? '=1+1' : `Buyer ${at}`, email: `buyer${at}@lists${at}.example`, phone: null };
    const attendees = [attendee({ name: at < 2 ? null : `Attendee ${at}` })];
    references.push((await placeIn(academy.database.db, session, { buyer, attendees })).reference);
  }
}, 240_000);
afterAll(() => academy.close());

const page = async (path: string, by = ada) => (await (await by.get(path)).text()).replaceAll('<!-- -->', '');
const last = (count: number) => references.slice(-count);
const rows = (some: readonly string[]) => some.map((one) => `row=${one}`).join('&');

test('P79: the list has a box for each row, for the page and for all that match; a reader sees none', async () => {
  const html = await page('/staff/enrolments?state=unpaid');
  expect(html.match(/name="row"/g)).toHaveLength(50);
  for (const part of ['All on this page', 'All 53 that match', 'value="more-time"', 'form="choose"']) {
    expect(html.includes(part), part).toBe(true);
  }
  expect(await page('/staff/enrolments', reader)).not.toContain('name="row"');
});

test('P79: before the button stand who is left out and why, and the effects by group; pressed twice, it is one run', async () => {
  const paid = references[5] ?? '';
  await academy.database.db
    .updateTable('enrolment_list')
    .set({ balance_cents: 0 })
    .where('enrolment_id', '=', (row) => row.selectFrom('enrolments').select('id').where('reference', '=', paid))
    .execute();
  const path = `/staff/enrolments/act?act=remind&${rows([...last(3), paid])}`;
  const html = await page(path);
  for (const part of [
    '4 enrolments chosen',
    '1 enrolment left out',
    'The program still sends its own reminders on their days.',
    'owes nothing',
    'Done for 3 enrolments',
    'Due today or later',
    'Send the reminders (3)',
    'An email that went out cannot be taken back.',
  ]) {
    expect(html.includes(part), part).toBe(true);
  }
  expect(html.indexOf('left out')).toBeLessThan(html.indexOf('Done for'));
  const fields = sentForm(html, 'many-form');
  const sent = await ada.post(path, fields);
  const run = sent.headers.get('Location') ?? '';
  expect([sent.status, /^\/staff\/runs\/\d+$/.test(run)]).toEqual([303, true]);
  const again = await ada.post(path, fields);
  expect([again.status, again.headers.get('Location')]).toEqual([303, run]);
  expect(await academy.database.db.selectFrom('bulk_runs').select('act').execute()).toEqual([{ act: 'remind' }]);
  const shown = await page(run);
  for (const part of ['Remind of payment', '0 of 3 sent', 'Take it back'])
    expect(shown.includes(part), part).toBe(true);
  expect((await ada.post(run, sentForm(shown, 'stop-form'))).status).toBe(303);
  const list = await page('/staff/runs');
  for (const part of ['Remind of payment', '0 of 3 done', 'Stopped']) expect(list.includes(part), part).toBe(true);
});

test('P79: all that match is the filter’s address, read once more at the press: a row that came or left refuses it', async () => {
  const path = `/staff/enrolments/act?act=ask-names&of=all&list=${encodeURIComponent('state=unnamed&sort=starts')}`;
  const html = await page(path);
  expect(html.includes('Send the questions (2)')).toBe(true);
  const fields = sentForm(html, 'many-form');
  const { db } = academy.database;
  const named = db.updateTable('enrolment_list').where('enrolment_id', '=', (row) =>
    row
      .selectFrom('enrolments')
      .select('id')
      .where('reference', '=', references[1] ?? ''),
  );
  await named.set({ unnamed_until: null }).execute();
  const refused = await ada.post(path, fields);
  const after = (await refused.text()).replaceAll('<!-- -->', '');
  expect(refused.status).toBe(409);
  for (const part of ['It would be done for others now', 'Send the question (1)']) {
    expect(after.includes(part), part).toBe(true);
  }
  expect((await ada.post(path, sentForm(after, 'many-form'))).status).toBe(303);
  await named.set({ unnamed_until: 'infinity' }).execute();
});

test('P79: more time asks for a reason and a day that is not over, and says how it is undone', async () => {
  const path = `/staff/enrolments/act?act=more-time&until=2025-10-20&${rows(last(2))}`;
  const html = await page(path);
  expect(html.includes('end the agreement')).toBe(true);
  const fields = sentForm(html, 'many-form');
  const without = await ada.post(path, { ...fields, reason: '' });
  expect([without.status, (await without.text()).includes('Enter the reason.')]).toEqual([400, true]);
  for (const until of ['2025-09-08', '2027-01-01']) {
    const over = await ada.post(path, { ...fields, reason: 'Kept as typed', until });
    expect([over.status, (await over.text()).includes('Kept as typed')], until).toEqual([409, true]);
  }
  expect((await ada.post(path, { ...fields, reason: 'Their bank was down' })).status).toBe(303);
  // A day that makes no sense is the usual one.
  expect((await ada.get(`/staff/enrolments/act?act=more-time&until=x&${rows(last(1))}`)).status).toBe(200);
});

test('P79: the file has the chosen rows only, without formulas, and the trace says how many', async () => {
  const chosen = [references[0] ?? '', ...last(2)];
  const leads = await ada.get(`/staff/enrolments/act?act=export&${rows(chosen)}`);
  const file = leads.headers.get('Location') ?? '';
  expect(file.startsWith('/staff/enrolments.csv?row=')).toBe(true);
  const text = await (await ada.get(file)).text();
  expect(text.trim().split('\r\n')).toHaveLength(4);
  expect(text).toContain(`"'=1+1"`);
  const all = await ada.get('/staff/enrolments/act?act=export&of=all&list=state%3Dunnamed');
  expect(all.headers.get('Location')).toBe('/staff/enrolments.csv?state=unnamed');
  const people = await academy.database.db.selectFrom('people').select('id').orderBy('id').limit(2).execute();
  const ids = people.map(({ id }) => `row=${id}`).join('&');
  const two = await (await ada.get(`/staff/people.csv?shown=&act=export&${ids}`)).text();
  expect(two.trim().split('\r\n')).toHaveLength(3);
  expect((await ada.get('/staff/people.csv?shown=1,2&act=export&list=kind%3Dstaff')).headers.get('Location')).toBe(
    '/staff/people?kind=staff',
  );
});

test('P79: an author sees who gets the message, and the press is refused when those are other people by then', async () => {
  const leads = await ada.get(`/staff/enrolments/act?act=write&${rows(last(2))}`);
  const path = leads.headers.get('Location') ?? '';
  expect(path.startsWith('/staff/enrolments/write?row=')).toBe(true);
  const said = { subject: 'About {course}', body: 'Hello {first name}', buyers: 'on', attendees: '' };
  const typed = { ...sentForm(await page(path), 'message-form'), ...said };
  const shown = await ada.post(path, { ...typed, act: 'preview' });
  const html = (await shown.text()).replaceAll('<!-- -->', '');
  expect([shown.status, html.includes('Send it to 2'), html.includes('Hello there')]).toEqual([200, true, true]);
  const fields = { ...sentForm(html, 'message-form'), attendees: '', act: 'send' };
  const other = await ada.post(`/staff/enrolments/write?${rows(last(1))}`, fields);
  expect([other.status, (await other.text()).includes('Other people would get it now')]).toEqual([409, true]);
  expect((await ada.post(path, fields)).status).toBe(303);
});

test('an address without a choice, of nothing or of too much says so', async () => {
  for (const [query, words] of [
    ['', 'Choose what to do'],
    ['act=remind', 'No enrolment is chosen'],
    ['act=remind&row=BB-222222', 'No enrolment is chosen'],
    [`act=remind&row=${"'or 1=1"}`, 'No enrolment is chosen'],
    ['act=drop&row=BB-222222', 'Choose what to do'],
  ]) {
    const answer = await ada.get(`/staff/enrolments/act?${query}`);
    expect([answer.status, (await answer.text()).includes(words ?? '')], query).toEqual([200, true]);
  }
  expect((await page('/staff/enrolments/write')).includes('No enrolment is chosen')).toBe(true);
});

test('P68: a reader looks at the effects and has no button; the form is refused', async () => {
  const path = `/staff/enrolments/act?act=remind&${rows(references.slice(10, 12))}`;
  const fields = sentForm(await page(path), 'many-form');
  expect(await page(path, reader)).not.toContain('many-form"');
  expect((await reader.post(path, fields)).status).toBe(403);
});

test('P78: payments to look at, late payments, waiting lists and failed mail are files as well', async () => {
  for (const [path, head] of [
    ['/staff/payments.csv', '"Received","Currency","Amount"'],
    ['/staff/overdue.csv', '"Due since","Reference","Buyer"'],
    ['/staff/waiting.csv', '"Course","First day","Number"'],
    ['/staff/mail.csv?since=2025-09-01', '"To","Subject","Kind"'],
  ] as const) {
    const answer = await ada.get(path);
    expect([answer.status, (await answer.text()).includes(head)], path).toEqual([200, true]);
    expect((await reader.get(path)).status, path).toBe(403);
  }
});
