import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStanding } from '#app/features/content/drafts.server.ts';
import { exportContent } from '#app/features/content/export.server.ts';
import { kindInAddress, kinds } from '#app/features/content/form/kinds.ts';
import { publishRevision } from '#app/features/content/publish.server.ts';
import { publishScheduled as publish } from '#app/features/content/scheduled.server.ts';
import { mayNow } from '#app/features/people/queries.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { openingDay } from '#tests/support/academy.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { publishChange } from '#tests/support/content-edits.ts';
import { sentForm } from '#tests/support/sent-form.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';
import { torture } from '#tests/support/torture.ts';

let academy: AcademyApp;
let editor: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  editor = await signInStaff(academy, 'mara@example.com', 'Mara Whitlock', { role: 'editor' });
  other = await signInStaff(academy, 'jonas@example.com', 'Jonas Weir', { role: 'editor' });
});
afterAll(() => academy.close());

const idOf = async (kind: string, key: string): Promise<number> => {
  const row = await academy.database.db
    .selectFrom('content_records')
    .select('id')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return row.id;
};
const pageOf = async (kind: string, key: string) =>
  `/staff/content/${kindInAddress(kind as 'course')}/${await idOf(kind, key)}`;
const fieldsAt = async (by: SignedIn, page: string) => sentForm(await (await by.get(page)).text(), 'content-form');
const publicText = async (page: string) => (await academy.request(page)).text();
const visible = (page: string, text: string) =>
  expect.poll(async () => missing(await publicText(page), text)).toEqual([]);
/** The audit entries of a record, with the fields that each changed. */
async function trace(id: number) {
  const { db } = academy.database;
  const entries = await db
    .selectFrom('audit_entries')
    .select(['id', 'action', 'details'])
    .where('subject', '=', `content:${id}`)
    .orderBy('id')
    .execute();
  const changes = await db.selectFrom('audit_changes').selectAll().orderBy('field').execute();
  return entries.map(({ id, action }) => [
    action,
    changes.filter(({ entry_id }) => entry_id === id).map(({ field, before, after }) => [field, before, after]),
  ]);
}

/** Of these texts those that a page does not have. */
const missing = (html: string, ...texts: string[]) => texts.filter((text) => !html.includes(text));

test('P74: the page of a record of every kind sends back the shown values, and then there is nothing to save', async () => {
  const { db } = academy.database;
  for (const kind of Object.keys(kinds)) {
    const { id } = await db
      .selectFrom('content_records')
      .select('id')
      .where('kind', '=', kind)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const page = `/staff/content/${kindInAddress(kind as 'course')}/${id}`;
    const answer = await editor.post(page, { ...(await fieldsAt(editor, page)), act: 'save' });
    expect([kind, answer.status, (await answer.text()).includes('There is nothing to save')]).toEqual([
      kind,
      409,
      true,
    ]);
  }
  expect(await db.selectFrom('content_records').select('key').where('draft', 'is not', null).execute()).toEqual([]);
});

test('P70: a draft is kept beside the published text; publishing shows it to visitors and the trace has both', async () => {
  const page = await pageOf('course', 'cissp');
  const fields = await fieldsAt(editor, page);
  const wanted = { ...fields, 'v.title': 'CISSP Certification, Spring', 'v.shortName': 'CISSP', note: 'For spring' };
  expect((await editor.post(page, { ...wanted, act: 'save' })).status).toBe(303);
  expect(missing(await publicText('/course/cissp'), 'CISSP Certification, Spring')).toHaveLength(1);
  const shown = await (await editor.get(page)).text();
  expect(missing(shown, '2 fields changed')).toEqual([]);
  expect(missing(shown, 'Published text')).toEqual([]);
  expect(
    missing(await (await editor.get('/staff/content/course?state=draft')).text(), 'CISSP Certification, Spring'),
  ).toEqual([]);

  const draft = await fieldsAt(editor, page);
  expect([draft['v.title'], draft.base, draft.onto]).toEqual(['CISSP Certification, Spring', '2', '1']);
  expect((await editor.post(page, { ...draft, act: 'publish' })).status).toBe(303);
  await visible('/course/cissp', 'CISSP Certification, Spring');
  expect(await trace(await idOf('course', 'cissp'))).toEqual([
    [
      'save-draft',
      [
        ['shortName', null, 'CISSP'],
        ['title', expect.any(String), 'CISSP Certification, Spring'],
      ],
    ],
    [
      'publish-content',
      [
        ['shortName', null, 'CISSP'],
        ['title', expect.any(String), 'CISSP Certification, Spring'],
      ],
    ],
  ]);
  expect(missing(await (await editor.get(page)).text(), 'fields changed')).toHaveLength(1);
  const reader = await signInStaff(academy, 'reader@example.com', 'Rita Lane', { role: 'reader' });
  expect(missing(await (await reader.get('/staff/trace?kind=content')).text(), `href="${page}"`)).toEqual([]);
});

test('P71: two people who change different fields are merged; one field changed by both is shown as mine, theirs and before', async () => {
  const page = await pageOf('course', 'cism');
  const [mine, theirs] = [await fieldsAt(editor, page), await fieldsAt(other, page)];
  const hours = mine['v.hours'] ?? '';
  expect((await other.post(page, { ...theirs, 'v.hours': '41', 'v.learners': '5000', act: 'publish' })).status).toBe(
    303,
  );

  // Another field: merged.
  expect((await editor.post(page, { ...mine, 'v.shortName': 'CISM', act: 'save' })).status).toBe(303);
  expect(await fieldsAt(editor, page)).toMatchObject({ 'v.hours': '41', 'v.learners': '5000', 'v.shortName': 'CISM' });

  // The same field: nothing is stored, everything typed comes back, and one has to be chosen.
  const answer = await editor.post(page, { ...mine, 'v.hours': '42', 'v.shortName': 'CISM!', act: 'save' });
  const text = await answer.text();
  expect(answer.status).toBe(409);
  expect(missing(text, 'while you were typing')).toEqual([]);
  for (const part of ['>Mine<', '>Mara Whitlock<', '>Before<', '>42<', `>${hours}<`])
    expect(missing(text, part)).toEqual([]);
  const again = sentForm(text, 'content-form');
  expect(again).toMatchObject({
    'v.hours': '42',
    'v.shortName': 'CISM!',
    'v.learners': '5000',
    'c-fields': 'hours shortName',
  });

  // Whatever else it is refused for, and whatever a button does: the choice stays open.
  for (const [why, status] of [
    [{ 'c.hours': 'theirs', act: 'save' }, 409],
    [{ note: 'x'.repeat(501), act: 'save' }, 400],
    [{ act: 'add:v.curriculum' }, 200],
  ] as const) {
    const refused = await editor.post(page, { ...again, ...why });
    const html = await refused.text();
    expect([refused.status, missing(html, 'while you were typing', '>Before<')]).toEqual([status, []]);
    expect(sentForm(html, 'content-form')).toMatchObject({ 'v.hours': '42', 'c-fields': 'hours shortName' });
  }
  const decided = { ...again, 'c.hours': 'theirs', 'c.shortName': 'mine', 'v.shortName': 'Not taken', act: 'save' };
  expect((await editor.post(page, decided)).status).toBe(303);
  expect(await fieldsAt(editor, page)).toMatchObject({ 'v.hours': '41', 'v.shortName': 'CISM!', 'v.learners': '5000' });
});

test('P71: a field that two people changed can be written again, and a field of a draft taken back', async () => {
  const page = await pageOf('course', 'crisc');
  const published = await fieldsAt(editor, page);
  const [mine, theirs] = [{ ...published }, { ...published }];
  const topics = { 'v.curriculum.0.topics.0.text': 'Theirs comes first' };
  expect((await other.post(page, { ...theirs, ...topics, act: 'save' })).status).toBe(303);
  const own = { ...mine, 'v.curriculum.0.topics.0.text': 'Mine comes first', 'v.shortName': 'CRISC' };
  const both = await (await editor.post(page, { ...own, act: 'save' })).text();
  expect(missing(both, '>Jonas Weir<')).toEqual([]);
  const asked = sentForm(both, 'content-form');
  const worked = await editor.post(page, { ...asked, 'c.curriculum': 'anew', act: 'down:v.curriculum.0.topics.0' });
  const anew = sentForm(await worked.text(), 'content-form');
  expect(anew).toMatchObject({ 'c.curriculum': 'anew', 'v.curriculum.0.topics.1.text': 'Mine comes first' });
  expect((await editor.post(page, { ...anew, act: 'save' })).status).toBe(303);
  const draft = await fieldsAt(editor, page);
  expect(draft).toMatchObject({
    'v.curriculum.0.topics.0.text': published['v.curriculum.0.topics.1.text'],
    'v.curriculum.0.topics.1.text': 'Mine comes first',
    'v.shortName': 'CRISC',
  });

  const back = sentForm(await (await editor.post(page, { ...draft, act: 'back:v.curriculum' })).text(), 'content-form');
  const ofCurriculum = (fields: Record<string, string>) =>
    Object.entries(fields).filter(([name]) => /^[vn]\.curriculum/.test(name));
  expect(ofCurriculum(back)).toEqual(ofCurriculum(published));
  expect(back['v.shortName']).toBe('CRISC');
  expect((await editor.post(page, { ...back, act: 'save' })).status).toBe(303);
  expect(missing(await (await editor.get(page)).text(), '1 field changed')).toEqual([]);
  // With the last field the draft goes.
  const last = sentForm(
    await (await editor.post(page, { ...back, ...(await fieldsAt(editor, page)), act: 'back:v.shortName' })).text(),
    'content-form',
  );
  expect((await editor.post(page, { ...last, act: 'save' })).status).toBe(303);
  expect(missing(await (await editor.get(page)).text(), 'field changed', 'fields changed', 'Take back')).toHaveLength(
    3,
  );
  expect((await trace(await idOf('course', 'crisc'))).at(-1)?.[0]).toBe('throw-draft-away');
});

test('P72: the preview is the real page with the typed text, for this request only', async () => {
  const page = await pageOf('course', 'comptia-security-plus');
  const fields = await fieldsAt(editor, page);
  const before = await publicText('/course/comptia-security-plus');
  const rows = () => academy.database.db.selectFrom('content_revisions').select('number').execute();
  const count = (await rows()).length;
  const typed = { ...fields, 'v.title': 'Security+ <b>laid over</b>', 'v.hours': 'ten', act: 'preview' };
  const answer = await editor.post(`${page}/preview`, typed);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(missing(text, 'Security+ &lt;b&gt;laid over&lt;/b&gt;</h1>')).toEqual([]);
  expect(missing(text, 'Preview of a draft. Nobody else sees it.')).toEqual([]);
  expect(missing(text, 'Hours: must be a number')).toEqual([]);
  expect(missing(text, '<script')).toHaveLength(1);
  expect(answer.headers.get('Cache-Control')).toContain('no-store');
  expect(answer.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'self'");
  expect((await editor.get(page)).headers.get('Content-Security-Policy')).toContain("frame-src 'self'");
  const after = await academy.request('/course/comptia-security-plus');
  expect(after.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  expect((await after.text()) === before).toBe(true);
  expect(await rows()).toHaveLength(count);

  // What the program as a whole would refuse is no preview, and nothing of it stays.
  const broken = await editor.post(`${page}/preview`, { ...fields, 'v.category': 'nowhere', act: 'preview' });
  const refusal = await broken.text();
  expect(missing(refusal, 'There is no preview yet')).toEqual([]);
  // In the frame nothing leads back to the shop.
  expect(refusal).not.toContain('<a ');
  // It looks like ours: the browser takes its styles, in the frame too.
  const [, styles = ''] = /<style>([\s\S]*?)<\/style>/.exec(refusal) ?? [];
  const policy = broken.headers.get('Content-Security-Policy');
  expect(policy).toContain(createHash('sha256').update(styles).digest('base64'));
  expect(policy).toContain("frame-ancestors 'self'");
});

test('P72: a new record is previewed before it is saved, and nothing of it stays', async () => {
  const page = '/staff/content/synonym/new';
  const nothing = await (await editor.get(`${page}/preview`)).text();
  expect(missing(nothing, 'There is no preview yet', 'The page needs these first')).toEqual([]);
  const typed = { 'v.typed': 'parking', 'v.means': 'cissp' };
  const answer = await editor.post(`${page}/preview`, { ...(await fieldsAt(editor, page)), ...typed });
  expect(missing(await answer.text(), 'Preview of a draft', 'CISSP')).toEqual([]);
  const kept = await academy.database.db
    .selectFrom('content_records')
    .select('id')
    .where('key', '=', 'parking')
    .execute();
  expect(kept).toEqual([]);
});

torture('P72: a record is previewed on each public page that shows it, and on no other', async () => {
  const pagesIn = (editorPage: string) =>
    [...editorPage.matchAll(/<option value="(\/[^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
  for (const [kind, key] of [
    ['exam', 'SY0-701'],
    ['public holiday', await firstKey('public holiday')],
    ['site', 'site'],
    ['category', await firstKey('category')],
    ['certification', await firstKey('certification')],
    ['instructor', await firstKey('instructor')],
    ['track', await firstKey('track')],
    ['claim', await firstKey('claim')],
  ] as const) {
    const page = await pageOf(kind, key);
    const pages = pagesIn(await (await editor.get(page)).text());
    // One after the other: a preview holds a connection.
    for (const previewed of pages.length > 0 ? pages : ['']) {
      const answer = await editor.get(`${page}/preview?${new URLSearchParams({ previewed })}`);
      const shown = [answer.status, missing(await answer.text(), 'Preview of a draft', '</footer>')];
      expect(shown, `${kind} ${previewed}`).toEqual([200, []]);
    }
  }
  const site = await pageOf('site', 'site');
  const typed = { ...(await fieldsAt(editor, site)), 'v.phone': '07 5550 0199', act: 'preview' };
  const preview = async (previewed: string) => (await editor.post(`${site}/preview`, { ...typed, previewed })).text();
  expect(missing(await preview('/terms'), '07 5550 0199', 'Terms')).toEqual([]);
  const module = await pageOf('module', await firstKey('module'));
  const draft = { ...(await fieldsAt(editor, module)), 'v.title': 'Reading <i>logs</i>', act: 'preview' };
  const shown = await (await editor.post(`${module}/preview`, { ...draft, 'v.body': '## Reading\n\n*Typed*' })).text();
  expect(missing(shown, 'Preview of a draft', 'Reading &lt;i&gt;logs&lt;/i&gt;', '<em>Typed</em>', 'Hand in')).toEqual(
    [],
  );
  expect((await academy.request('/module-preview')).status).toBe(404);
  // Any other address shows the main page: nobody is led through pages of the program by a field.
  expect(missing(await preview('/staff/people'), '07 5550 0199', 'Send Message')).toEqual([]);
});

test('P72: the preview includes what was published since the draft, as publishing it would', async () => {
  const { db } = academy.database;
  const page = await pageOf('course', 'cissp');
  const fields = await fieldsAt(editor, page);
  expect((await editor.post(page, { ...fields, 'v.title': 'CISSP, drafted', act: 'save' })).status).toBe(303);
  const id = await idOf('course', 'cissp');
  const current = (await readStanding(db, id))?.current;
  if (!current) return expect.unreachable();
  const description = `Q${String(current.value.description).slice(1)}`;
  const wish = { id, base: current.number, author: { person: other.id }, note: null };
  const at = momentOf(academy.services.academy);
  const published = await db
    .transaction()
    .execute((trx) => publishRevision(trx, { ...wish, value: { ...current.value, description } }, at));
  expect(published).toMatchObject({ ok: true });
  const shown = description.slice(0, 20);
  expect(missing(await (await editor.get(`${page}/preview`)).text(), 'CISSP, drafted', shown)).toEqual([]);
  const typed = { ...fields, 'v.title': 'CISSP, typed', act: 'preview' };
  expect(missing(await (await editor.post(`${page}/preview`, typed)).text(), 'CISSP, typed', shown)).toEqual([]);
  expect((await editor.post(page, { ...(await fieldsAt(editor, page)), act: 'discard' })).status).toBe(303);
});

test('P72: faults of the check stop publishing with a link to the field; a draft may have them', async () => {
  const page = await pageOf('quest line', await firstKey('quest line'));
  const fields = await fieldsAt(editor, page);
  const faulty = { ...fields, 'v.role': 'Too short.', 'v.steps.0.course': 'no-such-course' };
  const refused = await editor.post(page, { ...faulty, act: 'publish' });
  const text = await refused.text();
  expect(refused.status).toBe(409);
  expect(missing(text, 'href="#v.role"')).toEqual([]);
  expect(missing(text, 'must have 40 to 110 words')).toEqual([]);
  // Once in the list of faults, not in two lists one below the other.
  expect(text.match(/href="#v\.role"/g)).toHaveLength(1);
  expect(sentForm(text, 'content-form')['v.role']).toBe('Too short.');
  expect((await editor.post(page, { ...faulty, act: 'save' })).status).toBe(303);
  expect(missing(await (await editor.get(page)).text(), 'Publish: 1 fault left')).toEqual([]);

  const draft = await fieldsAt(editor, page);
  expect((await editor.post(page, { ...draft, act: 'discard' })).status).toBe(303);
  expect(await fieldsAt(editor, page)).toMatchObject({ 'v.role': fields['v.role'] });
});

const firstKey = (kind: string) => keyOf(kind, 'asc');
const lastKey = (kind: string) => keyOf(kind, 'desc');
async function keyOf(kind: string, order: 'asc' | 'desc'): Promise<string> {
  const { key } = await academy.database.db
    .selectFrom('content_records')
    .select('key')
    .where('kind', '=', kind)
    .orderBy('id', order)
    .limit(1)
    .executeTakeFirstOrThrow();
  return key;
}

test('P74: without scripts the buttons of a list keep everything that was typed', async () => {
  const page = await pageOf('course', 'togaf-enterprise-architecture');
  const fields = await fieldsAt(editor, page);
  const typed = { ...fields, 'v.title': 'Not saved yet', 'v.curriculum.0.module': 'First of all' };
  const answer = await editor.post(page, { ...typed, act: 'down:v.curriculum.0' });
  expect(answer.status).toBe(200);
  const html = await answer.text();
  // The page goes on at the button that was pressed.
  expect(html).toMatch(/<button[^>]*value="down:v\.curriculum\.1"[^>]*autofocus=""/i);
  const moved = sentForm(html, 'content-form');
  expect(moved).toMatchObject({
    'v.title': 'Not saved yet',
    'v.curriculum.1.module': 'First of all',
    'v.curriculum.0.module': fields['v.curriculum.1.module'],
    base: fields.base,
  });
  expect(await fieldsAt(editor, page)).toMatchObject({ 'v.title': fields['v.title'] });
});

/** The list of a form's parts: where each leads, and what it says. */
function partsIn(html: string): [string, string][] {
  const list = /<nav aria-label="Parts of the form"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';
  return [...list.matchAll(/href="#([a-z-]+)"[^>]*>([\s\S]*?)<\/a>/g)].map(([, id = '', inside = '']) => [
    id,
    inside.replaceAll(/<[^>]*>/g, '').trim(),
  ]);
}

test('P71: a draft that somebody saved since is read before it is published, and nothing typed is lost', async () => {
  const page = await pageOf('course', 'cism');
  const mine = await fieldsAt(editor, page);
  const theirs = await fieldsAt(other, page);
  expect((await other.post(page, { ...theirs, 'v.learners': '4321', act: 'save' })).status).toBe(303);
  const answer = await editor.post(page, { ...mine, 'v.hours': '44', act: 'publish' });
  expect(answer.status).toBe(409);
  const html = await answer.text();
  expect(html).toContain('Somebody kept a draft while you were typing.');
  const together = sentForm(html, 'content-form');
  expect(together).toMatchObject({ 'v.hours': '44', 'v.learners': '4321' });
  const course = async () => (await exportContent(academy.database.db))?.courses.find(({ slug }) => slug === 'cism');
  expect((await course())?.learners).not.toBe(4321);
  expect((await editor.post(page, { ...together, act: 'publish' })).status).toBe(303);
  expect(await course()).toMatchObject({ hours: 44, learners: 4321 });

  // Nor does saving put more into a text that somebody scheduled meanwhile.
  const opened = await fieldsAt(editor, page);
  const scheduled = {
    ...(await fieldsAt(other, page)),
    'v.learners': '4322',
    act: 'schedule',
    day: '2025-10-01',
    time: '09:00',
  };
  expect((await other.post(page, scheduled)).status).toBe(303);
  const saved = await editor.post(page, { ...opened, 'v.hours': '45', act: 'save' });
  expect([saved.status, (await saved.text()).includes('Somebody scheduled another text')]).toEqual([409, true]);
});

test('P74: the settings of the site have a list of parts too', async () => {
  const page = await pageOf('site', await firstKey('site'));
  const fields = await fieldsAt(editor, page);
  const typed = { ...fields, 'v.abn': '', 'v.bookings.pause': 'ten' };
  const html = await (await editor.post(page, { ...typed, act: 'publish' })).text();
  const parts = partsIn(html);
  expect(parts).toEqual([
    ['who-we-are', 'Who we are1 fault'],
    ['address-and-bank', 'Address and bank'],
    ['foot-of-the-page', 'Foot of the page'],
    ['talks-and-tours', 'Talks and tours1 fault'],
    ['course-dates', 'Course dates'],
    ['personal-data', 'Personal data'],
    ['opening', 'Opening'],
  ]);
  for (const [id] of parts) expect(missing(html, `id="${id}"`)).toEqual([]);
});

test('P74: the parts of a course stand in a list, each with its faults', async () => {
  const page = await pageOf('course', 'capm');
  const fields = await fieldsAt(editor, page);
  const typed = {
    ...fields,
    'v.curriculum.0.topics.0.text': 'x'.repeat(161),
    'v.curriculum.1.module': '',
    'v.hours': 'ten',
  };
  const html = await (await editor.post(page, { ...typed, act: 'publish' })).text();
  const parts = partsIn(html);
  expect(parts).toEqual([
    ['what-it-is', 'What it is1 fault'],
    ['curriculum', 'Curriculum2 faults'],
    ['before-and-after', 'Before and after'],
    ['certificate', 'Certificate'],
    ['found-by', 'Found by'],
    ['figures', 'Figures'],
  ]);
  for (const [id] of parts) expect(missing(html, `id="${id}"`)).toEqual([]);
  expect(html).toMatch(/id="v\.curriculum\.0\.topics\.0\.text-fault"/);
});

const publishScheduled = (db: Parameters<typeof publish>[0], moment: Parameters<typeof publish>[1]) =>
  publish(db, moment, mayNow('content:publish'));

test('P73: a scheduled draft goes out once, late after an outage, and the trace says by how much', async () => {
  const { db } = academy.database;
  const page = await pageOf('instructor', await firstKey('instructor'));
  const id = await idOf('instructor', await firstKey('instructor'));
  const fields = await fieldsAt(editor, page);
  const wanted = { ...fields, 'v.expertise': 'Blue teams and night shifts' };
  const past = await editor.post(page, { ...wanted, day: '2025-09-08', time: '08:00', act: 'schedule' });
  expect([past.status, (await past.text()).includes('still ahead')]).toEqual([409, true]);
  expect((await editor.post(page, { ...wanted, day: '2025-09-10', time: '09:00', act: 'schedule' })).status).toBe(303);
  const shown = await (await editor.get(page)).text();
  expect(missing(shown, 'Goes out Wednesday 10 September 2025, 9:00 AM in Brisbane')).toEqual([]);

  // Changed, called off, and scheduled again.
  const change = async (more: Record<string, string>) =>
    editor.post(page, { ...(await fieldsAt(editor, page)), ...more });
  expect((await change({ day: '2025-09-09', time: '12:00', act: 'schedule' })).status).toBe(303);
  expect((await change({ act: 'call-off' })).status).toBe(303);
  expect(missing(await (await editor.get(page)).text(), 'Goes out')).toHaveLength(1);
  expect((await change({ day: '2025-09-09', time: '10:00', act: 'schedule' })).status).toBe(303);

  const moment = momentOf(academy.services.academy);
  expect(await publishScheduled(db, { ...moment, now: new Date('2025-09-08T23:59:59Z') })).toBe(0);
  const late = { ...moment, now: new Date('2025-09-09T00:42:00Z') };
  const both = await Promise.all([publishScheduled(db, late), publishScheduled(db, late)]);
  expect(both.toSorted()).toEqual([0, 1]);
  expect(await publishScheduled(db, late)).toBe(0);
  await visible('/about', 'Blue teams and night shifts');
  const entries = await db
    .selectFrom('audit_entries')
    .select(['action', 'details', 'person_id'])
    .where('subject', '=', `content:${id}`)
    .where('action', '=', 'publish-scheduled')
    .execute();
  expect(entries).toEqual([
    {
      action: 'publish-scheduled',
      details: { revision: expect.any(Number), 'late-minutes': 42 },
      person_id: editor.id,
    },
  ]);
  // Texts about people are not in the trace.
  expect((await trace(id)).every(([, changes]) => (changes as unknown[]).length === 0)).toBe(true);
});

test('P73: a scheduled text with a fault is not published; it becomes a draft again and its author gets a mail', async () => {
  const { db } = academy.database;
  const page = await pageOf('course', 'certified-ethical-hacker');
  const fields = await fieldsAt(editor, page);
  const faulty = { ...fields, 'v.description': 'Too short.', day: '2025-09-09', time: '09:00', act: 'schedule' };
  expect((await editor.post(page, faulty)).status).toBe(303);
  expect(missing(await (await editor.get(page)).text(), 'waits for 1 fault to be corrected')).toEqual([]);
  const moment = { ...momentOf(academy.services.academy), now: new Date('2025-09-09T00:00:00Z') };
  expect(await publishScheduled(db, moment)).toBe(0);
  const mails = await db
    .selectFrom('mails')
    .select(['recipient', 'body_text'])
    .where('kind', '=', 'content-not-published')
    .execute();
  expect(mails).toEqual([
    {
      recipient: 'mara@example.com',
      body_text: expect.stringContaining('Description: must have at least 140 characters'),
    },
  ]);
  expect(await fieldsAt(editor, page)).toMatchObject({ 'v.description': 'Too short.' });
  expect(missing(await (await editor.get(page)).text(), 'Goes out')).toHaveLength(1);
  expect(await publishScheduled(db, moment)).toBe(0);
});

test('P68, P73: a text scheduled by a person who lost the role stays a draft, and the academy gets the mail', async () => {
  const { db } = academy.database;
  const page = await pageOf('course', 'togaf-enterprise-architecture');
  const leaver = await signInStaff(academy, 'leaver@example.com', 'Lee Ver', { role: 'editor' });
  const fields = await fieldsAt(leaver, page);
  const wanted = { ...fields, 'v.title': 'CISA, by a leaver', day: '2025-09-09', time: '09:00', act: 'schedule' };
  expect((await leaver.post(page, wanted)).status).toBe(303);
  await db.updateTable('staff_roles').set({ role: 'reader' }).where('person_id', '=', leaver.id).execute();
  const moment = { ...momentOf(academy.services.academy), now: new Date('2025-09-09T00:00:00Z') };
  expect(await publishScheduled(db, moment)).toBe(0);
  const mail = await db
    .selectFrom('mails')
    .select(['recipient', 'body_text'])
    .where('kind', '=', 'content-not-published')
    .where('recipient', '=', moment.academy.email)
    .executeTakeFirstOrThrow();
  expect(mail.body_text).toContain('The person who scheduled it may not publish any more.');
  const { title } = await db.selectFrom('courses').select('title').where('slug', '=', 'cisa').executeTakeFirstOrThrow();
  expect(title).not.toContain('leaver');
  expect(await fieldsAt(editor, page)).toMatchObject({ 'v.title': 'CISA, by a leaver' });
});

test('P70: a revert brings the first texts back and leaves the price as it is', async () => {
  const { db } = academy.database;
  const page = await pageOf('course', 'pmp-exam-preparation');
  const id = await idOf('course', 'pmp-exam-preparation');
  const fields = await fieldsAt(editor, page);
  expect(fields).not.toHaveProperty(['v.price']);
  expect((await editor.post(page, { ...fields, 'v.title': 'PMP, rewritten', act: 'publish' })).status).toBe(303);
  const to = { price: 2222, originalPrice: undefined };
  const cheaper = { kind: 'course', key: 'pmp-exam-preparation', to } as const;
  expect(await publishChange(db, cheaper, openingDay)).toMatchObject({ ok: true });
  const history = await (await editor.get(`${page}/history?a=1&b=2`)).text();
  expect(missing(history, 'rewritten</ins>', '1 field differs, ')).toEqual([]);
  // The same pages of the record beside one another as on its form.
  const tabsIn = (html: string) =>
    [...(/<nav aria-label="Parts".*?<\/nav>/s.exec(html)?.[0] ?? '').matchAll(/href="([^"?]*)/g)].map(([, to]) => to);
  expect(tabsIn(history)).toEqual(tabsIn(await (await editor.get(page)).text()));
  expect(tabsIn(history)).toContain(`${page}/history`);
  const form = sentForm(history, 'revert-form');
  expect((await editor.post(`${page}/history`, { ...form, act: 'revert' })).status).toBe(303);
  const row = await db
    .selectFrom('courses')
    .select(['title', 'price_cents'])
    .where('slug', '=', 'pmp-exam-preparation')
    .executeTakeFirst();
  expect(row).toEqual({ title: fields['v.title'], price_cents: 222_200 });
  // P69: the trace has what it changed, as with any other act.
  expect((await trace(id)).at(-1)).toEqual([
    'revert-content',
    [['title', 'PMP, rewritten', String(fields['v.title'])]],
  ]);

  // A draft of an earlier revision. The page of before the revert did not show what is published now (P71).
  const draft = { act: 'draft', revision: '2' };
  const stale = await editor.post(`${page}/history`, { ...form, ...draft, form: crypto.randomUUID() });
  expect([stale.status, (await stale.text()).includes('while you looked at it')]).toEqual([409, true]);
  const again = async () => sentForm(await (await editor.get(`${page}/history?a=2&b=3`)).text(), 'revert-form');
  const beforeDraft = await again();
  expect((await editor.post(`${page}/history`, { ...beforeDraft, ...draft })).status).toBe(303);
  expect(await fieldsAt(editor, page)).toMatchObject({ 'v.title': 'PMP, rewritten' });
  // Nor is another draft, or a text that is scheduled, replaced by one that somebody did not see.
  const first = { ...beforeDraft, act: 'draft', revision: '1', form: crypto.randomUUID() };
  expect((await other.post(`${page}/history`, first)).status).toBe(409);
  const later = { ...(await fieldsAt(editor, page)), day: '2025-09-20', time: '09:00', act: 'schedule' };
  expect((await editor.post(page, later)).status).toBe(303);
  const scheduled = await other.post(`${page}/history`, { ...(await again()), act: 'draft', revision: '1' });
  expect([scheduled.status, (await scheduled.text()).includes('Another text is scheduled')]).toEqual([409, true]);
  expect(missing(await (await editor.get(page)).text(), 'Goes out')).toEqual([]);
});

test('P70: the history begins with the published text against the last different one', async () => {
  const page = await pageOf('course', 'cisco-ccna');
  const fields = await fieldsAt(editor, page);
  expect((await editor.post(page, { ...fields, 'v.title': 'CCNA, rewritten', act: 'save' })).status).toBe(303);
  expect((await editor.post(page, { ...(await fieldsAt(editor, page)), act: 'publish' })).status).toBe(303);
  // Revision 2 is the draft and 3 its publication: they say the same.
  const history = await (await editor.get(`${page}/history`)).text();
  expect(missing(history, '1 against 3', '1 field differs, ')).toEqual([]);
});

test('P73: a text is not scheduled for a day that no month has', async () => {
  const page = await pageOf('course', 'cissp');
  const never = { ...(await fieldsAt(editor, page)), day: '2026-02-30', time: '09:00', act: 'schedule' };
  const answer = await editor.post(page, never);
  expect([answer.status, missing(await answer.text(), 'Enter a day and a time.')]).toEqual([409, []]);
  expect(missing(await (await editor.get(page)).text(), 'Goes out')).toHaveLength(1);
});

test('P71: a text of a record that was retired since is published only by a second press, which brings it back', async () => {
  const page = await pageOf('faq group', await lastKey('faq group'));
  const typed = { ...(await fieldsAt(editor, page)), act: 'publish' };
  const retire = sentForm(await (await other.get(`${page}/retire`)).text(), 'retire-form');
  expect((await other.post(`${page}/retire`, { ...retire, act: 'retire' })).status).toBe(303);
  const refused = await editor.post(page, { ...typed, 'v.title': 'Written meanwhile' });
  const html = await refused.text();
  expect([refused.status, missing(html, 'Somebody retired this FAQ group while you were typing.')]).toEqual([409, []]);
  const again = sentForm(html, 'content-form');
  expect(again['v.title']).toBe('Written meanwhile');
  expect(missing(await (await editor.get(page)).text(), 'Publish and bring back')).toEqual([]);
  expect((await editor.post(page, { ...again, act: 'publish' })).status).toBe(303);
  await visible('/faq', 'Written meanwhile');
});

test('P70: a new record is a draft first; published, visitors see it; retired, they do not, and something that is needed cannot be', async () => {
  const list = '/staff/content/faq-group';
  const blank = sentForm(await (await editor.get(`${list}/new`)).text(), 'content-form');
  const nameless = await editor.post(`${list}/new`, {
    ...blank,
    ...{ 'n.questions.0': '1', 'v.questions.0.question': 'Is there parking?', act: 'save' },
  });
  const asked = await nameless.text();
  expect([nameless.status, missing(asked, 'It needs a name to be found by.')]).toEqual([409, []]);
  expect(sentForm(asked, 'content-form')['v.questions.0.question']).toBe('Is there parking?');
  const taken = await editor.post(`${list}/new`, {
    ...blank,
    'v.title': 'X',
    'v.slug': await firstKey('faq group'),
    act: 'save',
  });
  expect(taken.status).toBe(409);
  let typed: Record<string, string> = { ...blank, 'v.title': 'Parking', 'v.slug': 'parking' };
  for (let at = 0; at < 3; at++) {
    typed = { ...typed, [`n.questions.${at}`]: String(at + 1), [`v.questions.${at}.question`]: `Question ${at}?` };
    typed[`v.questions.${at}.answer`] =
      'There is a car park below the building. It opens at six and costs nothing for you.';
  }
  const made = await editor.post(`${list}/new`, { ...typed, act: 'save' });
  expect(made.status).toBe(303);
  const page = made.headers.get('Location') ?? '';
  expect(missing(await publicText('/faq'), 'Parking')).toHaveLength(1);
  expect(missing(await (await editor.get(`${page}/preview`)).text(), 'Parking')).toEqual([]);
  const draft = await fieldsAt(editor, page);
  expect((await editor.post(page, { ...draft, 'v.at': '1', act: 'publish' })).status).toBe(303);
  await visible('/faq', 'Parking');
  const order = await academy.database.db
    .selectFrom('site_content')
    .select('body')
    .where('name', '=', 'faq')
    .executeTakeFirst();
  expect((order?.body as { slug: string }[] | undefined)?.[0]?.slug).toBe('parking');

  const retire = sentForm(await (await editor.get(`${page}/retire`)).text(), 'retire-form');
  expect((await editor.post(`${page}/retire`, { ...retire, act: 'retire' })).status).toBe(303);
  await expect.poll(async () => missing(await publicText('/faq'), 'Parking')).toHaveLength(1);

  const course = await pageOf('course', 'comptia-security-plus');
  const why = await (await editor.get(`${course}/retire`)).text();
  const needed = sentForm(why, 'retire-form');
  const refused = await editor.post(`${course}/retire`, { ...needed, act: 'retire' });
  expect([refused.status, (await refused.text()).includes('It cannot be retired yet')]).toEqual([409, true]);
  // Each record that names it, with a link and the field, before and after the button is pressed.
  const certification = await pageOf('certification', 'security-plus');
  expect(why).toMatch(
    new RegExp(`href="${certification}"[^>]*>Certification Security\\+</a>, under “(<!-- -->)?Course`),
  );
  expect(why).not.toContain('slug');
  expect(why).toMatch(/CompTIA Security\+ \(SY0-701\), \d[^<]* \d{4}, is still to be held/);
  expect(why).not.toContain('>Course date<');
});

test('P70: a new course has the address of its title, no players, no rating, and is first offered on the day it is published', async () => {
  const { db } = academy.database;
  const { 'v.aliases': _, 'v.shortName': __, ...like } = await fieldsAt(editor, await pageOf('course', 'cissp'));
  const blank = sentForm(await (await editor.get('/staff/content/course/new')).text(), 'content-form');
  const empty = { 'v.slug': '', 'v.learners': '', 'v.rating': '', 'v.published': '' };
  const typed = { ...blank, ...like, ...empty, 'v.title': 'Threat Modelling & You', 'v.price': '2,599', base: '0' };
  const made = await editor.post('/staff/content/course/new', { ...typed, onto: '0', act: 'save' });
  expect(made.status).toBe(303);
  const page = made.headers.get('Location') ?? '';
  const draft = await fieldsAt(editor, page);
  expect(draft).toMatchObject({ 'v.slug': 'threat-modelling-and-you', 'v.learners': '', 'v.published': '' });
  const seen = await (await editor.get(`${page}/preview`)).text();
  expect(missing(seen, 'Threat Modelling &amp; You', 'None yet')).toEqual([]);

  // The clock stands at 8 September 2025.
  const ahead = await editor.post(page, { ...draft, 'v.published': '2025-09-09', act: 'publish' });
  expect([ahead.status, missing(await ahead.text(), 'must not lie ahead')]).toEqual([409, []]);
  const owner = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  expect((await owner.post(page, { ...(await fieldsAt(owner, page)), act: 'publish' })).status).toBe(303);
  const address = '/course/threat-modelling-and-you';
  await visible(address, 'None yet');
  const [shown, listed] = [await publicText(address), await publicText('/courses?search=threat+modelling+you')];
  expect([shown.match(/None yet/g)?.length, shown.includes('★')]).toEqual([2, false]);
  expect(missing(listed, 'Threat Modelling &amp; You', 'Not rated yet')).toEqual([]);
  expect(listed).not.toContain('>0<!-- --> players');
  const row = await db
    .selectFrom('courses')
    .select(['learners', 'rating', 'published_on'])
    .where('slug', '=', 'threat-modelling-and-you')
    .executeTakeFirst();
  expect(row).toEqual({ learners: 0, rating: null, published_on: '2025-09-08' });

  // What is published is what the form has from now on, and it can be exported.
  const after = await fieldsAt(editor, page);
  expect(after).toMatchObject({ 'v.learners': '0', 'v.rating': '', 'v.published': '2025-09-08' });
  expect((await editor.post(page, { ...after, act: 'save' })).status).toBe(409);
  const exported = (await exportContent(db))?.courses.find(({ slug }) => slug === 'threat-modelling-and-you');
  expect([exported?.learners, exported?.rating]).toEqual([0, undefined]);
});
