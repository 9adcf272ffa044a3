import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { moveBooking } from '#app/features/inbox/bookings/commands.server.ts';
import { addVisitorMessage, startConversation } from '#app/features/inbox/conversations/commands.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import type { Role } from '#app/features/people/permissions.ts';
import { erasePerson } from '#server/personal-records.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

const at = (text: string) => new Date(`${text}:00+10:00`);

let academy: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(academy, 'grace@example.com', 'Grace Hopper', { role: 'admissions' });
});
beforeEach(async () => {
  for (const table of ['enquiries', 'conversations', 'bookings'] as const) {
    await academy.database.db.deleteFrom(table).execute();
  }
  // A Monday.
  academy.setNow(at('2025-09-08T09:00'));
});
afterAll(() => academy.close());

async function enquire(name: string, came: string, message = 'Is there a seat?'): Promise<string> {
  const person = { firstName: name, lastName: 'Shelley', email: `${name}@example.org`, phone: '', consent: true };
  const sent = { idempotencyKey: crypto.randomUUID(), at: at(came) };
  const enquiry = { ...person, kind: 'contact' as const, message, details: {} };
  return (await recordEnquiry(academy.database.db, enquiry, sent)).reference;
}

async function chat(message: string, came: string): Promise<number> {
  const { db } = academy.database;
  const visitor = { name: 'Percy', email: '', message, about: null };
  const sent = { secret: 'x', idempotencyKey: crypto.randomUUID(), at: at(came) };
  await db.transaction().execute((trx) => startConversation(trx, visitor, sent));
  return (await db.selectFrom('conversations').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;
}

/** No reference is given out twice (P23): each test has its own. */
const book = async (reference: string, starts: string) => {
  const inserted = await academy.database.db
    .insertInto('bookings')
    .values({
      ...{ reference, kind: 'virtual-tour', adviser: 1, name: 'Helen Vass', email: 'h@example.org' },
      ...{ mailbox: 'h@example.org', starts_at: at(starts), ends_at: new Date(at(starts).getTime() + 1_200_000) },
      ...{ occupied: `[${at(starts).toISOString()},${new Date(at(starts).getTime() + 1_800_000).toISOString()})` },
      ...{ created_at: at('2025-09-08T08:00'), changed_at: at('2025-09-08T08:00') },
    })
    .returning('id')
    .executeTakeFirst();
  expect(inserted, `${reference} is taken`).toBeDefined();
};

const read = async (person: SignedIn, query = '') => mainText(await person.get(`/staff/inbox${query}`));
const act = (person: SignedIn, fields: Record<string, string>, query = '') =>
  person.post(`/staff/inbox${query}`, { form: crypto.randomUUID(), seen: '0', ...fields });
const names = (text: string, of: readonly string[]) => of.filter((name) => text.includes(name));
const people = ['Mary Shelley', 'Jane Shelley', 'Percy', 'Helen Vass'];

test('P81: messages, chats and bookings are one list under their promises, the oldest first', async () => {
  await enquire('Mary', '2025-09-04T10:00');
  await enquire('Jane', '2025-09-05T20:00');
  await chat('Can my employer pay?', '2025-09-04T11:00');
  await book('BB-222233', '2025-09-08T10:30');
  await book('BB-222244', '2025-09-11T10:30');
  const text = await read(ada);
  expect(text).toContain('4 open, oldest promise first. 2 late');
  const rows = [
    'Fri 5 Sept late Message Mary Shelley “Is there a seat?”',
    'Fri 5 Sept late Chat Percy “Can my employer pay?”',
    'Today, 10:30 AM Booking Helen Vass Virtual Tour, 20 minutes',
    // It came on a Friday after hours.
    'Today, 6:00 PM Message Jane Shelley “Is there a seat?”',
  ];
  const places = rows.map((row) => text.indexOf(row));
  expect(places, text).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(names(await read(ada, '?kind=conversation'), people)).toEqual(['Percy']);
});

test('P81: when two take a message at once one has it; it is put back and given; filters and count follow', async () => {
  const mary = `enquiry:${await enquire('Mary', '2025-09-05T10:00')}`;
  const percy = `conversation:${await chat('Hello', '2025-09-05T11:00')}`;
  const count = async (person: SignedIn) => /(\d+)\s+waiting/.exec(await barOf(person))?.[1] ?? null;
  expect(await count(ada)).toBe('2');
  const both = await Promise.all([
    act(ada, { act: 'take', item: mary, was: '' }),
    act(grace, { act: 'take', item: mary, was: '' }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  const [holder, other] = both[0]?.status === 303 ? [ada, grace] : [grace, ada];
  const told = await mainText(both.find(({ status }) => status === 409) ?? new Response());
  expect(told).toContain(`${holder === ada ? 'Ada Byron' : 'Grace Hopper'} has it in hand now.`);
  expect(names(await read(holder, '?whose=mine'), people)).toEqual(['Mary Shelley']);
  expect(names(await read(other, '?whose=mine'), people)).toEqual([]);
  expect(names(await read(other, '?whose=nobody'), people)).toEqual(['Percy']);
  expect([await count(holder), await count(other)]).toEqual(['2', '1']);

  const given = await act(holder, { act: 'give', item: mary, was: String(holder.id), to: String(other.id) });
  expect(given.status).toBe(303);
  expect(names(await read(other, '?whose=mine'), people)).toEqual(['Mary Shelley']);
  const enquiryPage = mary.replace('enquiry:', '/staff/enquiries/');
  const lineFor = async (person: SignedIn, path: string) =>
    /\S+(?: \S+)? ha(?:s|ve) it in hand/.exec(await mainText(await person.get(path)))?.[0] ?? null;
  expect(await lineFor(other, enquiryPage)).toBe('. You have it in hand');
  expect(await lineFor(holder, enquiryPage)).toBe(`${other === ada ? 'Ada Byron' : 'Grace Hopper'} has it in hand`);
  await act(other, { act: 'put-back', item: mary, was: String(other.id) });
  expect(await lineFor(other, enquiryPage)).toBeNull();
  expect(names(await read(ada, '?whose=nobody'), people)).toEqual(['Mary Shelley', 'Percy']);

  await ada.post(`/staff/conversations/${percy.replace('conversation:', '')}`, {
    ...{ act: 'answer', answer: 'Yes.', seen: '0', form: crypto.randomUUID() },
  });
  const trace = await academy.database.db
    .selectFrom('audit_entries')
    .select('action')
    .where('subject', '=', mary)
    .orderBy('id')
    .execute();
  expect(trace.map(({ action }) => action)).toEqual(['take', 'give', 'put-back']);
});

test('P81: a person who answers a chat that nobody holds has it in hand when the visitor writes again', async () => {
  const id = await chat('Hello', '2025-09-08T08:00');
  const answer = { act: 'answer', answer: 'Yes.', seen: '0', form: crypto.randomUUID() };
  expect((await grace.post(`/staff/conversations/${id}`, answer)).status).toBe(303);
  expect(names(await read(grace), people)).toEqual([]);
  await visitorWrites(id, 'And on Monday?', '2025-09-08T09:10');
  expect(await mainText(await ada.get(`/staff/conversations/${id}`))).toContain('Grace Hopper has it in hand.');
  expect(names(await read(grace, '?whose=mine'), people)).toEqual(['Percy']);
  expect(await read(ada)).toContain('“And on Monday?” ');
});

test('P81: a message that is put off is away until its time, also over midnight, and back at once when the visitor writes', async () => {
  const mary = `enquiry:${await enquire('Mary', '2025-09-08T08:00')}`;
  const id = await chat('Hello', '2025-09-08T08:30');
  academy.setNow(at('2025-09-08T23:30'));
  expect((await act(ada, { act: 'snooze', item: mary, until: 'hour' })).status).toBe(303);
  expect((await act(ada, { act: 'snooze', item: `conversation:${id}`, until: 'tomorrow' })).status).toBe(303);
  expect(names(await read(ada), people)).toEqual([]);
  const away = await read(ada, '?show=snoozed');
  expect(away).toContain('back Tue, 12:30 AM');
  expect(away).toContain('back Tue, 9:00 AM');
  academy.setNow(at('2025-09-09T00:29'));
  expect(names(await read(ada), people)).toEqual([]);
  academy.setNow(at('2025-09-09T00:30'));
  expect(names(await read(ada), people)).toEqual(['Mary Shelley']);
  await visitorWrites(id, 'Are you there?', '2025-09-09T00:31');
  expect(names(await read(ada), people)).toEqual(['Mary Shelley', 'Percy']);

  const never = await act(ada, { act: 'snooze', item: mary, until: 'day', day: '2025-09-09' });
  expect(never.status).toBe(409);

  await book('BB-222255', '2025-09-09T01:00');
  const refused = await act(ada, { act: 'snooze', item: 'booking:BB-222255', until: 'hour' });
  expect([refused.status, await mainText(refused)]).toEqual([
    409,
    expect.stringContaining('The booking begins before that.'),
  ]);
});

test('P81: finished messages leave the list; a chat whose visitor just wrote, or that a colleague closed, does not', async () => {
  const reference = await enquire('Mary', '2025-09-08T08:00');
  const id = await chat('Hello', '2025-09-08T08:30');
  const seen = await lastMessage(id);
  await visitorWrites(id, 'Wait', '2025-09-08T08:45');
  const tooEarly = await act(ada, { act: 'done', item: `conversation:${id}`, seen });
  expect([tooEarly.status, await mainText(tooEarly)]).toEqual([409, expect.stringContaining('written again')]);
  expect((await act(ada, { act: 'done', item: `conversation:${id}`, seen: await lastMessage(id) })).status).toBe(303);
  expect((await act(ada, { act: 'done', item: `enquiry:${reference}` })).status).toBe(303);
  const again = await act(grace, { act: 'done', item: `enquiry:${reference}` });
  expect([again.status, await mainText(again)]).toEqual([
    409,
    expect.stringContaining('Ada Byron has answered or closed it'),
  ]);
  await book('BB-222266', '2025-09-08T10:30');
  expect((await act(ada, { act: 'done', item: 'booking:BB-222266' })).status).toBe(303);
  expect(names(await read(ada), people)).toEqual([]);
  expect(names(await read(ada, '?show=done'), people)).toEqual(['Mary Shelley', 'Percy', 'Helen Vass']);
});

test('P81: a booking that was put off or done is back when its holder moves it, in the inbox and on the first page', async () => {
  const { db } = academy.database;
  const move = async (reference: string, to: string) => {
    const { id } = await db
      .selectFrom('bookings')
      .select('id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow();
    const settings = { advisers: 3, pause: 10, breaks: [], holidays: new Set<string>() };
    const lengths = { 'career-counseling': 30, 'virtual-tour': 20 };
    const moment = { settings: { ...settings, lengths }, now: at('2025-09-08T09:05') };
    expect(await db.transaction().execute((trx) => moveBooking(trx, id, at(to), moment))).toMatchObject({ ok: true });
  };
  const seen = async () => [names(await read(ada), people), names(await mainText(await ada.get('/staff')), people)];
  const none = [[], []];
  const back = [['Helen Vass'], ['Helen Vass']];

  await book('BB-2222A2', '2025-09-09T15:00');
  await act(ada, { act: 'snooze', item: 'booking:BB-2222A2', until: 'tomorrow' });
  expect(await seen()).toEqual(none);
  await move('BB-2222A2', '2025-09-08T16:00');
  academy.setNow(at('2025-09-08T15:30'));
  expect(await seen()).toEqual(back);
  await act(ada, { act: 'done', item: 'booking:BB-2222A2' });
  expect(await seen()).toEqual(none);

  academy.setNow(at('2025-09-08T09:00'));
  await book('BB-2222A3', '2025-09-08T10:00');
  await act(ada, { act: 'done', item: 'booking:BB-2222A3' });
  expect(await seen()).toEqual(none);
  expect(names(await read(ada, '?show=done'), people)).toEqual(['Helen Vass']);
  await move('BB-2222A3', '2025-09-10T11:00');
  academy.setNow(at('2025-09-10T10:30'));
  expect(await seen()).toEqual(back);
});

test('P81: Today has the same list: Take leads back to it, and mine and nobody’s are told apart', async () => {
  const mary = `enquiry:${await enquire('Mary', '2025-09-05T10:00')}`;
  await enquire('Jane', '2025-09-05T11:00');
  const taken = await act(ada, { act: 'take', item: mary, was: '', from: 'today' });
  expect([taken.status, taken.headers.get('Location')]).toEqual([303, '/staff#needs']);
  const today = async (person: SignedIn, whose: string) =>
    names(await mainText(await person.get(`/staff?whose=${whose}`)), people);
  expect(await today(ada, 'mine')).toEqual(['Mary Shelley']);
  expect(await today(ada, 'nobody')).toEqual(['Jane Shelley']);
  expect(await today(grace, 'mine')).toEqual([]);
  expect(await mainText(await grace.get('/staff'))).toContain('Mary Shelley “Is there a seat?” Ada Byron');
});

test('a reader only reads, an editor and an instructor see nothing, nobody gets a message of others', async () => {
  const mary = `enquiry:${await enquire('Mary', '2025-09-05T10:00')}`;
  const { slug: teachesAs } = await academy.database.db
    .selectFrom('instructors')
    .select('slug')
    .executeTakeFirstOrThrow();
  const signIn = (role: Role, more = {}) =>
    signInStaff(academy, `${role}@example.com`, `Lin ${role}`, { role, ...more });
  const [reader, editor, instructor] = [
    await signIn('reader'),
    await signIn('editor'),
    await signIn('instructor', { teachesAs }),
  ];
  expect(names(await read(reader), people)).toEqual(['Mary Shelley']);
  for (const person of [reader, editor, instructor]) {
    expect((await act(person, { act: 'take', item: mary, was: '' })).status).toBe(403);
  }
  for (const person of [editor, instructor]) expect((await person.get('/staff/inbox')).status).toBe(403);
  const toReader = await act(ada, { act: 'give', item: mary, was: '', to: String(reader.id) });
  expect([toReader.status, await mainText(toReader)]).toEqual([409, expect.stringContaining('does not work with')]);
  for (const item of ['enquiry:BB-222222', 'conversation:999999', 'booking:BB-222222']) {
    expect((await act(ada, { act: 'take', item, was: '' })).status).toBe(404);
  }
  expect((await act(ada, { act: 'take', item: 'payment:1', was: '' })).status).toBe(400);
});

test('with a person who is erased their hold goes; a holder who is no longer staff holds nothing', async () => {
  const { db } = academy.database;
  const mary = `enquiry:${await enquire('Mary', '2025-09-05T10:00')}`;
  await act(grace, { act: 'take', item: mary, was: '' });
  expect(names(await read(ada, '?whose=nobody'), people)).toEqual([]);
  // A reader sees the inbox and cannot answer: what they had in hand would wait for ever.
  await db.updateTable('staff_roles').set({ role: 'reader' }).where('person_id', '=', grace.id).execute();
  expect(names(await read(ada, '?whose=nobody'), people)).toEqual(['Mary Shelley']);
  await db.deleteFrom('staff_roles').where('person_id', '=', grace.id).execute();
  expect(names(await read(ada, '?whose=nobody'), people)).toEqual(['Mary Shelley']);
  await erasePerson(db, 'Mary@example.org', { dataDir: '/nowhere', at: at('2025-09-08T09:00') });
  expect(await db.selectFrom('inbox_holds').select('id').execute()).toEqual([]);
});

async function barOf(person: SignedIn): Promise<string> {
  const html = (await (await person.get('/staff/inbox')).text()).replaceAll('<!-- -->', '');
  return html.slice(0, html.indexOf('<main')).replaceAll(/<[^>]+>/g, ' ');
}

const visitorWrites = (id: number, body: string, when: string) =>
  academy.database.db
    .transaction()
    .execute((trx) => addVisitorMessage(trx, id, { body, idempotencyKey: crypto.randomUUID(), at: at(when) }));

async function lastMessage(id: number): Promise<string> {
  const messages = academy.database.db.selectFrom('conversation_messages').where('conversation_id', '=', id);
  const { last } = await messages.select(({ fn }) => fn.max('id').as('last')).executeTakeFirstOrThrow();
  return String(last);
}

test('P81: the list of messages says since when one is answered and by whom, and when it came', async () => {
  const reference = await enquire('Mary', '2025-09-04T13:36');
  const list = async () => mainText(await ada.get('/staff/enquiries'));
  expect(await list()).toContain('New 4 Sept 2025, 1:36 PM');
  expect(await list()).not.toContain('Came');
  await academy.database.db
    .updateTable('enquiries')
    .set({ state: 'answered', state_by: grace.id, state_at: at('2025-09-05T09:20') })
    .where('reference', '=', reference)
    .execute();
  expect(await list()).toMatch(/Came 4 Sept 2025, 1:36 PM .* Answered 5 Sept 2025, 9:20 AM Grace Hopper/);
});
