import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { countEnquiries } from '#app/features/inbox/count.server.ts';
import { type Act, actOnEnquiry } from '#app/features/inbox/enquiries/act.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { eraseEnquiry } from '#app/features/inbox/enquiries/erase.server.ts';
import { findEnquiryForStaff, listInbox } from '#app/features/inbox/enquiries/inbox.server.ts';
import { inbox } from '#app/features/inbox/enquiries/inbox.ts';
import { takeBackAnswer } from '#app/features/inbox/enquiries/take-back.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { beginAttempt } from '#app/outbox/attempts.server.ts';
import { canBeTakenBack } from '#app/outbox/take-back.server.ts';
import { takeEnquiryAct } from '#app/routes/staff/enquiry-acts.server.ts';
import { forgetHistory } from '#tests/support/forget-history.ts';
import { mailLinks } from '#tests/support/mail-links.ts';
import { anOwner, makeStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const academy = {
  name: 'Bowerbird',
  company: 'Bowerbird Pty Ltd',
  address: 'Brisbane',
  phone: '07',
  email: 'hello@example.com',
  url: 'http://x',
};
const at = new Date('2025-09-08T09:00:00+10:00');

let database: TestDatabase;
let ada: Awaited<ReturnType<typeof makeStaff>>;
let grace: typeof ada;
beforeAll(async () => {
  database = await createTestDatabase();
  ada = await makeStaff(database.db, { email: 'ada@example.com', name: 'Ada' }, at);
  grace = await makeStaff(database.db, { email: 'grace@example.com', name: 'Grace' }, at);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await forgetHistory(database.owner);
  for (const table of ['enquiries', 'mails'] as const) await database.db.deleteFrom(table).execute();
});

async function enquire(changes: { firstName?: string; email?: string; message?: string } = {}): Promise<string> {
  const person = { firstName: 'Mary', lastName: 'Shelley', email: 'mary@example.org', phone: '+61 7 7010 0142' };
  const enquiry = { ...person, kind: 'contact' as const, message: 'Is there a seat?', consent: false, details: {} };
  const sent = { idempotencyKey: crypto.randomUUID(), at };
  const { reference } = await recordEnquiry(database.db, { ...enquiry, ...changes }, sent);
  return reference;
}

type Acting = { reference: string; staff: { actor: StaffActor }; seen?: number };
const act = (what: Act, { seen = 0, reference, staff }: Acting) =>
  database.db
    .transaction()
    .execute((trx) => actOnEnquiry(trx, what, { reference, actor: staff.actor, seen, at, academy }));
const answer = (body: string): Act => ({ kind: 'answer', body });
const sentMails = () => database.db.selectFrom('mails').selectAll().execute();

test('when two answer at once one answer is sent, and the other person reads who was first', async () => {
  const reference = await enquire();
  const both = await Promise.all([
    act(answer('Yes.'), { reference, staff: ada }),
    act(answer('No.'), { reference, staff: grace }),
  ]);
  const winner = both[0]?.ok ? ada : grace;
  const refused = both.find(({ ok }) => !ok);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(refused).toMatchObject({ reason: 'meanwhile', by: winner.name, kind: 'answer', at });
  expect(await sentMails()).toHaveLength(1);
  // Having seen the first answer, the second may follow.
  const seen = refused && !refused.ok && refused.reason === 'meanwhile' ? refused.seen : 0;
  expect(await act(answer('No.'), { reference, staff: grace, seen })).toEqual({ ok: true });
  expect(await sentMails()).toHaveLength(2);
});

test('P25: the same form sent twelve times at once acts once', async () => {
  const reference = await enquire();
  const clock = { now: () => at, aheadMs: 0 };
  const context = { db: database.db, clock, forms: {} as Academy['forms'], academy: () => academy };
  const form = new FormData();
  const fields = { form: crypto.randomUUID(), seen: '0', act: 'answer', answer: 'Yes.' };
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  const send = () => takeEnquiryAct(context, { form, reference, actor: ada.actor });
  const all = await Promise.all(Array.from({ length: 12 }, send));
  expect(all.every(({ ok }) => ok)).toBe(true);
  expect((await findEnquiryForStaff(database.db, anOwner, reference))?.acts).toHaveLength(1);
  expect(await sentMails()).toHaveLength(1);
  // The page shows what was stored since by itself; a changed text is no repeat, and collides with the first.
  form.set('seen', '999999');
  expect(await send()).toEqual({ ok: true });
  expect(await sentMails()).toHaveLength(1);
  form.set('seen', '0');
  form.set('answer', 'No.');
  expect(await send()).toMatchObject({ ok: false, status: 409 });
  expect(await sentMails()).toHaveLength(1);
});

test('an answer is mailed from the academy without anything a stranger typed, and everything is logged', async () => {
  const reference = await enquire({ message: '<script>alert(1)</script>' });
  await act(answer('Dear Mary,\n\nyes <there> is.'), { reference, staff: ada });
  const seen = (await findEnquiryForStaff(database.db, anOwner, reference))?.acts.at(-1)?.id ?? 0;
  await act({ kind: 'state', state: 'closed' }, { reference, staff: grace, seen });

  const [mail] = await sentMails();
  expect(mail).toMatchObject({ recipient: 'mary@example.org', reply_to: 'hello@example.com', kind: 'enquiry-answer' });
  expect(mail?.body_text).toContain('Dear Mary,\n\nyes <there> is.\n\nAda, Bowerbird');
  expect(mail?.body_html).toContain('yes &lt;there&gt; is.');
  expect(`${mail?.body_html}${mail?.body_text}${mail?.subject}`).not.toContain('alert(1)');
  expect(await findEnquiryForStaff(database.db, anOwner, reference)).toMatchObject({
    state: 'closed',
    acts: [
      { kind: 'answer', by: 'Ada', state: 'answered' },
      { kind: 'state', by: 'Grace', state: 'closed', body: null },
    ],
  });
  const log = await database.db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
  expect(log.map(({ action, person_id, subject, details }) => [action, person_id, subject, details])).toEqual([
    ['answer', ada.id, `enquiry:${reference}`, {}],
    ['state', grace.id, `enquiry:${reference}`, { state: 'closed' }],
  ]);

  await eraseEnquiry(database.db, reference);
  expect(await database.db.selectFrom('enquiry_acts').selectAll().execute()).toEqual([]);
  expect(await act(answer('Still there?'), { reference, staff: ada })).toEqual({ ok: false, reason: 'missing' });
});

/** The last answer of an enquiry is taken back by its mail. */
async function takeBack(reference: string, staff: { actor: StaffActor }) {
  const [mail] = await database.db.selectFrom('mails').select('id').orderBy('queued_at', 'desc').limit(1).execute();
  return database.db
    .transaction()
    .execute((trx) => takeBackAnswer(trx, { reference, mailId: mail?.id ?? '', actor: staff.actor, at }));
}

test('P101: an answer waits a minute and is taken back once; the message waits again, and the text is kept', async () => {
  const { db } = database;
  const reference = await enquire();
  const { id } = await db.selectFrom('enquiries').select('id').executeTakeFirstOrThrow();
  await act(answer('Yes.'), { reference, staff: ada });
  const { rows } = await sql<{ seconds: number }>`select extract(epoch from start_after - created_on)::int as seconds
    from pgboss.job where name = 'mail' and data->>'mailId' = (select id::text from mails)`.execute(db);
  expect(rows).toEqual([{ seconds: 60 }]);
  const about = { kind: 'enquiry', id } as const;
  expect(await canBeTakenBack(db, about)).toMatchObject([{ to: ['mary@example.org'] }]);

  const both = await Promise.all([takeBack(reference, ada), takeBack(reference, grace)]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(both).toContainEqual({ ok: false, reason: 'too-late' });
  expect(await canBeTakenBack(db, about)).toEqual([]);
  expect(await sentMails()).toMatchObject([{ state: 'dropped', reason: expect.stringContaining('Taken back by') }]);
  expect(await findEnquiryForStaff(db, anOwner, reference)).toMatchObject({
    state: 'new',
    acts: [{ kind: 'taken-back', body: 'Yes.', state: null }],
  });
  // Nobody who saw the answer stand answers on top of it without a word.
  expect(await act(answer('As I said.'), { reference, staff: grace })).toMatchObject({ kind: 'taken-back' });
});

test('P101: an answer whose sending began cannot be taken back; a message that it closed is open again when it is', async () => {
  const { db } = database;
  const first = await enquire();
  await act(answer('Yes.'), { reference: first, staff: ada });
  const [mail] = await sentMails();
  const sending = { mailId: mail?.id ?? '', domain: 'x.example', links: mailLinks() };
  expect((await beginAttempt(db, sending, at)).go).toBe(true);
  expect(await takeBack(first, ada)).toEqual({ ok: false, reason: 'too-late' });
  expect(await findEnquiryForStaff(db, anOwner, first)).toMatchObject({ state: 'answered' });

  await db.deleteFrom('mails').execute();
  const second = await enquire({ message: 'And on Monday?' });
  await act(answer('Yes.'), { reference: second, staff: ada });
  const seen = (await findEnquiryForStaff(db, anOwner, second))?.acts.at(-1)?.id ?? 0;
  await act({ kind: 'state', state: 'closed' }, { reference: second, staff: grace, seen });
  expect(await takeBack(second, ada)).toEqual({ ok: true });
  // Nobody has answered the visitor: closed, it would be in nobody's list.
  expect(await findEnquiryForStaff(db, anOwner, second)).toMatchObject({ state: 'new' });

  await db.deleteFrom('mails').execute();
  const third = await enquire({ message: 'And on Tuesday?' });
  await act(answer('Yes.'), { reference: third, staff: ada });
  const after = (await findEnquiryForStaff(db, anOwner, third))?.acts.at(-1)?.id ?? 0;
  await act({ kind: 'state', state: 'answered' }, { reference: third, staff: grace, seen: after });
  expect(await takeBack(third, ada)).toEqual({ ok: true });
  // Grace answered by other means.
  expect(await findEnquiryForStaff(db, anOwner, third)).toMatchObject({ state: 'answered' });
});

test('the inbox is searched by the beginnings of words, filtered and paged', async () => {
  const { db } = database;
  const find = async (query: string) => {
    const { page } = await listInbox(db, anOwner, inbox.viewOf(new URLSearchParams(query)));
    return page.map(({ first_name }) => first_name);
  };
  const first = await enquire({
    firstName: 'Zoë',
    email: 'zoe.o-neil@uni.example',
    message: 'Prices, please: “CISSP–Lyrebird”?',
  });
  await enquire({ firstName: 'Bob' });
  await act(answer('Yes.'), { reference: first, staff: ada });
  for (const search of [
    'zoë',
    'ZOË shel',
    'zoe.o-neil@uni.example',
    'uni.ex',
    first,
    first.slice(3),
    'cis pri',
    'zoe lyrebird',
    '7010',
  ]) {
    expect(await find(`search=${encodeURIComponent(search)}`), search).toContain('Zoë');
  }
  for (const search of ['oë', 'zoë bob', "'", '%', 'a & b | !c:*', '\\', 'zo ë']) {
    const found = await find(`search=${encodeURIComponent(search)}`);
    expect(found.length === 0 || found.length === 2, search).toBe(true);
  }
  expect(await find('search=bo&state=new&kind=contact')).toEqual(['Bob']);
  expect(await find('state=answered')).toEqual(['Zoë']);
  expect(await find('kind=tour')).toEqual([]);
  expect(await find('state=odd&kind=odd&before=-1')).toEqual(['Bob', 'Zoë']);
  expect(await countEnquiries(db, ada.actor, at)).toBe(1);

  for (let at = 0; at < 50; at++) await enquire({ firstName: `No ${at}` });
  const newest = await listInbox(db, anOwner, inbox.viewOf(new URLSearchParams()));
  expect([newest.page.length, newest.page[0]?.first_name]).toEqual([50, 'No 49']);
  expect(await find(`before=${newest.older}`)).toEqual(['Bob', 'Zoë']);

  // A search for common words reads few enquiries at a time; its pages follow each other to the last.
  const found: string[] = [];
  let before: number | null = null;
  let pages = 0;
  do {
    const view = { values: { state: null, kind: null }, search: 'no', before };
    const { page, older } = await listInbox(db, anOwner, view, { walked: 7, sorted: -1 });
    found.push(...page.map(({ first_name }) => first_name));
    before = older;
    pages += 1;
  } while (before !== null && pages < 20);
  expect(found).toEqual(Array.from({ length: 50 }, (_, at) => `No ${49 - at}`));
  expect(pages).toBe(8);
});
