import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConversation } from '#app/features/inbox/conversations/commands.server.ts';
import { expireConversationsDaily } from '#app/features/inbox/conversations/erase.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { deleteNote, type NoteAbout, readNotes, writeNote } from '#app/features/people/notes.server.ts';
import { erasePerson, exportPerson } from '#server/personal-records.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { balancesOf, receive } from '#tests/support/money.ts';
import { createSharedDatabase, type SharedDatabase } from '#tests/support/shared-database.ts';
import { makeStaff } from '#tests/support/staff.ts';

let database: SharedDatabase;
beforeAll(async () => {
  database = await createSharedDatabase('academyTemplate');
});
afterAll(() => database.drop());

const now = momentAt('2025-09-08T09:00');

test('P83: notes about an enrolment and its payments are shown to whom they are about, and erased with them', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'ada@example.com', name: 'Ada Byron' }, now.now);
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03' });
  const buyer = { name: 'Petra Manning', email: 'petra@moreton.example', phone: null };
  const { enrolmentId } = await placeIn(db, courseDate, { buyer });
  const { paymentId } = await receive(db, enrolmentId, 1000, now);
  const other = await placeIn(db, courseDate);
  const write = (kind: 'enrolment' | 'payment', id: number, text: string) =>
    db.transaction().execute((trx) => writeNote(trx, { about: { kind, id }, text, actor }, now));
  await receive(db, enrolmentId, (await balancesOf(db, enrolmentId)).computed, now);
  await write('enrolment', enrolmentId, 'Starts a day late.');
  await write('payment', paymentId, 'From her own account.');
  const kept = await write('enrolment', other.enrolmentId, 'Somebody else.');
  expect((await exportPerson(db, buyer.email)).notes).toMatchObject([
    { about: 'enrolment', body: 'Starts a day late.' },
    { about: 'payment', body: 'From her own account.' },
  ]);
  const at = momentAt('2026-02-02T09:00').now;
  await erasePerson(db, buyer.email, { dataDir: '/nowhere', at });
  expect((await db.selectFrom('notes').select('id').execute()).map(({ id }) => id)).toEqual([kept]);
});

test('P83: the same note is deleted once, by its author only, and nothing of it is in the trace', async () => {
  const { db } = database;
  const grace = await makeStaff(db, { email: 'grace@example.com', name: 'Grace Hopper' }, now.now);
  const joan = await makeStaff(db, { email: 'joan@example.com', name: 'Joan Clarke' }, now.now);
  const about = { kind: 'enrolment', id: 1 } as const;
  const wish = { about, text: 'A secret of the caller', actor: grace.actor };
  const id = await db.transaction().execute((trx) => writeNote(trx, wish, now));
  const remove = (actor: typeof grace.actor) =>
    db.transaction().execute((trx) => deleteNote(trx, { about, id, actor }, now));
  expect(await remove(joan.actor)).toBe(false);
  expect((await Promise.all([remove(grace.actor), remove(grace.actor)])).toSorted()).toEqual([false, true]);
  const left = await readNotes(db, about, grace.actor, now.now);
  expect(left.filter((note) => note.id === id)).toEqual([]);
  const trace = await db.selectFrom('audit_entries').selectAll().where('subject', '=', `note:${id}`).execute();
  expect(trace.map(({ action }) => action)).toEqual(['write-note', 'delete-note']);
  expect(JSON.stringify(trace)).not.toContain('secret');
});

test('P81: notes about a person, a message, a chat and a booking are shown to whom they are about, and go with them', async () => {
  const { db } = database;
  const { actor } = await makeStaff(db, { email: 'mary.s@example.com', name: 'Mary Somerville' }, now.now);
  const email = 'percy@moreton.example';
  const sent = () => ({ idempotencyKey: crypto.randomUUID(), at: now.now });
  const person = { firstName: 'Percy', lastName: 'Shelley', email, phone: '', consent: false };
  const enquiry = { ...person, kind: 'contact' as const, message: 'Hello', details: {} };
  await recordEnquiry(db, enquiry, sent());
  const chat = { name: 'Percy', email, message: 'Hello', about: null };
  await db.transaction().execute((trx) => startConversation(trx, chat, { secret: 'x', ...sent() }));
  const at = now.now;
  await db
    .insertInto('bookings')
    .values({
      ...{ reference: 'BB-333322', kind: 'virtual-tour', adviser: 1, name: 'Percy', email, mailbox: email },
      ...{ starts_at: at, ends_at: new Date(at.getTime() + 1_200_000), created_at: at, changed_at: at },
      occupied: `[${at.toISOString()},${new Date(at.getTime() + 1_800_000).toISOString()})`,
    })
    .execute();
  const idIn = async (table: 'enquiries' | 'conversations' | 'bookings' | 'people') =>
    (await db.selectFrom(table).select('id').where('email', '=', email).executeTakeFirstOrThrow()).id;
  const write = (about: NoteAbout, text: string) =>
    db.transaction().execute((trx) => writeNote(trx, { about, text, actor }, now));
  await write({ kind: 'person', id: await idIn('people') }, 'Of the person');
  await write({ kind: 'enquiry', id: await idIn('enquiries') }, 'Of the message');
  await write({ kind: 'conversation', id: await idIn('conversations') }, 'Of the chat');
  await write({ kind: 'booking', id: await idIn('bookings') }, 'Of the booking');
  const bodies = async () => (await exportPerson(db, email)).notes?.map((note) => 'body' in note && note.body);
  expect(await bodies()).toEqual(['Of the person', 'Of the message', 'Of the chat', 'Of the booking']);

  // A chat is deleted when its time is over, and what was noted about it with it.
  await expireConversationsDaily(db, momentAt('2027-10-08T09:00').now);
  expect(await bodies()).toEqual(['Of the person', 'Of the message', 'Of the booking']);
  const notes = () => db.selectFrom('notes').select('body').where('written_by', '=', actor.person.id).execute();
  expect(await notes()).toHaveLength(3);
  await erasePerson(db, email, { dataDir: '/nowhere', at: momentAt('2026-02-02T09:00').now });
  expect(await notes()).toEqual([]);
});
