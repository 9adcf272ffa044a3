import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvFiles } from '#app/routes/staff/lists/list-files.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let ada: SignedIn;
let reader: SignedIn;
const references: string[] = [];
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  reader = await signInStaff(academy, 'reader@example.com', 'Rita Reader', { role: 'reader' });
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03', capacity: 80 });
  for (let at = 0; at < 52; at++) {
    const buyer = {
      name: at === 0 ? '=HYPERLINK("evil")' : `Buyer ${at}`,
      email: `buyer${at}@lists${at}.example`,
      phone: null,
    };
    const attendees = [attendee({ name: at === 1 ? null : `Attendee ${at}` })];
    references.push((await placeIn(db, courseDate, { buyer, attendees })).reference);
  }
});
afterAll(() => academy.close());

const page = async (path: string, by = ada) => (await by.get(path)).text();
/** A link of a page by its text. */
const linkTo = (html: string, text: string) =>
  new RegExp(`<a[^>]*href="([^"]*)"[^>]*>${text}</a>`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null;

test('a list leads on and back, says where it stands, and keeps its filters', async () => {
  const first = await page('/staff/enrolments?state=unpaid');
  expect(first).toContain('1 to 50 of 52');
  expect(linkTo(first, 'Newer')).toBe(null);
  expect(first).toContain(references.at(-1));
  expect(first).not.toContain(references[0]);
  const older = linkTo(first, 'Older') ?? '';
  expect(older).toContain('state=unpaid&after=');
  const second = await page(older);
  expect(second).toContain('51 to 52 of 52');
  expect(second).toContain(references[0]);
  expect(linkTo(second, 'Older')).toBe(null);
  expect(await page(linkTo(second, 'Newer') ?? '')).toContain('1 to 50 of 52');
  // Chips are links that take a filter off.
  const chosen = await page('/staff/enrolments?state=unpaid&course=cissp&columns=number,buyer&sort=starts');
  expect(chosen).toMatch(
    /href="\/staff\/enrolments\?state=unpaid&amp;sort=starts&amp;columns=number%2Cbuyer"[^>]*><span[^>]*>Course</,
  );
  expect(chosen).not.toContain('Invoiced, AU$</a>');
  expect(await page('/staff/enrolments?state=unnamed&sort=starts')).toContain('1 to 1 of 1');
  // Tabs say how many there are.
  expect(chosen).toMatch(/Name missing<span[^>]*>1</);
});

test('an address that makes no sense shows the list as it is', async () => {
  for (const query of [
    "sort=made;drop table&state='or'1",
    'after=1.x&before=2.y',
    'enrolled-from=2025-02-31&course=../x',
    'columns=;',
  ]) {
    const response = await ada.get(`/staff/enrolments?${encodeURI(query)}`);
    expect([response.status, (await response.text()).includes('1 to 50 of 52')], query).toEqual([200, true]);
  }
  expect((await ada.get('/staff/people/999999999999999')).status).toBe(404);
  expect((await ada.get("/staff/people/1'")).status).toBe(404);
});

test('the file has what the list shows, no formulas, and a trace of who exported how much', async () => {
  const response = await ada.get('/staff/enrolments.csv?state=unpaid&columns=number,buyer,owed');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="enrolments-2025-09-08.csv"');
  const [head, ...lines] = new TextDecoder().decode(bytes).trim().split('\r\n');
  expect(head).toBe('"Number","Buyer","Email","Organisation","Owed, AU$","Due"');
  expect(lines.length).toBe(52);
  expect(lines.at(-1)).toBe(`"${references[0]}","'=HYPERLINK(""evil"")","buyer0@lists0.example","",5499,"2025-09-22"`);
  const trace = await academy.database.db
    .selectFrom('audit_entries')
    .select(['person_id', 'subject', 'details'])
    .where('action', '=', 'export-list')
    .execute();
  const details = { rows: 52, filters: 'state=unpaid&columns=number%2Cbuyer%2Cowed' };
  expect(trace).toEqual([{ person_id: ada.id, subject: 'list:enrolments', details }]);
  expect((await reader.get('/staff/enrolments.csv')).status).toBe(403);
  const people = await ada.get('/staff/people.csv?search=buyer7');
  expect((await people.text()).split('\r\n').filter((line) => line.includes('buyer7@lists7.example')).length).toBe(1);
});

const ofLists = Object.keys(csvFiles).filter((name) => csvFiles[name]?.needs === 'lists:export');
test.each(ofLists)('P78: %s.csv needs the permission to take rows of lists', async (list) => {
  expect((await ada.get(`/staff/${list}.csv`)).status).toBe(200);
  expect((await reader.get(`/staff/${list}.csv`)).status).toBe(403);
});

test('a list that does not exist has no file', async () => {
  expect((await ada.get('/staff/constructor.csv')).status).toBe(404);
});

test('a view is saved without words of a search, shown as a tab, renamed and deleted; nobody else sees it', async () => {
  const list = await page('/staff/enrolments?state=choosing&search=secret+name');
  const form = carriedBy(list, 'save');
  const saved = await ada.post('/staff/views', {
    ...form,
    list: 'enrolments',
    query: 'state=choosing&search=secret',
    name: 'Open choices',
  });
  expect([saved.status, saved.headers.get('Location')]).toEqual([303, '/staff/enrolments?state=choosing']);
  expect(await page('/staff/enrolments?state=choosing')).toMatch(/aria-current="page"[^>]*>Open choices/);
  expect(await page('/staff/enrolments', reader)).not.toContain('Open choices');
  const { id } = await academy.database.db.selectFrom('saved_views').select('id').executeTakeFirstOrThrow();
  const act = async (name: string, fields: Record<string, string>) =>
    ada.post('/staff/views', { ...carriedBy(await page('/staff/views'), name), id: String(id), ...fields });
  expect((await act('rename', { name: ' ' })).status).toBe(400);
  expect((await act('rename', { name: 'To choose' })).status).toBe(303);
  expect(await page('/staff/enrolments')).toContain('To choose');
  expect((await reader.get('/staff/views')).status).toBe(403);
  expect((await act('delete', {})).status).toBe(303);
  expect(await page('/staff/enrolments')).not.toContain('To choose');
});

test('a person has everything in one place, and each record leads to its page', async () => {
  const list = await page('/staff/people?search=buyer7@lists');
  const path = /href="(\/staff\/people\/\d+)"/.exec(list)?.[1] ?? '';
  const person = await page(path);
  for (const text of [
    'Buyer 7',
    'buyer7@lists7.example',
    `/staff/enrolments/${references[7]}`,
    'Owes AU$5,499.00 incl. GST',
  ]) {
    expect(person, text).toContain(text);
  }
  expect((await reader.get('/staff/people')).status).toBe(200);
});
