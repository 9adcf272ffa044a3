import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerFields } from '#app/features/inbox/answer-fields.ts';
import { templateFault } from '#app/features/inbox/bulk-actions/fields.ts';
import { addVisitorMessage, startConversation } from '#app/features/inbox/conversations/commands.server.ts';
import { recordEnquiry } from '#app/features/inbox/enquiries/commands.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

// Answers begin with templates and are taken back; notes stand with everything in the inbox (P101, P81).

let academy: AcademyApp;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  grace = await signInStaff(academy, 'grace@example.com', 'Grace Hopper', { role: 'admissions' });
});
afterAll(() => academy.close());
const db = () => academy.database.db;

async function enquire(name: string, details = {}): Promise<string> {
  const person = { firstName: name, lastName: 'Shelley', email: `${name}@example.org`, phone: '', consent: true };
  const sent = { idempotencyKey: crypto.randomUUID(), at: academy.now() };
  const enquiry = { ...person, kind: 'contact' as const, message: 'Is there a seat?', details };
  return `/staff/enquiries/${(await recordEnquiry(db(), enquiry, sent)).reference}`;
}

async function chat(name: string | null): Promise<number> {
  const visitor = { name: name ?? '', email: '', message: 'Hello', about: 'CISSP Bootcamp' };
  const sent = { secret: 'x', idempotencyKey: crypto.randomUUID(), at: academy.now() };
  await db()
    .transaction()
    .execute((trx) => startConversation(trx, visitor, sent));
  return (await db().selectFrom('conversations').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;
}

const html = async (path: string, person = ada) => (await person.get(path)).text();
/** The form of a page as it stands, with some fields changed. */
const send = async (path: string, id: string, fields: Record<string, string>, person = ada) =>
  person.post(path, { ...sentForm(await html(path, person), id), ...fields });
const act = (path: string, fields: Record<string, string>, person = ada) =>
  person.post(path, { form: crypto.randomUUID(), seen: '0', ...fields });
const templateId = async (name: string) =>
  String(
    (await db().selectFrom('answer_templates').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id,
  );

test('P81: six templates come with the program, and each is one that staff could write', async () => {
  const rows = await db().selectFrom('answer_templates').selectAll().orderBy('id').execute();
  expect(rows).toHaveLength(6);
  for (const { name, body } of rows) expect([name, templateFault(body, answerFields)]).toEqual([name, null]);
  const page = await mainText(await ada.get('/staff/inbox/templates'));
  for (const { name } of rows) expect(page).toContain(name);
});

test('P81: without scripts a template is added below the typed text, filled in; nothing is sent', async () => {
  const path = await enquire('Mary', { aboutLabel: 'CISSP Bootcamp' });
  const template = await templateId('What the course needs');
  const filled = await send(path, 'answer-form', { answer: 'Dear Mary,', template, fill: '1' });
  const page = await filled.text();
  expect(filled.status).toBe(200);
  const { answer = '' } = sentForm(page, 'answer-form');
  expect(answer).toMatch(/^Dear Mary,\r\n\r\nHello Mary,\r\n\r\nThe page of CISSP Bootcamp has a part called/);
  const mails = () => db().selectFrom('mails').select('body_text').where('kind', '=', 'enquiry-answer').execute();
  expect(await mails()).toEqual([]);
  // The form that came back sends what stands in it.
  expect((await ada.post(path, sentForm(page, 'answer-form'))).status).toBe(303);
  expect((await mails())[0]?.body_text).toContain('The page of CISSP Bootcamp has a part called');

  const none = await send(path, 'answer-form', { answer: 'Kept & safe', template: '999999', fill: '1' });
  const text = await none.text();
  expect([none.status, text.includes('Choose a template that is in use.')]).toEqual([400, true]);
  expect(sentForm(text, 'answer-form').answer).toBe('Kept & safe');
});

test('P81: in a chat a template calls a visitor without a name “there”', async () => {
  const path = `/staff/conversations/${await chat(null)}`;
  const filled = await send(path, 'answer-form', { template: await templateId('Your employer pays'), fill: '1' });
  const { answer = '' } = sentForm(await filled.text(), 'answer-form');
  expect(answer.startsWith('Hello there,')).toBe(true);
  expect(answer).toContain('http://localhost:3000/enrol');
});

test('P81: a template is written, changed and retired; a forbidden text is refused and kept', async () => {
  const list = '/staff/inbox/templates';
  const unknown = await act(list, { act: 'write', name: 'Parking', body: 'Hello {surname} & all' });
  const refused = await unknown.text();
  expect(unknown.status).toBe(400);
  expect(refused).toContain('We do not know the field {surname}.');
  expect(refused).toContain('Hello {surname} &amp; all</textarea>');
  expect((await act(list, { act: 'write', name: 'Parking', body: 'Hello {first name}' })).status).toBe(303);
  const again = await act(list, { act: 'write', name: 'PARKING', body: 'x' });
  expect([again.status, (await again.text()).includes('Another template in use has this name.')]).toEqual([409, true]);

  const own = `${list}/${await templateId('Parking')}`;
  const seen = sentForm(await html(own), 'change-form');
  expect((await grace.post(own, { ...seen, body: 'There is none.' })).status).toBe(303);
  const late = await ada.post(own, { ...seen, form: crypto.randomUUID(), body: 'In the basement.' });
  expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('Grace Hopper changed it in the')]);
  expect((await send(own, 'retire-form', {})).status).toBe(303);
  const path = await enquire('Jane');
  expect(await html(path)).not.toContain('>Parking</option>');
  expect((await act(list, { act: 'write', name: 'Parking', body: 'New' })).status).toBe(303);
  const back = await send(own, 'use-again-form', {});
  expect([back.status, (await back.text()).includes('Another template in use has this name.')]).toEqual([409, true]);
  expect((await ada.get(`${list}/999999`)).status).toBe(404);
});

test('P101: an answer is taken back on its page, and its text is in the form again', async () => {
  const path = await enquire('Emily');
  await act(path, { act: 'answer', answer: 'Yes & no.' });
  const sent = await html(path);
  const mail = /name="mail" value="([^"]+)"/.exec(sent)?.[1] ?? '';
  expect(sent).toContain('Emily@example.org');
  // The clock of the academy stands still, that of the 60 seconds does not.
  const until = /You can take it back until (\d+:\d\d:\d\d [AP]M), Brisbane time\./.exec(sent)?.[1];
  expect(until).toMatch(/^9:00:[345]\d AM$|^9:01:00 AM$/);
  const form = crypto.randomUUID();
  const back = () => grace.post(path, { act: 'take-back', mail, form, seen: '0' });
  expect([(await back()).status, (await back()).status]).toEqual([303, 303]);
  const page = await html(path);
  expect(sentForm(page, 'answer-form').answer).toBe('Yes & no.');
  expect(page).not.toContain('name="mail"');
  expect(await mainText(await ada.get(path))).toContain('Grace Hopper took this answer back before it went out');
  const late = await act(path, { act: 'take-back', mail });
  const said = await mainText(late);
  expect([late.status, said]).toEqual([409, expect.stringContaining('It is too late')]);
  // Nothing was typed, and the answer may have gone.
  expect(said).toContain('Nothing was changed');
  for (const untrue of ['Not sent yet', 'still below', 'Nothing was sent']) expect(said, untrue).not.toContain(untrue);
  const other = await act(await enquire('Anne'), { act: 'take-back', mail });
  expect(other.status).toBe(409);
});

test('P81: notes stand with messages, chats, bookings, people and course dates', async () => {
  const enquiry = await enquire('Ellen');
  const { person_id: person } = await db()
    .selectFrom('enquiries')
    .select('person_id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const at = academy.now();
  await db()
    .insertInto('bookings')
    .values({
      ...{ reference: 'BB-444422', kind: 'virtual-tour', adviser: 1, name: 'Helen Vass', email: 'h@example.org' },
      ...{ mailbox: 'h@example.org', starts_at: at, ends_at: new Date(at.getTime() + 1_200_000) },
      occupied: `[${at.toISOString()},${new Date(at.getTime() + 1_800_000).toISOString()})`,
      ...{ created_at: at, changed_at: at, note: 'Is there parking?' },
    })
    .execute();
  const { id } = await makeCourseDate(db(), {});
  const courseDate = await db().selectFrom('course_dates').select('slug').where('id', '=', id).executeTakeFirst();
  const pages = [
    enquiry,
    `/staff/conversations/${await chat('Percy')}`,
    '/staff/bookings/BB-444422',
    `/staff/people/${person}`,
    `/staff/course-dates/${courseDate?.slug}`,
  ];
  for (const page of pages) {
    expect([page, (await act(page, { act: 'note', note: `Note & ${page}` }, grace)).status]).toEqual([page, 303]);
    const text = await html(page);
    expect([page, text.includes(`Note &amp; ${page}`)]).toEqual([page, true]);
    const { id: noteId } = await db().selectFrom('notes').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    const others = await act(page, { act: 'delete-note', noteId: String(noteId) });
    expect([page, others.status]).toEqual([page, 409]);
    const empty = await act(page, { act: 'note', note: ' ' });
    expect([page, empty.status, (await empty.text()).includes('Enter the note.')]).toEqual([page, 400, true]);
    expect((await act(page, { act: 'delete-note', noteId: String(noteId) }, grace)).status).toBe(303);
  }
  expect(await mainText(await ada.get('/staff/bookings/BB-444422'))).toContain('Is there parking?');
  // Who may write notes about a person gives no roles with it.
  const granting = { act: 'give', role: 'owner', name: 'Ellen', email: 'ellen@example.org' };
  for (const how of ['give', 'invite', 'end']) {
    expect([how, (await act(`/staff/people/${person}`, { ...granting, act: how }, grace)).status]).toEqual([how, 403]);
  }
});

test('P81: new arrivals are shown by key, in the open view', async () => {
  const keys = async (query = '') => (await (await ada.get(`/staff/inbox/arrived${query}`)).json()) as string[];
  const before = await keys();
  await enquire('Maria');
  const id = await chat('Clara');
  const added = (await keys()).filter((key) => !before.includes(key));
  expect(added).toEqual([expect.stringMatching(/^enquiry:/), `chat:${id}`].toSorted().toReversed());
  expect((await keys('?kind=conversation')).every((key) => key.startsWith('chat:'))).toBe(true);
  // A row that is shown already is not new because its visitor goes on.
  const message = { body: 'And?', idempotencyKey: crypto.randomUUID(), at: academy.now() };
  await db()
    .transaction()
    .execute((trx) => addVisitorMessage(trx, id, message));
  expect((await keys()).length).toBe(before.length + 2);
});
