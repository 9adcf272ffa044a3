import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueMarketingMail, recordConsent } from '#app/outbox/marketing.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { visitor } from '#tests/support/enrolling.ts';
import { signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '0412 345 678' };
const mails = () =>
  academy.database.db
    .selectFrom('mails')
    .select(['kind', 'recipient', 'reply_to', 'subject', 'body_text', 'body_html'])
    .orderBy('queued_at')
    .orderBy('kind')
    .execute();
const referenceOf = (response: Response) => /BB-[2-9A-Z]{6}/.exec(response.headers.get('Location') ?? '')?.[0] ?? '';

test('P23, P49: a message is acknowledged without its words, and handed to the academy with Reply-To', async () => {
  const words = { message: 'Is the lab open on Saturdays?', interest: 'cloud-security' };
  const sent = await academy.submit('/contact', { ...person, ...words, consent: 'on' });
  const reference = referenceOf(sent);
  // Sent again after Back: recognised, and nothing more is mailed.
  expect(referenceOf(await academy.submit('/contact', { ...person, ...words, consent: 'on' }))).toBe(reference);

  const [acknowledgement, message, ...more] = await mails();
  expect(more).toEqual([]);
  expect(acknowledgement).toMatchObject({ kind: 'contact-acknowledgement', recipient: 'ada@example.com' });
  expect(acknowledgement?.subject).toContain(reference);
  for (const typed of ['Ada', 'Byron', 'Saturdays', '412 345', '+61412', 'Cloud'])
    expect(`${acknowledgement?.subject}${acknowledgement?.body_text}${acknowledgement?.body_html}`).not.toContain(
      typed,
    );
  expect(message).toMatchObject({
    kind: 'enquiry-message',
    recipient: 'hello@bowerbirdacademy.example',
    reply_to: 'ada@example.com',
    subject: `Message ${reference}`,
  });
  for (const typed of ['Ada Byron', '+61412345678', 'Cloud Security', '> Is the lab open', 'Wants news'])
    expect(message?.body_text).toContain(typed);

  const { db } = academy.database;
  expect(await db.selectFrom('enquiries').select('phone').execute()).toEqual([{ phone: '+61412345678' }]);
  const consents = await db.selectFrom('marketing_consents').selectAll().execute();
  expect(consents).toMatchObject([{ address: 'ada@example.com', wording: expect.stringContaining('new courses') }]);
  const page = await (await academy.request('/contact')).text();
  expect(page).toContain(consents[0]?.wording);
});

test('P24: within the hour the same address gets no second acknowledgement, and the academy every message', async () => {
  await academy.database.db.deleteFrom('mails').execute();
  const draft = await visitor(academy, '192.0.2.1').choose('course=cissp', {
    attendees: '8',
    'way-cissp': 'next-date',
  });
  const path = `${draft}/request`;
  const asked = { ...person, item: 'course:cissp', attendees: '8', payer: 'employer', company: 'Engines Pty Ltd' };
  const first = await academy.submit(path, { ...asked, email: 'bob@example.com' });
  const second = await academy.submit(path, { ...asked, email: 'BOB@example.com', message: 'In March' });
  const [one, two] = [referenceOf(first), referenceOf(second)];
  const queued = await mails();
  expect(queued.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['enquiry-message', `Enrolment request ${one}`],
    ['enrolment-acknowledgement', `We have your enrolment request: ${one}`],
    ['enquiry-message', `Enrolment request ${two}`],
  ]);
  expect(queued[0]?.body_text).toMatch(/People: 8\nPaid by: Engines Pty Ltd/);
});

test('an invalid telephone number, and an address with a header in it, are refused with the fields filled', async () => {
  const wrong = { ...person, phone: '12', email: 'ada@example.com\r\nBcc: eve@example.com', message: 'Kept' };
  const response = await academy.submit('/contact', wrong);
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain('Enter a phone number with its area code');
  expect(page).toContain('Enter an email address such as');
  expect(page).toContain('Kept');
});

test('P49: marketing goes to people who agreed, and ends with one click or with the button', async () => {
  const { db } = academy.database;
  const to = 'grace@example.com';
  const consent = { address: to, wording: 'Tell me', at: new Date() };
  const render = (link: string) => ({ subject: 'New dates', text: `Dates\n${link}`, html: `<p>${link}</p>` });
  const send = () => queueMarketingMail(db, { to, kind: 'news', baseUrl: 'http://localhost:3000', render });
  expect(await send()).toBeNull();
  await recordConsent(db, consent);
  const id = await send();
  const { headers } = await db.selectFrom('mails').select('headers').where('id', '=', id).executeTakeFirstOrThrow();
  const path =
    /^<http:\/\/localhost:3000(\/unsubscribe\/[0-9a-f]+)>$/.exec(
      (headers as Record<string, string>)['List-Unsubscribe'] ?? '',
    )?.[1] ?? '';
  expect(headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' });

  // A mail scanner follows links.
  const page = await academy.request(path);
  expect(await page.text()).toContain('<button type="submit"');
  expect(await send()).not.toBeNull();
  const forged = `${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`;
  expect((await academy.request(forged, { method: 'POST' })).status).toBe(404);

  // As a mail program sends it: without Origin and Sec-Fetch-Site.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const done = await academy.request(path, { method: 'POST', body });
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You have withdrawn your consent')]);
  expect(await send()).toBeNull();
  await recordConsent(db, consent);
  expect(await send()).toBeNull();
  const kept = await db.selectFrom('mail_suppressions').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain('grace');
});

test('P49: the acknowledgement of a message links to what was agreed, which only its button withdraws; staff see how it stands', async () => {
  const { db } = academy.database;
  academy.setNow(new Date('2025-09-08T09:00:00+10:00'));
  const linkOf = async (email: string) => {
    const mail = await db
      .selectFrom('mails')
      .select(['body_text', 'body_html'])
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow();
    const [, link = ''] =
      /News by email: see or withdraw your consent:\nhttp:\/\/localhost:3000(\S+)/.exec(mail.body_text) ?? [];
    expect(mail.body_html).toContain(`href="http://localhost:3000${link}"`);
    return link;
  };
  const read = async (path: string, init?: RequestInit) => {
    const answer = await academy.request(path, init);
    return { status: answer.status, html: (await answer.text()).replaceAll('<!-- -->', ''), headers: answer.headers };
  };
  const ada = await signInStaff(academy, 'staff@example.com', 'Grace Hopper');
  const onEnquiryPage = async (reference: string) => (await ada.get(`/staff/enquiries/${reference}`)).text();

  const told = await academy.submit('/contact', {
    ...person,
    email: 'agrees@example.com',
    message: 'Hi',
    consent: 'on',
  });
  const reference = /BB-\w+/.exec(told.headers.get('Location') ?? '')?.[0] ?? '';
  const link = await linkOf('agrees@example.com');
  for (const method of ['GET', 'HEAD', 'GET']) expect((await academy.request(link, { method })).status).toBe(200);
  const asked = await read(link);
  expect(asked.html).toContain('Tell me now and then about new courses and dates.');
  expect(asked.html).toContain('8 Sept 2025, 9:00');
  expect(asked.headers.get('Cache-Control')).toBe('no-store');
  expect(await onEnquiryPage(reference)).toContain('Yes. Agreed on 8 Sept 2025, 9:00');

  await academy.submit('/contact', { ...person, email: 'other@example.com', message: 'Hi' });
  const others = await linkOf('other@example.com');
  expect(others).not.toBe(link);
  expect((await read(others)).html).toContain('You have agreed to nothing');
  // Another address with this one's signature.
  const guessed = `/unsubscribe/${others.slice('/unsubscribe/'.length, -32)}${link.slice(-32)}`;
  expect((await read(guessed, { method: 'POST' })).status).toBe(404);
  expect((await read(link)).html).toContain('Withdraw');

  academy.setNow(new Date('2025-09-10T09:00:00+10:00'));
  const done = await read(link, { method: 'POST', headers: { 'Sec-Fetch-Site': 'same-origin' } });
  expect([done.status, done.html.includes('We send no more news to this address')]).toEqual([200, true]);
  expect((await read(link)).html).toContain('That was on 10 Sept 2025, 9:00');
  expect(await onEnquiryPage(reference)).toContain('Withdrawn on 10 Sept 2025, 9:00');
  await db.deleteFrom('mail_suppressions').execute();
  expect((await read(link)).html).toContain('You have agreed to nothing');
});

test('without a mail server this computer can read the mail at /mail, and nobody else', async () => {
  const { db } = academy.database;
  const enrolment = db.selectFrom('mails').select(['id', 'subject']).where('kind', '=', 'enrolment-acknowledgement');
  const { id, subject } = await enrolment.executeTakeFirstOrThrow();
  const paths = ['/mail', `/mail/${id}`, `/mail/${id}/html`];
  for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    for (const path of paths) {
      const response = await academy.request(path, { from });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(subject)]);
    }
  }
  const throughProxy = [
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Host: localhost',
    'X-Forwarded-Proto: http',
    'X-Real-IP: 127.0.0.1',
    'CF-Connecting-IP: 127.0.0.1',
    'Forwarded: for=127.0.0.1',
    'Via: 1.1 proxy',
    // A page elsewhere whose name was made to lead here, or a proxy that hands on the name it was asked by.
    'Host: academy.example',
  ].map((field) => ({ from: '127.0.0.1', headers: [field.split(': ') as [string, string]] }));
  const others = [{ from: '192.0.2.1' }, ...throughProxy];
  for (const init of others) {
    for (const path of paths) {
      const response = await academy.request(path, init);
      expect([response.status, await response.text()]).toEqual([404, expect.not.stringContaining(subject)]);
    }
  }
  expect((await academy.request('/mail/no-such-mail', { from: '::1' })).status).toBe(404);
});

test('the link that the program prints opens /mail once, in one browser, from anywhere', async () => {
  const { db } = academy.database;
  const { subject } = await db.selectFrom('mails').select('subject').limit(1).executeTakeFirstOrThrow();
  const path = academy.mailPath ?? '';
  const from = '192.0.2.1';
  expect((await academy.request('/mail', { from })).status).toBe(404);
  expect((await academy.request(path, { from, method: 'HEAD' })).status).toBe(404);
  const opened = await academy.request(path, { from });
  expect([opened.status, opened.headers.get('Location'), opened.headers.get('Cache-Control')]).toEqual([
    303,
    '/mail',
    'no-store',
  ]);
  const [cookie = ''] = opened.headers.get('Set-Cookie')?.split(';') ?? [];
  expect(opened.headers.get('Set-Cookie')).toMatch(/HttpOnly.*SameSite=Strict/);
  const page = await academy.request('/mail', { from, headers: { Cookie: cookie } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(subject)]);
  const again = await academy.request(path, { from });
  expect([again.status, again.headers.get('Set-Cookie')]).toEqual([404, null]);
  expect((await academy.request('/mail', { from, headers: { Cookie: 'local-mail=0' } })).status).toBe(404);
});
