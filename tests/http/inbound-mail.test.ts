import { createTransport } from 'nodemailer';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newReference } from '#app/http/references.server.ts';
import { endAttempt } from '#app/outbox/attempts.server.ts';
import type { Filled, PrivateLinks } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { freePort } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { mostEmailBytes, serveInboundMail } from '#server/inbound-mail.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { sampleMail } from '#tests/support/deliver-mail.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { torture } from '#tests/support/torture.ts';

let academy: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
let port: number;
let open: AcademyApp['services'] | null;
let stop: () => Promise<void>;

beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(academy, 'grace@example.com', 'Grace Hopper', { role: 'admissions' });
  port = await freePort();
  const served = await serveInboundMail({ port, host: '127.0.0.1' }, () => open, pino({ level: 'silent' }));
  stop = served.close;
});
afterAll(async () => {
  await stop();
  await academy.close();
});
beforeEach(async () => {
  open = academy.services;
  for (const table of ['enquiries', 'mails', 'form_attempts'] as const)
    await academy.database.db.deleteFrom(table).execute();
});

type Sent = { head?: string[]; body?: string; sender?: string; to?: string; through?: number };
let sent = 0;

/** Hands an email to the program as a mail server does. Resolves with the server's answer, or its refusal. */
async function send({
  head = [],
  body = 'Is there a seat in October?',
  sender,
  to,
  through = port,
}: Sent = {}): Promise<string> {
  const recipient = to ?? academy.services.academy.academy().email;
  const named = (name: string) => head.some((line) => line.startsWith(`${name}:`));
  sent += 1;
  const lines = [
    ...(named('From') ? [] : ['From: Mary Shelley <mary@example.org>']),
    `To: ${recipient}`,
    ...(named('Subject') ? [] : ['Subject: A seat']),
    ...(named('Message-ID') ? [] : [`Message-ID: <${sent}@example.org>`]),
    ...head,
  ];
  const transport = createTransport({ host: '127.0.0.1', port: through, secure: false, ignoreTLS: true });
  const envelope = { from: sender ?? 'mary@example.org', to: [recipient] };
  try {
    return (await transport.sendMail({ envelope, raw: `${lines.join('\r\n')}\r\n\r\n${body}` })).response;
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}

const enquiries = () => academy.database.db.selectFrom('enquiries').selectAll().orderBy('id').execute();
const only = async () => {
  const rows = await enquiries();
  expect(rows).toHaveLength(1);
  return rows[0] as (typeof rows)[number];
};
const read = async (path: string, person = ada) => mainText(await person.get(path));
const pageOf = ({ reference }: { reference: string }) => `/staff/enquiries/${reference}`;

/** Answers an enquiry as staff; resolves with the Message-ID of the mail, as the outbox makes it. */
async function answer(reference: string, person: SignedIn, words: string): Promise<string> {
  const page = pageOf({ reference });
  const carried = carriedBy(await (await person.get(page)).text(), 'answer');
  expect((await person.post(page, { ...carried, answer: words })).status).toBe(303);
  const { db } = academy.database;
  const mail = await db.selectFrom('mails').selectAll().orderBy('queued_at', 'desc').executeTakeFirstOrThrow();
  return handedOver(mail.id);
}

/** A mail of ours as it is after it was handed over. */
async function handedOver(id: string): Promise<string> {
  const messageId = `<${id}@bowerbird.example>`;
  const settled = { message_id: messageId, state: 'sent' as const, settled_at: academy.now() };
  await academy.database.db.updateTable('mails').set(settled).where('id', '=', id).execute();
  return messageId;
}

test('P81: an email is in the inbox with its words and files, and its answer goes out under its subject', async () => {
  const boundary = 'Content-Type: multipart/mixed; boundary=b';
  const body = [
    ...['--b', 'Content-Type: text/html; charset=utf-8', '', '<p>Can I pay by <b>card</b>?<script>x()</script></p>'],
    ...['--b', 'Content-Type: image/svg+xml; name="a.svg"', 'Content-Disposition: attachment; filename="../ä.svg"'],
    ...['', '<svg/>', '--b--', ''],
  ].join('\r\n');
  expect(await send({ head: [boundary, 'Subject: =?utf-8?Q?Zahlung_=E2=82=AC?='], body })).toMatch(/^250/);
  const { reference } = await only();
  const row = await read('/staff/inbox');
  expect(row).toContain('Email');
  expect(row).toContain('“Can I pay by card?”');
  const page = await read(pageOf({ reference }));
  expect(page).toContain('Zahlung €');
  expect(page).toContain('Can I pay by card?');
  expect(page).not.toContain('x()');
  expect(page).toMatch(/Anybody can write this address into an email/);

  const file = await ada.get(`${pageOf({ reference })}/files/1`);
  expect(await file.text()).toContain('<svg/>');
  expect(file.headers.get('Content-Type')).toBe('application/octet-stream');
  expect(file.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="[\w.-]+"; filename\*=UTF-8''..-%C3%A4\.svg$/,
  );
  expect(await (await ada.get(`${pageOf({ reference })}/files/email.eml`)).text()).toContain(boundary);
  expect((await ada.get(`${pageOf({ reference })}/files/2`)).status).toBe(404);

  await answer(reference, ada, 'Yes, by card.');
  const mail = await academy.database.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
  expect(mail).toMatchObject({
    recipient: 'mary@example.org',
    subject: 'Re: Zahlung €',
    reply_to: academy.services.academy.academy().email,
  });
  expect(mail.headers).toMatchObject({ 'In-Reply-To': `<${sent}@example.org>`, References: `<${sent}@example.org>` });
  expect(mail.body_text).toContain('You get this because you wrote to us.');
});

test('P81: a reply to an answer continues the conversation, in the hand of the person who answered', async () => {
  await send({ body: 'Is there a seat?' });
  const first = await only();
  const messageId = await answer(first.reference, grace, 'There is one in October.');
  await send({
    head: [`In-Reply-To: ${messageId}`],
    body: 'I take it.\r\n\r\nOn Mon, 8 Sept 2025 at 09:00, Bowerbird wrote:\r\n> There is one in October.',
  });
  const [, second] = await enquiries();
  const page = await read(pageOf(second as { reference: string }), grace);
  expect(page).toMatch(
    /The same conversation.*Mary Shelley wrote.*Is there a seat\?.*Grace Hopper answered.*There is one in October\./s,
  );
  expect(page).toContain('I take it.');
  expect(page).toContain('The emails before, which this one repeats');
  // Whoever wrote this has what we sent to that address.
  expect(page).not.toContain('Anybody can write this address');
  expect(page).toMatch(/our email “Re: A seat” to mary ?@example\.org/);
  expect(await read('/staff/inbox?whose=mine', grace)).toContain('“I take it.');
  expect(await read('/staff/inbox?whose=mine', ada)).not.toContain('“I take it.');
  // The first one shows what followed.
  expect(await read(pageOf(first))).toMatch(/The same conversation.*I take it\./s);
});

test('P81: a reply to a mail leads to the mail’s subject, and a stranger’s reply is told apart', async () => {
  const { db } = academy.database;
  const starts = new Date('2025-09-10T10:00:00+10:00');
  const booking = await db
    .insertInto('bookings')
    .values({
      ...{ reference: 'BB-TRAP22', kind: 'virtual-tour', adviser: 1, name: 'Ada', email: 'ada@example.com' },
      ...{ mailbox: 'ada@example.com', starts_at: starts, ends_at: new Date(starts.getTime() + 1_200_000) },
      ...{ occupied: `[${starts.toISOString()},${new Date(starts.getTime() + 1_800_000).toISOString()})` },
      ...{ created_at: academy.now(), changed_at: academy.now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const about = { kind: 'booking', id: booking.id } as const;
  const id = await db.transaction().execute((trx) => queueMail(trx, { ...sampleMail, about, subject: 'Your tour' }));
  const messageId = await handedOver(id ?? '');
  await send({ head: ['From: percy@example.org', `References: <x@y.example> ${messageId}`] });
  const stored = await only();
  const page = await read(pageOf(stored));
  expect(page).toMatch(/our email “Your tour” to ada ?@example\.com/);
  expect(page).toMatch(/Anybody can write this address/);
  expect(await (await ada.get(pageOf(stored))).text()).toContain('href="/staff/bookings/BB-TRAP22"');
});

test('P83: a buyer who answers a mail about an enrolment is on its timeline, with all that they write afterwards', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course: 'comptia-security-plus', startsOn: '2025-11-10' });
  const { enrolmentId, reference } = await placeIn(db, courseDate, {
    buyer: { name: 'Mary Shelley', email: 'mary@example.org', phone: null },
  });
  const about = { kind: 'enrolment', id: enrolmentId } as const;
  const id = await db.transaction().execute((trx) => queueMail(trx, { ...sampleMail, to: 'mary@example.org', about }));
  await send({ head: ['Subject: I come later', `In-Reply-To: ${await handedOver(id ?? '')}`] });
  const first = await only();
  expect(await (await ada.get(pageOf(first))).text()).toContain(`href="/staff/enrolments/${reference}"`);
  const answered = await answer(first.reference, ada, 'That is fine.');
  await send({ head: ['Subject: Thanks', `In-Reply-To: ${answered}`] });
  await send({ head: ['Subject: Away', `In-Reply-To: ${answered}`, 'Auto-Submitted: auto-replied'] });
  const timeline = await read(`/staff/enrolments/${reference}`);
  expect(timeline).toMatch(/Mary Shelley wrote an email: Thanks.*Mary Shelley wrote an email: I come later/);
  expect(timeline).not.toContain('Away');
  const reader = await signInStaff(academy, 'money@example.com', 'Moe', { role: 'editor' });
  expect((await reader.get(pageOf(first))).status).toBe(403);
});

test('P81: accepting an invitation waits for no answer; declining is found at the enrolment', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course: 'comptia-security-plus', startsOn: '2025-11-10' });
  const { reference, enrolmentId } = await placeIn(db, courseDate);
  const placed = db.selectFrom('places').select('calendar_id').where('enrolment_id', '=', enrolmentId);
  const place = await placed.executeTakeFirstOrThrow();
  const press = (answer: string) =>
    send({
      head: [`Subject: ${answer}`, 'MIME-Version: 1.0', 'Content-Type: text/calendar; method=REPLY; charset=UTF-8'],
      body: [
        ...['BEGIN:VCALENDAR', 'METHOD:REPLY', 'BEGIN:VEVENT', `UID:place-${place.calendar_id}@bowerbird-academy`],
        ...[`ATTENDEE;CN=Mary;PARTSTAT=${answer}:mailto:mary@example.org`, 'END:VEVENT', 'END:VCALENDAR'],
      ].join('\r\n'),
    });
  for (const answer of ['ACCEPTED', 'TENTATIVE', 'DECLINED']) await press(answer);
  const rows = await enquiries();
  expect(rows.map(({ state }) => state)).toEqual(['closed', 'closed', 'new']);
  for (const row of rows) {
    expect(await (await ada.get(pageOf(row))).text()).toContain(`href="/staff/enrolments/${reference}"`);
  }
});

test('P81: recipients in To and Cc are shown', async () => {
  await send({ head: ['Cc: Boss <boss@writer.example>, rita@writer.example, Mary <MARY@example.org>'] });
  expect(await read(pageOf(await only()))).toMatch(/Went to as well ?boss ?@writer\.example, rita ?@writer\.example/);
});

test('P81: an answer also answers what the same person wrote before in the conversation, until it is taken back', async () => {
  const wrote = async (body: string, ...head: string[]) => {
    await send({ body, head });
    return (await enquiries()).at(-1) as { reference: string };
  };
  const first = await wrote('Is there a seat?', 'Message-ID: <one@example.org>');
  const stranger = await wrote('Me too', 'From: percy@example.org', 'References: <one@example.org>');
  const second = await wrote('One more thing.', 'Message-ID: <two@example.org>', 'References: <one@example.org>');
  const third = await wrote('And another.', 'References: <one@example.org> <two@example.org>');
  const states = async () => (await enquiries()).map(({ state }) => state);
  expect(await read(pageOf(second))).toContain('It also answers the open message before this one.');
  expect(await read(pageOf(first))).not.toContain('also answers');
  const page = pageOf(second);
  const carried = carriedBy(await (await ada.get(page)).text(), 'answer');
  expect((await ada.post(page, { ...carried, answer: 'Yes to both.' })).status).toBe(303);
  expect(await states()).toEqual(['answered', 'new', 'answered', 'new']);
  expect(await read('/staff/inbox')).not.toContain('“Is there a seat?”');
  const html = await (await ada.get(page)).text();
  const mail = /name="mail" value="([^"]+)"/.exec(html)?.[1] ?? '';
  expect((await ada.post(page, { ...carriedBy(html, 'take-back'), mail })).status).toBe(303);
  expect(await states()).toEqual(['new', 'new', 'new', 'new']);
  // Whoever answers the last one answers all of theirs.
  const last = pageOf(third);
  await ada.post(last, { ...carriedBy(await (await ada.get(last)).text(), 'answer'), answer: 'All yours.' });
  expect(await states()).toEqual(['answered', 'new', 'answered', 'answered']);
  expect(await read(pageOf(stranger))).toContain('Is there a seat?');
});

test('P81: the promise counts from when the mail server got an email, which may have waited there for us', async () => {
  // It is Monday, 9 am in Brisbane.
  const line = (at: string) => [`Received: from x by mx.example (Postfix) with ESMTP id 1;\r\n\t${at}`];
  await send({ head: line('Fri, 5 Sep 2025 03:00:00 +0000 (UTC)'), body: 'On Friday' });
  await send({ head: line('Mon, 8 Sep 2025 23:00:00 +0000'), body: 'Tomorrow' });
  await send({ head: line('Mon, 1 Sep 2025 23:00:00 +0000'), body: 'Last week' });
  await send({ head: ['Received: nonsense; nonsense'], body: 'At no time' });
  const came = (await enquiries()).map(({ message, created_at }) => [message, created_at.toISOString()]);
  const now = academy.now().toISOString();
  expect(came).toEqual([
    ['On Friday', '2025-09-05T03:00:00.000Z'],
    ['Tomorrow', now],
    ['Last week', now],
    ['At no time', now],
  ]);
  expect(await read('/staff/inbox')).toMatch(
    /Today, 6:00 PM Email Mary Shelley “On Friday”.*Tue, 6:00 PM Email Mary Shelley “Tomorrow”/,
  );
});

test('P81: one of two programs on a machine takes the emails, and the other takes over when it stops', async () => {
  const at = { port: await freePort(), host: '127.0.0.1' };
  const [first, second] = [[] as string[], [] as string[]];
  const serve = (log: string[]) =>
    serveInboundMail(at, () => open, pino({ level: 'info' }, { write: (line: string) => void log.push(line) }));
  const old = await serve(first);
  const next = await serve(second);
  expect(second.join('')).toContain('another program takes the emails');
  expect(await send({ through: at.port })).toMatch(/^250/);
  expect(first.join('')).toContain('email taken');
  await old.close();
  await until(async () => /^250/.test(await send({ through: at.port, body: 'The next one' })));
  expect(second.join('')).toContain('email taken');
  expect((await enquiries()).map(({ message }) => message)).toContain('The next one');
  await next.close();
});

test('P81: nothing is stored twice, and nothing of ours comes back as a message', async () => {
  const head = ['Message-ID: <same@example.org>', 'Date: Mon, 8 Sep 2025 09:00:00 +1000'];
  expect(await send({ head })).toMatch(/^250/);
  expect(await send({ head })).toMatch(/^250/);
  await only();
  // Another text under the same name is another email: its sender chose the name.
  expect(await send({ head, body: 'Something else' })).toMatch(/^250/);
  expect(await enquiries()).toHaveLength(2);
  const id = await academy.database.db.transaction().execute((trx) => queueMail(trx, sampleMail));
  expect(await send({ head: [`Message-ID: ${await handedOver(id ?? '')}`] })).toMatch(/^250/);
  expect(await enquiries()).toHaveLength(2);
});

test.each([
  ['an out-of-office reply', ['Auto-Submitted: auto-replied'], undefined],
  ['what a filter calls spam', ['X-Spam-Flag: YES'], undefined],
  ['an autoresponder’s reply', ['Precedence: auto_reply'], undefined],
  ['mail that nobody may answer', [], ''],
])('P81: %s is kept, but waits for nobody', async (_, head, sender) => {
  expect(await send({ head, sender })).toMatch(/^250/);
  const stored = await only();
  expect(stored.state).toBe('closed');
  expect(await read(pageOf(stored))).toContain('A program wrote this');
});

test('P81: an email through a list may be a person’s, so it waits for an answer', async () => {
  await send({ head: ['List-Id: <hello.example.org>', 'Precedence: list'] });
  expect((await only()).state).toBe('new');
});

test('P81: nobody is answered at the academy’s own address', async () => {
  const own = academy.services.academy.academy().email;
  const [local, domain] = own.split('@');
  await send({ head: [`Reply-To: ${local}+forms@${domain?.toUpperCase()}`] });
  expect((await only()).email).toBe('mary@example.org');
  // A form that sends in our name says by Reply-To who wrote.
  await send({ head: [`From: ${own}`, 'Reply-To: jane@example.org'] });
  expect((await enquiries()).map(({ email }) => email)).toEqual(['mary@example.org', 'jane@example.org']);
  // What staff write from that mailbox, with a copy to it.
  expect(await send({ head: [`From: ${own}`], sender: own })).toMatch(/^250/);
  expect(await enquiries()).toHaveLength(2);
});

test('P81: a sender who asks for answers elsewhere is not proved', async () => {
  const id = await academy.database.db
    .transaction()
    .execute((trx) => queueMail(trx, { ...sampleMail, to: 'other@example.org' }));
  const answers = `In-Reply-To: ${await handedOver(id ?? '')}`;
  await send({ head: ['From: other@example.org', answers] });
  expect(await read(pageOf(await only()))).not.toContain('Anybody can write this address');
  await send({ head: ['Reply-To: other@example.org', answers], body: 'Please cancel.' });
  const last = (await enquiries()).at(-1) ?? expect.unreachable();
  expect(await read(pageOf(last))).toContain('Anybody can write this address');
});

test('P81: two answers to one mail about an enrolment are one conversation, and one answer answers both', async () => {
  const { db } = academy.database;
  const { enrolmentId } = await placeIn(db, await makeCourseDate(db, { startsOn: '2025-11-10' }));
  const about = { kind: 'enrolment', id: enrolmentId } as const;
  const id = await db.transaction().execute((trx) => queueMail(trx, { ...sampleMail, about }));
  const answers = `In-Reply-To: ${await handedOver(id ?? '')}`;
  await send({ head: [answers], body: 'I come later.' });
  await send({ head: [answers], body: 'One more thing.' });
  await send({ head: ['From: percy@example.org', answers], body: 'I am somebody else.' });
  const [, second] = await enquiries();
  await answer(second?.reference ?? '', ada, 'That is fine.');
  expect((await enquiries()).map(({ state }) => state)).toEqual(['answered', 'answered', 'new']);
});

test('P81: an email that says everything in its subject shows it in the inbox, and is found by it', async () => {
  await send({ head: ['Subject: Cancel my place'], body: '' });
  expect(await read('/staff/inbox')).toContain('“Cancel my place”');
  expect(await read('/staff/enquiries?search=cancel')).toContain((await only()).reference);
});

test('P81: an address that we could not answer does not send an email back while its server names another', async () => {
  expect(await send({ head: ['From: <john..doe@example.org>'], sender: 'john@example.org' })).toMatch(/^250/);
  expect((await only()).email).toBe('john@example.org');
});

test('P81: an answer to what a program wrote, taken back, leaves it closed', async () => {
  await send({ head: ['Auto-Submitted: auto-replied'] });
  const { reference } = await only();
  const page = pageOf({ reference });
  const html = async () => (await ada.get(page)).text();
  expect((await ada.post(page, { ...carriedBy(await html(), 'answer'), answer: 'Thank you.' })).status).toBe(303);
  expect((await only()).state).toBe('answered');
  const mail = /name="mail" value="([^"]+)"/.exec(await html())?.[1] ?? '';
  expect((await ada.post(page, { ...carriedBy(await html(), 'take-back'), mail })).status).toBe(303);
  expect((await only()).state).toBe('closed');
});

test('P49, P81: a mail that comes back is among the failed, with the reason of the server', async () => {
  const id = await academy.database.db.transaction().execute((trx) => queueMail(trx, sampleMail));
  const messageId = await handedOver(id ?? '');
  const report = (action: string, sender = '', about = messageId) => ({
    sender,
    head: [
      'From: mailer-daemon@example.org',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    ],
    body: [
      ...['--b', '', 'Sorry.', '--b', 'Content-Type: message/delivery-status', '', 'Reporting-MTA: dns; x.example', ''],
      ...['Final-Recipient: rfc822; ada@example.com', `Action: ${action}`, 'Status: 5.1.1'],
      ...['Diagnostic-Code: smtp; 550 5.1.1 No such', '  mailbox here', '', '--b', 'Content-Type: text/rfc822-headers'],
      ...['', `Message-ID: ${about}`, 'Subject: Hello', '', '--b--', ''],
    ].join('\r\n'),
  });
  expect(await send(report('delayed'))).toMatch(/^250/);
  const state = async () =>
    (await academy.database.db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirst())?.state;
  expect(await state()).toBe('sent');
  // A person cannot say that our mail failed.
  await send(report('failed', 'mallory@example.org'));
  expect(await state()).toBe('sent');
  // Nor does the message of another server, under a number of ours.
  await send(report('failed', '', messageId.replace(/@.*>/, '@elsewhere.example>')));
  expect(await state()).toBe('sent');
  // The report may be here before the program has noted that the mail was taken.
  const setState = (set: { state: 'queued' | 'sent' }) =>
    academy.database.db.updateTable('mails').set(set).where('id', '=', id).execute();
  await setState({ state: 'queued' });
  expect(await send(report('failed'))).toMatch(/^250/);
  expect(await state()).toBe('failed');
  const answer = { outcome: 'delivered', text: '250 Ok' } as const;
  const links = { end: async () => undefined } as unknown as PrivateLinks;
  await endAttempt(
    academy.database.db,
    { mailId: id ?? '', number: 1, answer, keepsSecrets: true, links, filled: {} as Filled },
    academy.now(),
  );
  expect(await state()).toBe('failed');
  expect(await read('/staff/mail')).toContain('It came back: 550 5.1.1 No such mailbox here');
  // The others are kept as messages of programs.
  expect((await enquiries()).map(({ state }) => state)).toEqual(['closed', 'closed', 'closed']);
});

test('P81: email for others, too large or without a sender is refused; while nothing can be stored it is put off', async () => {
  expect(await send({ to: 'else@example.org' })).toMatch(/^550/);
  const [local, domain] = academy.services.academy.academy().email.split('@');
  expect(await send({ to: `${local}+news@${domain?.toUpperCase()}` })).toMatch(/^250/);
  expect(await send({ to: `accounts@${domain}` })).toMatch(/^250/);
  expect(await send({ to: `${local}@not-${domain}` })).toMatch(/^550/);
  expect(
    await send({
      body: 'x'
        .repeat(78)
        .concat('\r\n')
        .repeat(mostEmailBytes / 80 + 10),
    }),
  ).toMatch(/^552/);
  expect(await send({ head: ['From: nobody'], sender: '' })).toMatch(/^554/);
  open = null;
  expect(await send()).toMatch(/^451.*again later/);
  open = { ...academy.services, stopping: true };
  expect(await send()).toMatch(/^451/);
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  const database = {
    ...academy.services.database,
    db: { transaction: () => ({ execute: () => Promise.reject(away) }) },
  };
  open = { ...academy.services, database: database as unknown as AcademyApp['services']['database'] };
  expect(await send()).toMatch(/^451.*again later/);
  expect(await enquiries()).toHaveLength(2);
});

torture(
  'P24, P81: one sender stores some emails a day; further ones are put off, and another sender’s is stored',
  async () => {
    const body = `${'x'.repeat(75)}\r\n`.repeat(120_000);
    for (const [at, answered] of [/^250/, /^250/, /^250/, /^250/, /^250/, /^452/].entries()) {
      expect(await send({ body: `${at} ${body}` })).toMatch(answered);
    }
    expect(await send({ head: ['From: ada@example.org'], sender: 'ada@example.org' })).toMatch(/^250/);
  },
);

test('P81: an email that cannot be read is kept as it came; one of anything at all stores or refuses, and stops nothing', async () => {
  open = { ...academy.services, emails: { do: () => Promise.reject(new Error('too deep')) } };
  expect(await send({ body: 'Keep me' })).toMatch(/^250/);
  const { reference } = await only();
  expect(await (await ada.get(`${pageOf({ reference })}/files/email.eml`)).text()).toContain('Keep me');
  // So is one that was read as something that the database does not take.
  const odd = await academy.services.emails.do({
    kind: 'read',
    source: new TextEncoder().encode('Subject: x\r\n\r\n'),
  });
  open = { ...academy.services, emails: { do: async () => ({ ...odd, subject: 'a\0b' }) as never } };
  expect(await send({ body: 'And me' })).toMatch(/^250/);
  const [, second] = await enquiries();
  expect(await (await ada.get(`${pageOf(second as never)}/files/email.eml`)).text()).toContain('And me');
  expect((await ada.get(pageOf({ reference }))).status).toBe(200);
  open = academy.services;
  const others = [
    {
      head: ['Content-Type: multipart/mixed; boundary=b', `From: ${'🦊'.repeat(99)} <fox@example.org>`],
      // Half of the last character of a name that is cut would be no JSON.
      body: `--b\r\nContent-Type: a\u0001/b; name="x${'🦊'.repeat(99)}"\r\nContent-Disposition: attachment\r\n\r\nx\r\n--b--`,
    },
    { head: ['Subject: \0\u0001', 'From: =?utf-8?B?////?= <a@example.org>'], body: 'a\0b\uD800' },
    { head: [`Subject: ${'x'.repeat(5000)}`], body: `${'word'.repeat(700)} `.repeat(100) },
    { head: ['Content-Type: multipart/mixed; boundary=b'], body: '--b\r\n'.repeat(2000) },
    { head: ['Content-Type: text/html'], body: '<div>'.repeat(50_000) },
    { head: ['Content-Type: text/plain; charset=nonsense', 'Content-Transfer-Encoding: base64'], body: '%%%%' },
    { head: ['Reply-To: "x" <evil@example.org>, b@example.org', 'In-Reply-To: <\u2028@x>, <a b>'] },
  ];
  for (const one of others) expect(await send(one), JSON.stringify(one).slice(0, 80)).toMatch(/^250/);
  for (const stored of await enquiries()) expect((await ada.get(pageOf(stored))).status).toBe(200);
  expect((await read('/staff/inbox')).match(/Email/g)?.length).toBeGreaterThanOrEqual(others.length);
});

test('P68, P69: an instructor reads no emails; an export holds them, and erasing takes them', async () => {
  await send({ body: 'My number is 0491 570 156.' });
  const { reference } = await only();
  const instructor = await signInStaff(academy, 'i@example.com', 'Ivy', {
    role: 'instructor',
    teachesAs: 'yuki-tanabe',
  });
  expect((await instructor.get(`${pageOf({ reference })}/files/email.eml`)).status).toBe(403);
  const [held] = (await exportPerson(academy.database.db, 'mary@example.org')).enquiries as {
    email: { source: string };
  }[];
  const { source } = held?.email ?? { source: '' };
  expect(Buffer.from(source, 'base64').toString()).toContain('0491 570 156');
  await erasePerson(academy.database.db, 'mary@example.org', { dataDir: academy.settings.dataDir, at: academy.now() });
  expect(await academy.database.db.selectFrom('inbound_emails').selectAll().execute()).toEqual([]);
});

test('P68: an email that asks for answers elsewhere is its sender’s too, without the answers', async () => {
  await send({ body: 'Answer my friend.', head: ['From: mary@example.org', 'Reply-To: percy@example.org'] });
  const { reference } = await only();
  await answer(reference, ada, 'Your code is 1234.');
  const held = async (address: string) => JSON.stringify((await exportPerson(academy.database.db, address)).enquiries);
  expect(await held('mary@example.org')).toContain('Answer my friend.');
  expect(await held('mary@example.org')).not.toContain('1234');
  expect(await held('percy@example.org')).toContain('1234');
  await erasePerson(academy.database.db, 'mary@example.org', { dataDir: academy.settings.dataDir, at: academy.now() });
  expect(await enquiries()).toEqual([]);
});

test('P81: a reply to an answer whose mail was erased still continues the conversation', async () => {
  await send({ body: 'First words.' });
  const { reference } = await only();
  const messageId = await answer(reference, ada, 'Here you are.');
  await academy.database.db.deleteFrom('mails').execute();
  await send({ body: 'Thank you.', head: [`In-Reply-To: ${messageId}`] });
  const [, second] = await enquiries();
  const page = await read(pageOf({ reference: second?.reference ?? '' }));
  expect(page).toContain('First words.');
  expect(page).not.toContain('Anybody can write this address');
});

test('P81: a person who joins a conversation under another’s name is shown with their own address', async () => {
  await send({ body: 'First words.', head: ['Message-ID: <joined@example.org>'] });
  await send({
    body: 'Pay to my account.',
    head: ['From: Mary Shelley <mallory@example.net>', 'References: <joined@example.org>'],
  });
  const [first] = await enquiries();
  const page = await read(pageOf({ reference: first?.reference ?? '' }));
  expect(page.replaceAll(/\s+/g, ' ')).toMatch(/Mary Shelley \( ?mallory@example.net ?, another address\) wrote/);
});

test('P81: one answer answers a thousand messages, and a page of a long conversation says how much it leaves out', async () => {
  await send({ body: 'Number 0', head: ['Message-ID: <many@example.org>'] });
  const first = await only();
  const { db } = academy.database;
  const many = 1500;
  const rows = await db
    .insertInto('enquiries')
    .values(
      Array.from({ length: many }, (_, at) => ({
        kind: 'email' as const,
        reference: newReference(),
        idempotency_key: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
        first_name: 'Mary',
        last_name: '',
        email: 'Mary@example.org',
        message: `Number ${at + 1}`,
        marketing_consent: false,
        details: '{}',
        created_at: academy.now(),
      })),
    )
    .returning('id')
    .execute();
  await db
    .insertInto('inbound_emails')
    .values(
      rows.map(({ id }) => ({
        enquiry_id: id,
        subject: '',
        thread_of: first.id,
        automatic: false,
        copies: '[]',
        files: '[]',
        source: Buffer.from(''),
      })),
    )
    .execute();
  const last = (await enquiries()).at(-1) as { reference: string };
  const page = await read(pageOf(last));
  expect(page).toContain(`It also answers the ${many} open messages before this one.`);
  expect(page).toContain(`${many - 30} older messages are not shown here.`);
  expect(page).toContain(`Number ${many - 1}`);
  expect(await read(pageOf(first))).toContain(`${many - 30} newer messages are not shown here.`);
  await answer(last.reference, ada, 'Yes to all.');
  expect(new Set((await enquiries()).map(({ state }) => state))).toEqual(new Set(['answered']));
});
