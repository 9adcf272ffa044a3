import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobOfRuns } from '#app/features/runs/acts.ts';
import { doRuns } from '#app/features/runs/jobs.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeSession, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

// Messages to a course date (P80). The clock stands at 8 September 2025, 9:00.
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

async function dateOf(names: readonly string[]) {
  const { db } = academy.database;
  const session = await makeSession(db, { startsOn: '2025-11-24' });
  const attendees = names.map((name) => attendee({ name, email: `${name.split(' ')[0]?.toLowerCase()}@example.org` }));
  await placeIn(db, session, { attendees });
  const { slug } = await db
    .selectFrom('training_sessions')
    .select('slug')
    .where('id', '=', session.id)
    .executeTakeFirstOrThrow();
  return { session, path: `/staff/sessions/${slug}/message` };
}
const formOf = async (path: string) => sentForm(await (await ada.get(path)).text(), 'message-form');
const said = { subject: 'Bring a laptop, {first name}', body: 'Hello {first name},\n\nsee https://maps.example/x' };

test('P80: the page shows how it reads for three of them; sent, it waits a minute and can be taken back', async () => {
  const { path } = await dateOf(['Mary Shelley', 'Percy Shelley', 'Claire Clairmont', 'John Polidori']);
  const shown = await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' });
  const html = (await shown.text()).replaceAll('<!-- -->', '');
  expect(shown.status).toBe(200);
  for (const part of [
    '4 people get it',
    'Bring a laptop, Mary',
    'Bring a laptop, Percy',
    'Bring a laptop, Claire',
    'Send it to 4',
  ]) {
    expect(html.includes(part), part).toBe(true);
  }
  expect(html.includes('Bring a laptop, John')).toBe(false);
  const fields = { ...sentForm(html, 'message-form'), act: 'send' };
  const sent = await ada.post(path, fields);
  const run = sent.headers.get('Location') ?? '';
  expect([sent.status, /^\/staff\/runs\/\d+$/.test(run)]).toEqual([303, true]);
  // Pressed twice, it is one message.
  expect((await ada.post(path, fields)).status).toBe(303);
  const runs = await academy.database.db.selectFrom('bulk_runs').select('id').execute();
  expect(runs).toHaveLength(1);
  const page = (await (await ada.get(run)).text()).replaceAll('<!-- -->', '');
  for (const part of ['Nothing has been sent yet', '0 of 4 sent, 0 left out, 4 to go', 'Take it back', '<progress']) {
    expect(page.includes(part), part).toBe(true);
  }
  expect((await ada.post(run, { ...sentForm(page, 'stop-form') })).status).toBe(303);
  const after = (await (await ada.get(run)).text()).replaceAll('<!-- -->', '');
  expect(after.includes('Nothing was sent. 4 were not sent.')).toBe(true);
  for (const part of ['began it', 'stopped it']) expect(after.includes(part), part).toBe(true);
  const file = await (await ada.get(`${run}/result.csv`)).text();
  expect(file.match(/"not sent"/g)).toHaveLength(4);
  // P69, P78: names and addresses leave by those who work with lists, and the trace says so.
  const taken = await academy.database.db
    .selectFrom('audit_entries')
    .select(['person_id', 'details'])
    .where('subject', '=', 'list:run')
    .execute();
  expect(taken).toEqual([{ person_id: ada.id, details: { rows: 4, filters: `run=${run.split('/').at(-1)}` } }]);
  const reader = await signInStaff(academy, 'ray@example.com', 'Ray', { role: 'reader' });
  expect((await (await reader.get(run)).text()).includes('result.csv')).toBe(false);
  expect((await reader.get(`${run}/result.csv`)).status).toBe(403);
});

/** A message to everybody of a date, sent; returns the address of its run. */
async function sentTo(names: readonly string[]) {
  const { path } = await dateOf(names);
  const shown = await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' });
  const sent = await ada.post(path, { ...sentForm(await shown.text(), 'message-form'), act: 'send' });
  return sent.headers.get('Location') ?? '';
}

test('P79: the page and the file of a run say which emails went out, which wait and which did not arrive', async () => {
  const { db } = academy.database;
  const run = await sentTo(['Ann Radcliffe', 'Jane Austen']);
  const text = async () => (await (await ada.get(run)).text()).replaceAll('<!-- -->', '');
  await doRuns(db, momentAt('2025-09-08T09:02'));
  const waits = await text();
  for (const part of ['0 of 2 sent, 2 waiting, 0 left out', 'some have not gone out yet']) {
    expect(waits.includes(part), part).toBe(true);
  }
  const settled = { settled_at: momentAt('2025-09-08T09:03').now };
  const mailTo = (address: string) => db.updateTable('mails').where('recipient', '=', address);
  await mailTo('ann@example.org')
    .set({ ...settled, state: 'sent' })
    .execute();
  await mailTo('jane@example.org')
    .set({ ...settled, state: 'failed', reason: '550 no such user' })
    .execute();
  const over = await text();
  for (const part of ['It is finished.', '1 of 2 sent, 1 did not arrive, 0 left out', 'href="/staff/mail"']) {
    expect(over.includes(part), part).toBe(true);
  }
  const file = await (await ada.get(`${run}/result.csv`)).text();
  expect(file).toMatch(/"ann@example.org","sent"/);
  expect(file).toMatch(/"jane@example.org","did not arrive"/);
});

test('P79: what was stopped can be sent to those who are left, and a second look names the message that waits', async () => {
  const run = await sentTo(['Fanny Burney', 'Maria Edgeworth']);
  const page = await (await ada.get(run)).text();
  expect(page).not.toContain('continue-form');
  expect((await ada.post(run, sentForm(page, 'stop-form'))).status).toBe(303);
  const stopped = await (await ada.get(run)).text();
  expect(stopped).toContain('Send to the 2 left');
  expect(stopped).toContain('0 done, 2 not done');
  expect((await ada.post(run, sentForm(stopped, 'continue-form'))).status).toBe(303);
  const waits = (await (await ada.get(run)).text()).replaceAll('<!-- -->', '');
  for (const part of ['Nothing has been sent yet.', 'continued it']) expect(waits.includes(part), part).toBe(true);
  const { slug } = await academy.database.db
    .selectFrom('bulk_runs')
    .innerJoin('training_sessions', 'training_sessions.id', 'training_session_id')
    .select('slug')
    .orderBy('bulk_runs.id', 'desc')
    .executeTakeFirstOrThrow();
  const path = `/staff/sessions/${slug}/message`;
  const shown = await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' });
  const again = (await shown.text()).replaceAll('<!-- -->', '');
  expect(again).toContain('2 of these are in an act of Ada Byron that begins on ');
  expect(again).toContain(`href="${run}"`);
});

test('P79: the page of a run names 200 of those left out, and says how many more there are', async () => {
  const { db } = academy.database;
  const run = await sentTo(['Sarah Fielding']);
  const left = { state: 'left-out', why: 'gone', settled_at: momentAt('2025-09-08T09:01').now } as const;
  const items = Array.from({ length: 205 }, (_, at) => ({
    ...left,
    ...{ run_id: Number(run.split('/').at(-1)), about_kind: 'attendee' as const, about_id: 900_000 + at },
  }));
  await db.insertInto('bulk_run_items').values(items).execute();
  const page = (await (await ada.get(run)).text()).replaceAll('<!-- -->', '');
  expect(page).toContain('205 left out</h2>');
  expect(page).toContain('and 5 more');
});

test('P79: an email that the program withdrew is not one that did not arrive: page and file say so, with the reason', async () => {
  const { db } = academy.database;
  const run = await sentTo(['Anne Bronte', 'Mary Sidney']);
  await doRuns(db, momentAt('2025-09-08T09:02'));
  const reason = 'The course date was moved after this was written';
  const settled = { settled_at: momentAt('2025-09-08T09:03').now };
  await db
    .updateTable('mails')
    .set({ ...settled, state: 'dropped', reason })
    .where('recipient', '=', 'anne@example.org')
    .execute();
  const page = (await (await ada.get(run)).text()).replaceAll('<!-- -->', '');
  for (const part of ['0 of 2 sent, 1 waiting, 1 withdrawn, 0 left out', '1 withdrawn</h2>', reason]) {
    expect(page.includes(part), part).toBe(true);
  }
  expect(page.includes('href="/staff/mail">Emails that')).toBe(false);
  const file = await (await ada.get(`${run}/result.csv`)).text();
  expect(file).toMatch(/"anne@example.org","withdrawn","The course date was moved after this was written"/);
});

test('P79: a row that failed leads to its run, and the page does not promise that the program tries again', async () => {
  const { db } = academy.database;
  const run = await sentTo(['Emily Bronte']);
  const { id } = await db.selectFrom('bulk_run_items').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const [first_at, last_at] = [momentAt('2025-09-08T09:02').now, momentAt('2025-09-08T09:03').now];
  const fault = { job: jobOfRuns, item: `run-item:${id}`, message: 'value too long', first_at, last_at };
  await db.insertInto('job_faults').values(fault).execute();
  const page = await (await ada.get('/staff/faults')).text();
  expect(page).toContain(`href="${run}"`);
  expect(page).toContain('do it by hand for this person');
  expect(page).not.toContain('The program tries again automatically');
});

test('P80: as many people, but not the same ones as the page showed, are refused', async () => {
  const { session, path } = await dateOf(['Mary Shelley', 'Percy Shelley']);
  const shown = await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' });
  const fields = { ...sentForm(await shown.text(), 'message-form'), act: 'send' };
  const { db } = academy.database;
  const elsewhere = await makeSession(db, { startsOn: '2025-12-01' });
  await db
    .updateTable('places')
    .set({ training_session_id: elsewhere.id })
    .where('training_session_id', '=', session.id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('attendees')
          .select('attendees.id')
          .whereRef('attendees.id', '=', 'attendee_id')
          .where('email', '=', 'percy@example.org'),
      ),
    )
    .execute();
  await placeIn(db, session, { attendees: [attendee({ name: 'Claire Clairmont', email: 'claire@example.org' })] });
  const refused = await ada.post(path, fields);
  expect([refused.status, (await refused.text()).includes('Other people would get it now.')]).toEqual([409, true]);
});

test('P80: unknown fields, links of other kinds and a time that is over are refused, and what was typed stays', async () => {
  const { path } = await dateOf(['Mary Shelley']);
  const form = await formOf(path);
  const wrong: Record<string, string>[] = [
    { body: 'Hello {surname}' },
    { body: 'See ftp://files.example/x' },
    { day: '2025-09-07', time: '09:00' },
    { attendees: '' },
  ];
  for (const fields of wrong) {
    const answer = await ada.post(path, { ...form, ...said, ...fields, act: 'send' });
    expect(answer.status, JSON.stringify(fields)).toBeGreaterThanOrEqual(400);
    expect((await answer.text()).includes('Bring a laptop, {first name}')).toBe(true);
  }
});

test('P80: a test goes to the author, without anybody’s private link', async () => {
  const { path } = await dateOf(['Mary Shelley']);
  const answer = await ada.post(path, { ...(await formOf(path)), ...said, act: 'test' });
  expect((await answer.text()).includes('We sent a test to ada@example.com.')).toBe(true);
  const mail = await academy.database.db
    .selectFrom('mails')
    .select(['recipient', 'subject', 'links'])
    .where('kind', '=', 'session-message-test')
    .executeTakeFirstOrThrow();
  expect(mail).toEqual({ recipient: 'ada@example.com', subject: 'Test: Bring a laptop, Ada', links: [] });
});

test('P68: a person who lost the role while writing gets a 403 with what they typed', async () => {
  const { path } = await dateOf(['Mary Shelley']);
  const form = { ...(await formOf(path)), ...said, expects: '1', act: 'send' };
  const reader = await signInStaff(academy, 'rita@example.com', 'Rita', { role: 'reader' });
  const answer = await reader.post(path, form);
  expect(answer.status).toBe(403);
  expect((await answer.text()).includes('Bring a laptop, {first name}')).toBe(true);
});

test('P79, P80: boxes on the list of course dates lead to one message, which names the date that was ticked', async () => {
  const slugs: string[] = [];
  for (const names of [['Ada Lovelace'], ['Grace Hopper', 'Hedy Lamarr']]) {
    slugs.push(/sessions\/([^/]+)/.exec((await dateOf(names)).path)?.[1] ?? '');
  }
  const list = await (await ada.get('/staff/sessions')).text();
  expect(slugs.every((slug) => list.includes(`value="${slug}"`))).toBe(true);
  const path = `/staff/sessions/write?${slugs.map((slug) => `row=${slug}`).join('&')}`;
  expect((await (await ada.get(path)).text()).includes('2 course dates')).toBe(true);
  const shown = await ada.post(path, { ...(await formOf(path)), ...said, act: 'preview' });
  const html = (await shown.text()).replaceAll('<!-- -->', '');
  for (const part of ['3 people get it', 'Send it to 3', 'Bring a laptop, Ada', 'Bring a laptop, Grace']) {
    expect(html.includes(part), part).toBe(true);
  }
  // Ticked off meanwhile: other people than the page showed.
  const fields = { ...sentForm(html, 'message-form'), act: 'send' };
  expect((await ada.post(`/staff/sessions/write?row=${slugs[0]}`, fields)).status).toBe(409);
  const sent = await ada.post(path, fields);
  expect(sent.status).toBe(303);
  const run = sent.headers.get('Location') ?? '';
  const page = (await (await ada.get(run)).text()).replaceAll('<!-- -->', '');
  for (const part of ['0 of 1 email<', '0 of 2 emails<', `/staff/sessions/${slugs[1]}`])
    expect(page.includes(part), part).toBe(true);
  const file = await (await ada.get(`${run}/result.csv`)).text();
  expect(file.split('\r\n').filter((line) => line.includes(slugs[1] ?? '-'))).toHaveLength(2);
});

test('P80: no date ticked is said; a reader sees no boxes', async () => {
  const text = async (path: string) => (await ada.get(path)).text();
  expect(await text('/staff/sessions/write')).toContain('No course date is chosen');
  const reader = await signInStaff(academy, 'rita@example.com', 'Rita', { role: 'reader' });
  expect(await (await reader.get('/staff/sessions')).text()).not.toContain('name="row"');
});
