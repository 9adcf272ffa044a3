import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { followUpRequests } from '#app/features/companies/employer-answers.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate } from '#tests/support/enrolments.ts';
import { customer, employee, offerLinkOf } from '#tests/support/quotes.ts';
import { signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
const opening = new Date('2025-09-08T09:00:00+10:00');
const date = { query: '', way: {} };
let numbers = 0;
const somebody = () => customer(academy, `198.51.100.${++numbers}`);
/** Two people who have had no email yet. */
const newPair = () => {
  const number = ++numbers;
  return { email: `ada@office${number}.example`, approverEmail: `grace@office${number}.example` };
};

beforeAll(async () => {
  academy = await openAcademyApp();
  const { id } = await makeCourseDate(academy.database.db, { startsOn: '2025-11-03', capacity: 200 });
  const known = () => academy.services.snapshot.current().courseDates.find((one) => one.id === id);
  await until(() => known() !== undefined);
  date.query = `courseDate=${known()?.slug}`;
  date.way = { 'way-cissp': `course-date:${known()?.slug}` };
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(opening));

const mailsTo = (recipient: string) =>
  academy.database.db
    .selectFrom('mails')
    .select(['kind', 'body_text', 'subject'])
    .where('recipient', '=', recipient)
    .orderBy('queued_at')
    .execute();
const kindsTo = async (recipient: string) => (await mailsTo(recipient)).map(({ kind }) => kind);

/** Asks with the code of the asker; returns the answer to it. */
async function asked(pair: { email: string; approverEmail: string }, fields: Record<string, string> = {}) {
  const { askEmployer, post, code, placeOf } = somebody();
  const codePage = placeOf(await askEmployer(date.query, { ...date.way, ...pair, ...fields }));
  return post(codePage.split('?')[0] ?? '', { intent: 'make', code: await code(pair.email) });
}
const pageOf = (response: Response) => response.headers.get('Location') ?? '';

test('P113: nothing goes to the employer before the address of whoever asks is proved', async () => {
  const pair = newPair();
  const { askEmployer, post, placeOf } = somebody();
  const codePage = placeOf(await askEmployer(date.query, { ...date.way, ...pair }));
  expect((await post(codePage, { intent: 'make', code: '000000' })).status).toBe(400);
  expect(await kindsTo(pair.approverEmail)).toEqual([]);
});

test('P113: the employer gets one email, and reads the three lines above the price', async () => {
  const pair = newPair();
  const own = pageOf(await asked(pair));
  expect(own).toMatch(/^\/employer\/[0-9a-f]{48}$/);
  const [mail, ...others] = await mailsTo(pair.approverEmail);
  expect([mail?.kind, others]).toEqual(['employer-asked', []]);
  expect(mail?.body_text).not.toContain(employee.purpose);
  const text = await somebody().read(await offerLinkOf(academy, pair.approverEmail));
  expect(text.indexOf(employee.purpose)).toBeGreaterThan(0);
  expect(text.indexOf(employee.purpose)).toBeLessThan(text.indexOf('Total incl. GST'));
  for (const line of [employee.deadline, employee.audience]) expect(text).toContain(line);
  expect(await somebody().read(own)).toContain('Your request is open');
});

test('P113: accepting makes the employer the buyer and whoever asked the attendee, and no name is typed again', async () => {
  const pair = newPair();
  const own = pageOf(await asked(pair));
  const { accept, read } = somebody();
  const offer = await offerLinkOf(academy, pair.approverEmail);
  expect(await read(offer)).toContain('Attends: Ada Byron');
  expect((await accept(offer, pair.approverEmail)).status).toBe(303);
  const enrolment = await academy.database.db
    .selectFrom('enrolments')
    .innerJoin('attendees', 'enrolment_id', 'enrolments.id')
    .select(['buyer_name', 'attendees.name', 'attendees.email'])
    .where('enrolments.email', '=', pair.approverEmail)
    .execute();
  expect(enrolment).toEqual([{ buyer_name: 'Grace Hopper', name: 'Ada Byron', email: pair.email }]);
  expect(await read(own)).toContain('Your employer accepted');
});

test('P113: a question goes to whoever asked, and is an enquiry; sent twice it is one', async () => {
  const pair = newPair();
  const own = pageOf(await asked(pair));
  const { post, read } = somebody();
  const offer = await offerLinkOf(academy, pair.approverEmail);
  for (const _ of [1, 2])
    expect((await post(offer, { intent: 'question', question: 'Who covers you?' })).status).toBe(303);
  expect((await mailsTo(pair.email)).at(-1)?.body_text).toContain('Who covers you?');
  expect((await kindsTo(pair.email)).filter((kind) => kind === 'employer-answered')).toHaveLength(1);
  const enquiries = academy.database.db
    .selectFrom('enquiries')
    .select('message')
    .where('email', '=', pair.approverEmail);
  expect(await enquiries.execute()).toEqual([{ message: 'Who covers you?' }]);
  expect(await read(own)).toContain('Who covers you?');
});

test('P113: declining gives whoever asked the words', async () => {
  const pair = newPair();
  const own = pageOf(await asked(pair));
  const offer = await offerLinkOf(academy, pair.approverEmail);
  expect((await somebody().post(offer, { intent: 'decline', words: 'Next year.' })).status).toBe(303);
  expect((await mailsTo(pair.email)).at(-1)?.body_text).toContain('Next year.');
  expect(await somebody().read(own)).toContain('Your employer declined');
});

test('P113: one asks the same employer once in thirty days, and an employer gets three a day from all', async () => {
  const { approverEmail } = newPair();
  const from = () => ({ ...newPair(), approverEmail });
  const first = from();
  expect((await asked(first)).status).toBe(303);
  const again = await asked(first);
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining('you have asked this person already'),
  ]);
  expect((await asked(from())).status).toBe(303);
  expect((await asked(from())).status).toBe(303);
  expect((await asked(from())).status).toBe(409);
  expect(await kindsTo(approverEmail)).toEqual(['employer-asked', 'employer-asked', 'employer-asked']);
});

test('P113, P24: names and lines that can be followed are refused, and the text is kept', async () => {
  const { askEmployer } = somebody();
  const spam = {
    buyerName: 'Win at prize.com',
    purpose: 'Read https://x.example now',
    approverName: 'Call 0400 000 000',
  };
  const refused = await askEmployer(date.query, { ...date.way, ...newPair(), ...spam });
  const text = await refused.text();
  expect(refused.status).toBe(400);
  expect(text.match(/id="(buyerName|purpose|approverName)-error"/g)).toHaveLength(3);
  expect(text).toContain('Read https://x.example now');
});

test('P113: nobody asks their own address', async () => {
  const { email } = newPair();
  const refused = await somebody().askEmployer(date.query, { ...date.way, email, approverEmail: email });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('This is your own address')]);
});

test('P113: thirty days after the course both get the lines with one question, and may answer it', async () => {
  const pair = newPair();
  const own = pageOf(await asked(pair));
  const { accept, post, read } = somebody();
  const offer = await offerLinkOf(academy, pair.approverEmail);
  await accept(offer, pair.approverEmail);
  const on = (day: string) => {
    academy.setNow(new Date(`${day}T09:00:00+10:00`));
    return followUpRequests(academy.database.db, momentOf(academy.services.academy));
  };
  await on('2025-12-06');
  expect(await kindsTo(pair.email)).not.toContain('course-follow-up');
  await on('2025-12-07');
  for (const to of [pair.email, pair.approverEmail]) {
    const mail = (await mailsTo(to)).find(({ kind }) => kind === 'course-follow-up');
    expect(mail?.body_text).toContain(employee.purpose);
  }
  expect(await on('2025-12-08')).toBe(0);
  expect((await post(own, { intent: 'follow-up', answer: 'We patch weekly.' })).status).toBe(303);
  expect((await post(offer, { intent: 'follow-up', answer: 'Fewer calls at night.' })).status).toBe(303);
  expect(await read(own)).toContain('Thank you: we have your answer');
  const request = academy.database.db.selectFrom('employer_requests').select(['asker_answer', 'employer_answer']);
  expect(await request.where('email', '=', pair.email).executeTakeFirst()).toEqual({
    asker_answer: 'We patch weekly.',
    employer_answer: 'Fewer calls at night.',
  });
});

test('P113: a decline that staff enter is mailed to whoever asked, with its words', async () => {
  const pair = newPair();
  await asked(pair);
  const { db } = academy.database;
  const { id } = await db
    .selectFrom('offers')
    .select('id')
    .where('email', '=', pair.approverEmail)
    .executeTakeFirstOrThrow();
  const ada = await signInStaff(academy, `ada${++numbers}@example.com`, 'Ada Byron');
  const answer = await ada.post(`/staff/offers/${id}`, {
    ...{ form: crypto.randomUUID(), seen: '0', act: 'decline', answer: 'By phone: next year.' },
  });
  expect(answer.status).toBe(303);
  expect((await mailsTo(pair.email)).at(-1)?.body_text).toContain('By phone: next year.');
});
