import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

// Bulk actions from lists (P101). The clock stands at 8 September 2025, 9:00; what is placed is due on the 22nd.
let academy: AcademyApp;
let ada: SignedIn;
let reader: SignedIn;
const references: string[] = [];
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  reader = await signInStaff(academy, 'rita@example.com', 'Rita', { role: 'reader' });
  const courseDate = await makeCourseDate(academy.database.db, { startsOn: '2025-11-24', capacity: 80 });
  for (let at = 0; at < 53; at++) {
    const buyer = { name: at === 0 ? '=1+1' : `Buyer ${at}`, email: `buyer${at}@lists${at}.example`, phone: null };
    const attendees = [attendee({ name: at < 2 ? null : `Attendee ${at}` })];
    references.push((await placeIn(academy.database.db, courseDate, { buyer, attendees })).reference);
  }
});
afterAll(() => academy.close());

const page = async (path: string, by = ada) => (await (await by.get(path)).text()).replaceAll('<!-- -->', '');
const last = (count: number) => references.slice(-count);
const rows = (some: readonly string[]) => some.map((one) => `row=${one}`).join('&');

const sentMails = (number: string) =>
  academy.database.db
    .selectFrom('mails')
    .select('recipient')
    .where('bulk_action', '=', Number(number.split('/').at(-1)))
    .execute();

test('P101: the list has a box for each row, for the page and for all that match; a reader sees none', async () => {
  const html = await page('/staff/enrolments?state=unpaid');
  expect(html.match(/name="row"/g)).toHaveLength(50);
  for (const part of ['All on this page', 'All 53 that match', 'formAction="/staff/bulk-actions/buyers/remind"']) {
    expect(html.toLowerCase().includes(part.toLowerCase()), part).toBe(true);
  }
  expect(await page('/staff/enrolments', reader)).not.toContain('name="row"');
});

test('P101: before the button stand who is left out and why, and who gets an email; pressed twice, it is one', async () => {
  const paid = references[5] ?? '';
  await academy.database.db
    .updateTable('enrolment_list')
    .set({ balance_cents: 0 })
    .where('enrolment_id', '=', (row) => row.selectFrom('enrolments').select('id').where('reference', '=', paid))
    .execute();
  const path = `/staff/bulk-actions/buyers/remind?${rows([...last(3), paid])}`;
  const html = await page(path);
  for (const part of ['1 left out', 'owes nothing', '3 emails', 'Buyer 52', 'Send reminders (3)']) {
    expect(html.includes(part), part).toBe(true);
  }
  expect(html.indexOf('left out')).toBeLessThan(html.indexOf('Send reminders'));
  const fields = sentForm(html, 'press-form');
  const sent = await ada.post(path, fields);
  const action = sent.headers.get('Location') ?? '';
  expect([sent.status, action]).toEqual([303, expect.stringMatching(/^\/staff\/bulk-actions\/\d+$/)]);
  const again = await ada.post(path, fields);
  expect([again.status, again.headers.get('Location')]).toEqual([303, '/staff/bulk-actions']);
  expect(await academy.database.db.selectFrom('bulk_actions').select('act').execute()).toEqual([{ act: 'remind' }]);
  expect(await sentMails(action)).toHaveLength(3);
});

test('P101: for a minute the whole can be taken back, and its page and the list say so', async () => {
  const path = `/staff/bulk-actions/buyers/remind?${rows(references.slice(20, 22))}`;
  const sent = await ada.post(path, sentForm(await page(path), 'press-form'));
  const action = sent.headers.get('Location') ?? '';
  const shown = await page(action);
  for (const part of ['“Remind of payment” goes to 2 addresses in a minute.', '2 emails: 2 waiting', references[20]]) {
    expect(shown.includes(part ?? '-'), part).toBe(true);
  }
  const form = { act: 'take-back', form: crypto.randomUUID(), seen: '0' };
  expect((await ada.post(action, form)).status).toBe(303);
  const after = (await page(action)).replaceAll(/<\/?span[^>]*>/g, '');
  for (const part of [
    'Taken back on ',
    'Nothing was sent.',
    'not sent: Taken back by Ada Byron',
    'took the emails back',
  ]) {
    expect(after.includes(part), part).toBe(true);
  }
  expect(after).not.toContain('in a minute');
  expect(await page('/staff/bulk-actions')).toContain('Taken back');
  const late = await ada.post(action, { ...form, form: crypto.randomUUID() });
  expect([late.status, (await late.text()).includes('It is too late')]).toEqual([409, true]);
});

test('P101: "all that match" is read again at the press: a row that came or left refuses it', async () => {
  const filter = `of=all&list=${encodeURIComponent('state=unnamed&sort=starts')}`;
  const path = `/staff/bulk-actions/buyers/ask-names?${filter}`;
  const html = await page(path);
  expect(html).toContain('Ask for names (2)');
  const fields = sentForm(html, 'press-form');
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
  for (const part of ['Something changed since this page was shown', 'Ask for names (1)']) {
    expect(after.includes(part), part).toBe(true);
  }
  expect((await ada.post(path, sentForm(after, 'press-form'))).status).toBe(303);
  await named.set({ unnamed_until: 'infinity' }).execute();
});

test('P101: the page lists emails that were sent, wait, were dropped and bounced', async () => {
  const { db } = academy.database;
  const path = `/staff/bulk-actions/buyers/remind?${rows(references.slice(30, 34))}`;
  const sent = await ada.post(path, sentForm(await page(path), 'press-form'));
  const action = sent.headers.get('Location') ?? '';
  const settle = (at: number, state: 'sent' | 'failed' | 'dropped', reason: string | null = null) =>
    db
      .updateTable('mails')
      .set({ state, reason, settled_at: academy.now() })
      .where('recipient', '=', `buyer${at}@lists${at}.example`)
      .execute();
  await settle(30, 'sent');
  await settle(31, 'failed', '550 no such user');
  await settle(32, 'dropped', 'Paid meanwhile');
  const shown = await page(action);
  for (const part of [
    '4 emails: 1 sent, 1 waiting, 1 did not arrive, 1 not sent',
    'did not arrive: 550 no such user',
    'not sent: Paid meanwhile',
    'href="/staff/mail"',
  ]) {
    expect(shown.replaceAll(/<\/?span[^>]*>/g, '').includes(part), part).toBe(true);
  }
});

test('P78: the file has the chosen rows only, without formulas, and none leads back to the list', async () => {
  const chosen = [references[0] ?? '', ...last(2)];
  const text = await (await ada.get(`/staff/enrolments.csv?list=&shown=&${rows(chosen)}`)).text();
  expect(text.trim().split('\r\n')).toHaveLength(4);
  expect(text).toContain(`"'=1+1"`);
  const all = await (await ada.get('/staff/enrolments.csv?shown=&of=all&list=state%3Dunnamed')).text();
  expect(all.trim().split('\r\n')).toHaveLength(3);
  const none = await ada.get('/staff/enrolments.csv?shown=BB-222222&list=state%3Dunnamed');
  expect(none.headers.get('Location')).toBe('/staff/enrolments?state=unnamed');
  const people = await academy.database.db.selectFrom('people').select('id').orderBy('id').limit(2).execute();
  const ids = people.map(({ id }) => `row=${id}`).join('&');
  const two = await (await ada.get(`/staff/people.csv?shown=&${ids}`)).text();
  expect(two.trim().split('\r\n')).toHaveLength(3);
  expect((await ada.get('/staff/people.csv?shown=1,2&list=kind%3Dstaff')).headers.get('Location')).toBe(
    '/staff/people?kind=staff',
  );
});

test('an address without a row says so, and an unknown act is not found', async () => {
  for (const query of ['', 'row=BB-222222', `row=${"'or 1=1"}`]) {
    const answer = await ada.get(`/staff/bulk-actions/buyers/remind?${query}`);
    expect([answer.status, (await answer.text()).includes('No enrolment is ticked.')], query).toEqual([200, true]);
  }
  for (const path of ['buyers/drop', 'message/people', '999', 'x']) {
    expect((await ada.get(`/staff/bulk-actions/${path}`)).status, path).toBe(404);
  }
});

test('P68: a reader looks at the effects and has no button; the form is refused', async () => {
  const path = `/staff/bulk-actions/buyers/remind?${rows(references.slice(10, 12))}`;
  const fields = sentForm(await page(path), 'press-form');
  expect(await page(path, reader)).not.toContain('press-form"');
  expect((await reader.post(path, fields)).status).toBe(403);
});

test('P78: payments to look at, who owes, waiting lists and failed mail are files as well', async () => {
  for (const [path, head] of [
    ['/staff/payments.csv', '"Received","Currency","Amount"'],
    ['/staff/owed.csv', '"Due","Reference","Buyer"'],
    ['/staff/waiting.csv', '"Course","First day","Number"'],
    ['/staff/mail.csv?since=2025-09-01', '"To","Subject","Kind"'],
  ] as const) {
    const answer = await ada.get(path);
    expect([answer.status, (await answer.text()).includes(head)], path).toEqual([200, true]);
    expect((await reader.get(path)).status, path).toBe(403);
  }
});
