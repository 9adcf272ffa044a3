import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(academy, 'grace@example.com', 'Grace Hopper');
});
afterAll(() => academy.close());

async function enquire(message: string): Promise<string> {
  const person = { firstName: 'Mary', lastName: 'Shelley', email: 'mary@example.org', phone: '', consent: true };
  const sent = { idempotencyKey: crypto.randomUUID(), at: new Date('2025-09-08T08:00:00+10:00') };
  const details = { item: 'course:cissp', label: 'CISSP', priceCents: 229_900 };
  const enquiry = { ...person, kind: 'enrolment' as const, message, details };
  return (await recordEnquiry(academy.database.db, enquiry, sent)).reference;
}

/** The fields a form on a page carries by itself. */
const carried = (html: string, act: string) => {
  const form = html.slice(html.indexOf(`name="act" value="${act}"`));
  const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  return { act, form: fieldOf('form'), seen: fieldOf('seen') };
};

test('staff find an enquiry, read all of it, answer it, note and close it, without JavaScript', async () => {
  const reference = await enquire('Is there\u202e a seat?\n<script>alert(1)</script>');
  const list = await (await ada.get('/staff/enquiries?search=mary&state=new&kind=enrolment')).text();
  expect(list).toContain(`href="/staff/enquiries/${reference}"`);
  expect(list).toContain('Mary Shelley');
  const path = `/staff/enquiries/${reference}`;
  const page = await (await ada.get(path)).text();
  for (const text of ['AU$2,299', 'mary@example.org', '8 Sept 2025, 8:00', '\\u202e', '&lt;script&gt;alert(1)']) {
    expect(page.includes(text), text).toBe(true);
  }
  const answered = await ada.post(path, { ...carried(page, 'answer'), answer: 'Yes,\r\n\r\nthere is.' });
  expect([answered.status, answered.headers.get('Location')]).toEqual([303, path]);
  const after = await (await ada.get(path)).text();
  expect(/Ada Byron<\/b> (<!-- -->)?answered by email/.test(after)).toBe(true);
  // Both from one page, as with the browser's Back.
  expect((await grace.post(path, { ...carried(after, 'note'), note: 'Called too.' })).status).toBe(303);
  expect((await grace.post(path, { ...carried(after, 'state'), state: 'closed' })).status).toBe(303);
  const closed = await (await ada.get('/staff/enquiries?state=closed')).text();
  expect(/Closed<\/span> <span[^>]*>8 Sept 2025[^<]*<\/span><\/p><p[^>]*>Grace Hopper/.test(closed)).toBe(true);
  const mails = academy.database.db.selectFrom('mails').select(['recipient', 'body_text']);
  expect(await mails.execute()).toEqual([
    { recipient: 'mary@example.org', body_text: expect.stringContaining('Yes,\n\nthere is.\n\nAda Byron, Bowerbird') },
  ]);
});

test('a second member of staff who answers reads who was first, and every refusal keeps the text', async () => {
  const path = `/staff/enquiries/${await enquire('Two at once')}`;
  const seenByBoth = await (await ada.get(path)).text();
  await ada.post(path, { ...carried(seenByBoth, 'answer'), answer: 'Yes.' });
  const own = carried(await (await grace.get(path)).text(), 'answer');
  const second = await grace.post(path, { ...own, seen: '0', answer: 'No & why' });
  const refused = await second.text();
  expect(second.status).toBe(409);
  expect(refused.includes('Ada Byron answered this in the meantime, on 8 Sept 2025')).toBe(true);
  expect(refused.includes('No &amp; why</textarea>')).toBe(true);
  const sent = { ...carried(refused, 'answer'), answer: 'No & why' };
  expect((await grace.post(path, sent)).status).toBe(303);
  // The browser's Back and the button once more: recognised, and not mailed again.
  expect((await grace.post(path, sent)).status).toBe(303);
  const mails = academy.database.db.selectFrom('mails').select('body_text').where('body_text', 'like', '%No & why%');
  expect(await mails.execute()).toHaveLength(1);

  const empty = await ada.post(path, { ...carried(refused, 'note'), note: ' \u200b ' });
  expect([empty.status, (await empty.text()).includes('Enter the note.')]).toEqual([400, true]);
  expect((await ada.post(path, { act: 'state', state: 'burnt' })).status).toBe(400);
  const missing = '/staff/enquiries/BB-222222';
  expect((await ada.get(missing)).status).toBe(404);
  expect((await ada.post(missing, { ...carried(refused, 'answer'), answer: 'Hello' })).status).toBe(404);
  expect((await ada.get(path.toLowerCase())).status).toBe(404);
});

test('failed mail is listed with its reason, and sent again once', async () => {
  const { db } = academy.database;
  await db.deleteFrom('mails').execute();
  const failed = { kind: 'enquiry-answer', recipient: 'gone@example.org', subject: 'An answer', body_text: 'x' };
  const mail = { ...failed, body_html: 'x', headers: '{}', state: 'failed', reason: '550 no such mailbox' } as const;
  const { id } = await db.insertInto('mails').values(mail).returning('id').executeTakeFirstOrThrow();
  const page = await (await ada.get('/staff/mail')).text();
  for (const text of ['gone@example.org', '550 no such mailbox', `value="${id}"`])
    expect(page.includes(text)).toBe(true);
  const resend = { ...carriedBy(page, 'one'), mail: id };
  const others = { ...resend, form: crypto.randomUUID() };
  const all = [await ada.post('/staff/mail', resend), await grace.post('/staff/mail', others)];
  expect(all.map(({ status }) => status)).toEqual([303, 409]);
  // P25: the same form again is answered as at first.
  const repeat = await ada.post('/staff/mail', resend);
  expect([repeat.status, repeat.headers.get('Location')]).toEqual([303, '/staff/mail?queued=1']);
  expect((await ada.post('/staff/mail', { ...others, mail: 'none' })).status).toBe(409);
  expect((await ada.post('/staff/mail', { mail: id })).status).toBe(400);
  const entries = db.selectFrom('audit_entries').select('person_id').where('subject', '=', `mail:${id}`);
  expect(await entries.execute()).toEqual([{ person_id: ada.id }]);
});

test('bookings are listed with their times in Brisbane, searched and filtered', async () => {
  const booking = {
    reference: 'BB-222233',
    kind: 'virtual-tour' as const,
    adviser: 1,
    name: 'Mary <b>Shelley',
    email: 'mary@example.org',
    mailbox: 'mary@example.org',
    starts_at: new Date('2025-09-10T00:30:00Z'),
    ends_at: new Date('2025-09-10T00:50:00Z'),
    occupied: '[2025-09-10T00:30:00Z,2025-09-10T01:00:00Z)',
    created_at: new Date('2025-09-08T00:00:00Z'),
    changed_at: new Date('2025-09-08T00:00:00Z'),
  };
  await academy.database.db.insertInto('bookings').values(booking).execute();
  const shows = async (query: string) =>
    (await (await ada.get(`/staff/bookings${query}`)).text()).includes('BB-222233');
  const page = await (await ada.get('/staff/bookings?search=shell')).text();
  for (const text of ['10 Sept 2025, 10:30', 'Virtual Tour', 'Mary &lt;b&gt;Shelley']) {
    expect(page.includes(text), text).toBe(true);
  }
  const queries = ['', '?state=past', '?state=cancelled', '?search=nobody', '?page=2', '?page=x&state=odd&search=%00'];
  const found: boolean[] = [];
  for (const query of queries) found.push(await shows(query));
  expect(found).toEqual([true, false, false, false, false, true]);
});

test('P37: while the database is away every page for staff is a 503 that says so and keeps what was typed', async () => {
  const path = `/staff/enquiries/${await enquire('Database away')}`;
  const chats = ['/staff/conversations', '/staff/conversations/1'];
  const pages = ['/staff/enquiries', path, '/staff/bookings', '/staff/mail', ...chats];
  const fields = { ...carried(await (await ada.get(path)).text(), 'answer'), answer: 'Kept <b>words</b>' };
  const { academy: context, signIn } = academy.services;
  const before = { db: context.db, forms: context.forms.db, signIn: signIn.db };
  const byScript = (sent: Record<string, string>) =>
    academy.request(`${path}.data`, {
      method: 'POST',
      headers: { Cookie: ada.cookie, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' },
      body: new URLSearchParams(sent),
    });
  const away = createDb({ ...academy.database.connection, host: '/nowhere' }, () => undefined);
  Object.assign(signIn, { db: away });
  try {
    for (const page of pages) {
      const response = await ada.get(page);
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('<h1>Our system is not available</h1>');
    }
    const refused = await ada.post(path, fields);
    const text = await refused.text();
    expect(refused.status).toBe(503);
    expect(text).toMatch(/Nothing was sent, saved or changed.*<input readonly value="Kept &lt;b&gt;words&lt;\/b&gt;"/s);

    expect((await ada.get('/staff/sign-in')).status).toBe(200);
    const asked = await ada.post('/staff/sign-in', { email: 'ada@example.com' });
    expect([asked.status, await asked.text()]).toEqual([503, expect.stringContaining('value="ada@example.com"')]);
    // With scripts, the page says that nothing was done and keeps the fields.
    const early = await byScript(fields);
    expect([early.status, await early.text()]).toEqual([503, expect.stringContaining('Nothing was done')]);
    const entered = await ada.post('/staff/sign-in/confirm', { token: 'x', to: '/staff' });
    expect([entered.status, await entered.text()]).toEqual([503, expect.stringContaining('Press the button again')]);

    // It goes away after the sign-in was looked up.
    Object.assign(signIn, { db: before.signIn });
    context.db = away;
    for (const page of pages) {
      const response = await ada.get(page);
      expect(response.status).toBe(503);
      expect(await response.text()).toMatch(/<p role="alert"[^>]*>Our system is not available/);
    }
    expect((await ada.get('/staff/live')).status).toBe(503);
    const late = await ada.post(path, fields);
    expect([late.status, await late.text()]).toEqual([503, expect.stringContaining('Kept &lt;b&gt;words')]);
    const ownWords = await (await byScript({ ...fields, form: crypto.randomUUID() })).text();
    expect(ownWords).toMatch(/Not sent yet/);
    expect(ownWords).toMatch(/so nothing was sent or saved/);
    expect(ownWords).not.toContain('Not confirmed yet');
    const mail = { act: 'one', form: crypto.randomUUID(), seen: '0', mail: crypto.randomUUID() };
    expect((await ada.post('/staff/mail', mail)).status).toBe(503);
  } finally {
    context.db = before.db;
    Object.assign(signIn, { db: before.signIn });
    await away.destroy();
  }
});

test('staff who were signed out while writing store nothing and read where the text is', async () => {
  const path = `/staff/enquiries/${await enquire('Signed out')}`;
  const fields = { ...carried(await (await ada.get(path)).text(), 'answer'), answer: 'Signed out.' };
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const body = new URLSearchParams(fields);
  const response = await academy.request(path, { method: 'POST', headers, body });
  expect(response.status).toBe(401);
  const page = await response.text();
  expect(page.includes('go back in your browser: the form still has it')).toBe(true);
  const acts = academy.database.db.selectFrom('enquiry_acts').selectAll().where('body', '=', fields.answer);
  expect(await acts.execute()).toEqual([]);
});

test('pages for staff name the file of the site’s styles, which the browser keeps; visitors’ pages hold them', async () => {
  const head = (html: string) => html.slice(0, html.indexOf('</head>'));
  const file = /<link rel="stylesheet" href="[^"]*\/site[^"]*\.css[^"]*"/;
  const signIn = await (await academy.request('/staff/sign-in')).text();
  for (const page of [await (await ada.get('/staff/views')).text(), signIn]) {
    expect(head(page)).toMatch(file);
    expect(head(page)).not.toContain('<style');
  }
  const home = head(await (await academy.request('/')).text());
  expect(home).not.toMatch(file);
  expect(/<style>([^<]*)/.exec(home)?.[1]).toContain('--color-satin');
});
