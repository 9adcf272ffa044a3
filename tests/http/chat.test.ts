import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queueConversationMails } from '#app/features/inbox/conversations/mails.server.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

const opening = new Date('2025-09-08T09:00:00+10:00');
const later = (seconds: number) => new Date(opening.getTime() + seconds * 1000);
/** Two processes on one database: visitors come to the first, staff to the second. */
let academy: AcademyApp;
let other: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  other = await openAcademyApp({ beside: academy });
  ada = await signInStaff(other, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(other, 'grace@example.com', 'Grace Hopper');
});
beforeEach(async () => {
  setNow(0);
  const { owner } = academy.database;
  await sql`truncate conversations, private_links, conversation_messages, inbox_holds, form_attempts`.execute(owner);
});
afterAll(async () => {
  await other.close();
  await academy.close();
});

/** Sets the clock of both processes, in seconds after nine on a Monday. */
function setNow(seconds: number): void {
  for (const app of [academy, other]) app.setNow(later(seconds));
}

const question = { message: 'Is the Melbourne date certain?', name: 'Mary', email: 'Mary+chat@example.org' };
/** Starts a conversation and returns the path of its private link. */
async function start(fields: Record<string, string> = question): Promise<string> {
  const response = await academy.submit('/chat', fields);
  expect(response.status).toBe(303);
  return response.headers.get('Location') ?? '';
}
const read = async (path: string) => (await academy.request(path)).text();
const fieldOf = (html: string, name: string, from = 0) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html.slice(from))?.[1] ?? '';
const post = (path: string, fields: Record<string, string>) =>
  academy.request(path, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
const say = async (path: string, message: string) => post(path, { form: fieldOf(await read(path), 'form'), message });
/** The fields a form on a page of staff carries by itself. */
const carried = (html: string, act: string) => {
  const from = html.indexOf(`name="act" value="${act}"`);
  return { act, form: fieldOf(html, 'form', from), seen: fieldOf(html, 'seen', from) };
};
async function act(staff: SignedIn, fields: { act: string; answer?: string; note?: string }): Promise<Response> {
  const path = await staffPath();
  return staff.post(path, { ...carried(await (await staff.get(path)).text(), fields.act), ...fields });
}
/** The page for staff of the one conversation there is. */
async function staffPath(): Promise<string> {
  const { id } = await academy.database.db.selectFrom('conversations').select('id').executeTakeFirstOrThrow();
  return `/staff/conversations/${id}`;
}
type Chat = { state: string; hours: string; messages: { body: string; kind: string }[] };
const readJson = async (path: string): Promise<Chat> => (await academy.request(`${path}/live`)).json();
const bodies = (chat: Chat) => chat.messages.map(({ body }) => body);

async function stream(app: AcademyApp, path: string, init: { from?: string; headers?: Record<string, string> } = {}) {
  const headers = { Accept: 'text/event-stream', ...init.headers };
  const response = await app.request(path, { ...init, headers });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let open = true;
  const reading = (async () => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      text += chunk.value;
    }
    open = false;
  })();
  return {
    response,
    looks: () => text.split('data: look\n\n').length - 1,
    isOpen: () => open,
    async close() {
      await reader?.cancel();
      await reading;
    },
  };
}

test('P20: a conversation goes on across two processes without reloading, each message told within a second', async () => {
  const path = await start();
  expect(path).toMatch(/^\/chat\/[0-9a-f]{48}$/);
  const page = await academy.request(path);
  expect([page.headers.get('Cache-Control'), page.headers.get('X-Robots-Tag')]).toEqual([
    'no-store',
    'noindex, nofollow',
  ]);
  const html = await page.text();
  for (const text of [question.message, 'Mary+chat@example.org', 'role="log"', 'Show new messages']) {
    expect(html.includes(text), text).toBe(true);
  }
  const visitor = await stream(academy, `${path}/live`);
  const staff = await stream(other, '/staff/live', { headers: { Cookie: ada.cookie } });
  expect(Object.fromEntries(visitor.response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  await until(() => visitor.looks() >= 1 && staff.looks() >= 1);
  // How the conversation began may be told once more, just after a stream was opened.
  let heard = [visitor.looks(), staff.looks()];
  const bothHear = async () => {
    const [byVisitor = 0, byStaff = 0] = heard;
    await until(() => visitor.looks() > byVisitor && staff.looks() > byStaff, 1000);
    heard = [visitor.looks(), staff.looks()];
  };

  expect((await act(ada, { act: 'answer', answer: 'Yes,\r\nit is.' })).status).toBe(303);
  await bothHear();
  expect(bodies(await readJson(path))).toEqual([question.message, 'Yes,\nit is.']);
  expect((await say(path, 'Thank you')).status).toBe(303);
  await bothHear();
  const id = (await staffPath()).split('/').at(-1);
  const seen = await (await ada.get(`/staff/live?conversation=${id}`)).json();
  expect(bodies(seen)).toEqual([question.message, 'Yes,\nit is.', 'Thank you']);
  expect(await (await ada.get('/staff/live')).json()).toEqual({ waiting: 1 });
  await Promise.all([visitor.close(), staff.close()]);
});

test('P20: a change of another conversation is not told, and nobody without the link reads anything', async () => {
  const [first, second] = [await start(), await start({ message: 'Another' })];
  const visitor = await stream(academy, `${first}/live`);
  await say(second, 'Hello?');
  await say(first, 'Hello!');
  await until(() => visitor.looks() === 2);
  await visitor.close();
  const none = `/chat/${'a'.repeat(48)}`;
  expect((await academy.request(none)).status).toBe(404);
  expect((await academy.request(`${none}/live`)).status).toBe(404);
  expect((await stream(academy, `${none}/live`)).response.status).toBe(404);
  expect((await post(none, { form: crypto.randomUUID(), message: 'Hello' })).status).toBe(404);
  expect((await academy.request('/staff/live')).status).toBe(302);
});

test('streams have limits for a viewer and a network, and leave the requests of the network alone', async () => {
  const path = await start();
  const open = (at: number) => stream(academy, `${path}/live`, { from: `2001:db8:5::${at + 1}` });
  const own = await Promise.all([0, 1, 2].map(open));
  expect((await open(3)).response.status).toBe(429);
  await own[0]?.close();
  const again = await open(4);
  expect(again.response.status).toBe(200);
  const { live } = academy.services;
  const network = '20010db8000500/56';
  const others = Array.from({ length: 21 }, (_, at) => live.open(at + 1_000_000, { viewer: `v${at}`, network }));
  expect(others.every(({ status }) => status === 200)).toBe(true);
  expect(live.open(1, { viewer: 'one more', network }).status).toBe(429);
  const requests = Array.from({ length: 32 }, () => academy.request('/robots.txt', { from: '2001:db8:5::9' }));
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(32).fill(200));
  await Promise.all([...own, again].map(({ close }) => close()));
  await Promise.all(others.map(({ body }) => body?.cancel()));
});

test('P25: sent again, a form is the same conversation and a message the same message', async () => {
  const token = fieldOf(await read('/chat'), 'form');
  setNow(5);
  const first = await post('/chat', { ...question, form: token });
  const path = first.headers.get('Location') ?? '';
  expect((await post('/chat', { ...question, form: token })).headers.get('Location')).toBe(path);
  // The browser's Back, an address added and the text corrected.
  const changed = { ...question, email: 'mary@example.org', message: 'Is Sydney certain?', form: token };
  expect((await post('/chat', changed)).headers.get('Location')).toBe(path);
  // The same words from another form are another person's, as far as we know: they open nothing.
  expect(await start()).not.toBe(path);
  const form = fieldOf(await read(path), 'form');
  const copies = Array.from({ length: 5 }, () => post(path, { form, message: 'Hello' }));
  expect((await Promise.all(copies)).map(({ status }) => status)).toEqual(Array(5).fill(303));
  const chat = await readJson(path);
  expect(bodies(chat)).toEqual([question.message, 'Is Sydney certain?', 'Hello']);
  expect(chat).toMatchObject({ email: 'mary@example.org' });
});

test('P23, P24: a refused message is kept and explained, and messages have a limit', async () => {
  const bad = await academy.submit('/chat', { message: '', email: 'nowhere', name: 'Mary' });
  const html = await bad.text();
  expect(bad.status).toBe(400);
  for (const text of ['Enter your question.', 'or leave this empty', 'value="nowhere"', 'value="Mary"']) {
    expect(html.includes(text), text).toBe(true);
  }
  const trap = await academy.submit('/chat', { message: 'Hello', website: 'x' });
  expect(trap.status).toBe(403);
  const path = await start({ message: 'One' });
  const empty = await say(path, ' \u200b ');
  expect([empty.status, (await empty.text()).includes('Enter your message.')]).toEqual([400, true]);
  expect((await post(path, { message: 'No key' })).status).toBe(400);
  for (let sent = 0; sent < 30; sent++) expect((await say(path, `Message ${sent}`)).status).toBe(303);
  const refused = await say(path, 'One too many');
  expect(refused.status).toBe(429);
  expect((await refused.text()).includes('One too many</textarea>')).toBe(true);
  expect(bodies(await readJson(path))).toHaveLength(31);
  setNow(700);
  expect((await say(path, 'After a while')).status).toBe(303);
});

test('P20: both pages say by the business hours whether the academy is open', async () => {
  const path = await start();
  expect((await readJson(path)).hours).toMatch(/^We are open now\./);
  expect(await read('/chat')).toContain('We are open now.');
  // Only scripts bring answers onto the page, and only onto that of the conversation.
  expect(await read('/chat')).not.toContain('Answers appear here');
  expect(await read(path)).toContain('<span class="no-script:hidden">Answers appear here automatically.</span>');
  setNow(9 * 60 * 60);
  expect((await readJson(path)).hours).toContain('open again on Tuesday 9 September 2025, 9:00 AM Brisbane time');
});

test('staff find, answer, note and close a conversation; the second to answer is told who was first', async () => {
  const path = await start({ message: 'Is there\u202e a seat?', name: '', email: '' });
  const list = await (await ada.get('/staff/conversations?state=waiting&search=sea')).text();
  const own = await staffPath();
  expect(list.includes(`href="${own}"`)).toBe(true);
  expect((await (await ada.get('/staff/conversations?search=nothing')).text()).includes(own)).toBe(false);
  const seenByBoth = await (await grace.get(own)).text();
  for (const text of ['\\u202e', 'cannot tell the visitor', 'Has the page open now'])
    expect(seenByBoth.includes(text)).toBe(true);
  await act(ada, { act: 'answer', answer: 'Yes.' });
  const second = await grace.post(own, { ...carried(seenByBoth, 'answer'), answer: 'No & why' });
  const refused = await second.text();
  expect(second.status).toBe(409);
  for (const text of ['Ada Byron answered in the meantime', 'No &amp; why</textarea>', 'Yes.']) {
    expect(refused.includes(text), text).toBe(true);
  }
  const again = { ...carried(refused, 'answer'), answer: 'No & why' };
  expect([(await grace.post(own, again)).status, (await grace.post(own, again)).status]).toEqual([303, 303]);
  await act(ada, { act: 'note', note: 'For us only' });
  await act(ada, { act: 'closed' });
  expect((await readJson(path)).state).toBe('closed');
  const html = await read(path);
  expect(html.includes('For us only')).toBe(false);
  expect(html.includes('closed the chat')).toBe(true);
  expect(bodies(await readJson(path))).toEqual(['Is there\u202e a seat?', 'Yes.', 'No & why', '']);
  await say(path, 'One more thing');
  expect((await readJson(path)).state).toBe('waiting');
  const { db } = academy.database;
  const entries = db.selectFrom('audit_entries').select(['action', 'person_id', 'details']);
  const subject = own.replace('/staff/conversations/', 'conversation:');
  expect(await entries.where('subject', '=', subject).orderBy('id').execute()).toEqual([
    { action: 'answer', person_id: ada.id, details: {} },
    { action: 'answer', person_id: grace.id, details: {} },
    { action: 'closed', person_id: ada.id, details: {} },
  ]);
  expect((await ada.get('/staff/conversations/999999')).status).toBe(404);
  expect((await ada.get('/staff/conversations/x')).status).toBe(404);
  expect((await ada.post(own, { act: 'burn' })).status).toBe(400);
});

test('conversations that wait come first, the longest waiting at the top', async () => {
  for (const [at, message] of ['first', 'second', 'third', 'fourth'].entries()) {
    setNow(at * 700);
    await start({ message });
  }
  const { db } = academy.database;
  await db
    .updateTable('conversations')
    .set({ state: 'answered' })
    .where('id', 'in', (ids) =>
      ids.selectFrom('conversation_messages').select('conversation_id').where('body', 'in', ['first', 'third']),
    )
    .execute();
  const list = await (await ada.get('/staff/conversations')).text();
  const order = ['second', 'fourth', 'third', 'first'].map((body) => list.indexOf(`>${body}<`));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order.every((at) => at > 0)).toBe(true);
});

test('P20, P24: a visitor who left is told of answers by one email, at most once an hour', async () => {
  const { db } = academy.database;
  const mails = (seconds: number) =>
    queueConversationMails(db, academy.services.academy.academy(), later(seconds)).then(async () => {
      const rows = await db
        .selectFrom('mails')
        .select(['recipient', 'subject', 'body_text'])
        .where('kind', '=', 'conversation-answer')
        .orderBy('queued_at')
        .execute();
      return rows;
    });
  const path = await start();
  setNow(10);
  await act(ada, { act: 'answer', answer: 'Yes & more' });
  await act(ada, { act: 'answer', answer: 'And this' });
  // The page may still be open: it has a minute to show the answers.
  expect(await mails(69)).toHaveLength(0);
  const [mail, ...more] = await mails(71);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ recipient: 'Mary+chat@example.org' });
  for (const typed of ['Yes & more', 'Mary', question.message]) expect(mail?.body_text).not.toContain(typed);
  const link = /\/chat\/[0-9a-f]{48}/.exec(await withLinks(db, mail?.body_text))?.[0] ?? '';
  expect(link).not.toBe(path);
  // Another conversation with the same mailbox, and a further answer: both wait for the hour to end.
  setNow(100);
  await act(ada, { act: 'answer', answer: 'A third' });
  expect(await mails(1000)).toHaveLength(1);
  expect(await mails(3600 + 72)).toHaveLength(2);
  expect(await mails(3 * 3600)).toHaveLength(2);
  // The visitor gets no mail about messages that the page has shown.
  setNow(4 * 3600);
  await act(ada, { act: 'answer', answer: 'A fourth' });
  expect(bodies(await readJson(link))).toContain('A fourth');
  expect(await mails(5 * 3600)).toHaveLength(2);
  const told = await (await ada.get(await staffPath())).text();
  expect(told.includes('Was shown to the visitor')).toBe(true);
});

test('the academy is told once by email when a conversation waits for two minutes', async () => {
  const { db } = academy.database;
  const notices = async (seconds: number) => {
    await queueConversationMails(db, academy.services.academy.academy(), later(seconds));
    const rows = db.selectFrom('mails').select('body_text').where('kind', '=', 'conversation-notice');
    return rows.orderBy('queued_at').execute();
  };
  const path = await start();
  expect(await notices(120)).toHaveLength(0);
  const [notice] = await notices(126);
  expect(notice?.body_text).toContain(`> ${question.message}`);
  expect(notice?.body_text).toContain(await staffPath());
  await say(path, 'Anybody?');
  expect(await notices(1000)).toHaveLength(1);
  await act(ada, { act: 'answer', answer: 'Yes' });
  setNow(2000);
  await say(path, 'Good');
  expect(await notices(2119)).toHaveLength(1);
  expect(await notices(2121)).toHaveLength(2);
});

test('a process that stops ends its streams at once and takes no new ones; messages sent then are there afterwards', async () => {
  const third = await openAcademyApp({ beside: academy });
  const path = await start();
  const visitor = await stream(third, `${path}/live`);
  expect(visitor.response.status).toBe(200);
  third.services.live.end();
  await until(() => !visitor.isOpen());
  expect((await stream(third, `${path}/live`)).response.status).toBe(503);
  await say(path, 'Meanwhile');
  expect(bodies(await (await third.request(`${path}/live`)).json())).toContain('Meanwhile');
  await third.close();
});

test('the listening connection is opened again when it is lost, and pages look again', async () => {
  const path = await start();
  const visitor = await stream(academy, `${path}/live`);
  // The notice of the conversation's own start may come before or after the stream is open.
  await until(() => visitor.looks() >= 1);
  let looks = visitor.looks();
  const looksAgain = async () => {
    await until(() => visitor.looks() > looks);
    looks = visitor.looks();
  };
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'bowerbird conversations'`.execute(academy.database.db);
  await looksAgain();
  await say(path, 'Back again');
  await looksAgain();
  await visitor.close();
});

test('while the database is away the pages say so, and keep what was typed', async () => {
  const path = await start();
  const form = fieldOf(await read(path), 'form');
  const { academy: context } = academy.services;
  const { db } = context;
  const { createDb } = await import('#app/db/client.server.ts');
  const away = createDb({ connectionString: 'postgres://nobody@127.0.0.1:1/none' }, () => undefined);
  context.db = away;
  context.forms.db = away;
  try {
    expect((await academy.request('/chat')).status).toBe(200);
    const page = await academy.request(path);
    expect([page.status, (await page.text()).includes('is saved and is not lost')]).toEqual([503, true]);
    const refused = await post(path, { form, message: 'Typed in vain?' });
    const html = await refused.text();
    expect(refused.status).toBe(503);
    expect(html).toContain('Our system is not available. Nothing was sent');
  } finally {
    context.db = db;
    context.forms.db = db;
    await away.destroy();
  }
  expect((await post(path, { form, message: 'Typed in vain?' })).status).toBe(303);
  expect(bodies(await readJson(path))).toContain('Typed in vain?');
});
