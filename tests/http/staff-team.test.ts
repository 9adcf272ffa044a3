import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { forgetHistory } from '#tests/support/forget-history.ts';
import { personOf, signInPlayer } from '#tests/support/players.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

const now = new Date('2025-09-08T09:00:00+10:00');
let academy: AcademyApp;
let owner: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());
beforeEach(async () => {
  academy.setNow(now);
  await forgetHistory(academy.database.owner);
  const tables = ['mail_attempts', 'mails', 'sign_in_asks', 'players', 'people'] as const;
  for (const table of tables) await academy.database.db.deleteFrom(table).execute();
  owner = await signInStaff(academy, 'ada@staff.example', 'Ada Byron');
});

const page = '/staff/people/staff';
const send = async (by: SignedIn, path: string, act: string, fields: Record<string, string>) =>
  by.post(path, { ...carriedBy(await (await by.get(path)).text(), act), ...fields });
const wanted = { name: 'Grace Hopper', email: 'grace@staff.example', role: 'reader', teachesAs: '' };
const rolesOf = async (email: string) =>
  (
    await academy.database.db
      .selectFrom('staff_roles')
      .innerJoin('people', 'people.id', 'person_id')
      .select('role')
      .where('email', '=', email)
      .orderBy('role')
      .execute()
  ).map(({ role }) => role);

test('P68: the page shows who has which role and who may do what', async () => {
  const html = await (await owner.get(page)).text();
  expect(html).toContain('ada@staff.example');
  const row = html.slice(html.indexOf('give and take roles, and end logins</th>')).split('</tr>')[0] ?? '';
  // Owner, and none of admissions, editor, instructor and reader.
  expect([...row.matchAll(/>(Yes|No)</g)].map(([, may]) => may)).toEqual(['Yes', 'No', 'No', 'No', 'No']);
});

test('P68: an owner invites somebody, gives and takes roles, and ends logins', async () => {
  expect((await send(owner, page, 'invite', wanted)).status).toBe(303);
  expect(await rolesOf('grace@staff.example')).toEqual(['reader']);
  const mails = await academy.database.db.selectFrom('mails').select('recipient').execute();
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual(['ada@staff.example', 'grace@staff.example']);

  const { id } = await academy.database.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', 'grace@staff.example')
    .executeTakeFirstOrThrow();
  const member = `${page}/${id}`;
  const missing = await send(owner, member, 'give', { role: 'instructor', teachesAs: '' });
  expect([missing.status, (await missing.text()).includes('Choose which instructor they are.')]).toEqual([409, true]);
  expect((await send(owner, member, 'give', { role: 'editor', teachesAs: '' })).status).toBe(303);
  expect((await send(owner, member, 'take', { role: 'reader' })).status).toBe(303);
  expect(await rolesOf('grace@staff.example')).toEqual(['editor']);
  expect((await send(owner, member, 'end', { reason: 'asked' })).status).toBe(303);
  const text = await (await owner.get(member)).text();
  for (const did of ['gave them a role', 'took a role from them', 'ended all their logins'])
    expect(text).toContain(did);
});

test('an owner ends all logins of a player on the page of the person', async () => {
  const { db } = academy.database;
  const personId = await personOf(db, 'mary@player.example', 'Mary Kelly');
  const player = await signInPlayer(academy, personId);
  expect((await player.get('/account')).status).toBe(200);
  expect((await send(owner, `/staff/people/${personId}`, 'end', { reason: 'strange' })).status).toBe(303);
  expect((await player.get('/account')).status).toBe(302);
  const mail = await db.selectFrom('mails').select(['recipient', 'kind']).executeTakeFirstOrThrow();
  expect(mail).toEqual({ recipient: 'mary@player.example', kind: 'sign-ins-ended' });
});

test('P68: roles change only within ten minutes of a sign-in; the fields stay filled', async () => {
  academy.setNow(new Date(now.getTime() + 11 * 60_000));
  expect(await (await owner.get(page)).text()).toContain('/staff/sign-in?again=');
  const refused = await send(owner, page, 'invite', wanted);
  const text = await refused.text();
  expect([refused.status, text.includes('more than ten minutes ago')]).toEqual([409, true]);
  expect(text).toContain('value="grace@staff.example"');
  expect(await rolesOf('grace@staff.example')).toEqual([]);
});

test('P68: a person who loses the role in the middle of a form gets 403, with the typed text', async () => {
  await signInStaff(academy, 'grace@staff.example', 'Grace Hopper');
  const second = await signInStaff(academy, 'mary@staff.example', 'Mary Kelly');
  const carried = carriedBy(await (await second.get(page)).text(), 'invite');
  await academy.database.db
    .updateTable('staff_roles')
    .set({ role: 'reader' })
    .where('person_id', '=', second.id)
    .execute();
  const refused = await second.post(page, { ...carried, ...wanted, name: 'Kept & safe' });
  expect([refused.status, (await refused.text()).includes('Kept &amp; safe')]).toEqual([403, true]);
});

test('P69: the trace names what an entry is about, and shows what changed in a text word by word', async () => {
  const { db } = academy.database;
  const course = await db.selectFrom('courses').select(['slug', 'title']).limit(1).executeTakeFirstOrThrow();
  const change = { field: 'tagline', before: 'Pass the exam soon', after: 'Pass the exam once' };
  const entry = { at: academy.now(), personId: owner.id, action: 'change-price', subject: `course:${course.slug}` };
  await db.transaction().execute((trx) => writeAuditEntry(trx, { ...entry, details: {}, changes: [change] }));
  const html = await (await owner.get('/staff/trace?kind=course')).text();
  expect(html).toContain(`href="/staff/prices/${course.slug}"`);
  expect(html).toContain(course.title.replaceAll('&', '&amp;'));
  expect(html).toMatch(/Pass the exam <\/span><del[^>]*>soon<\/del>/);
});

test('P69: the trace shows who did what, by person, kind and day, and as a file', async () => {
  await send(owner, page, 'invite', wanted);
  const shown = async (query: string) => {
    const html = await (await owner.get(`/staff/trace?${query}`)).text();
    return html.slice(html.indexOf('<main')).includes('gave them a role');
  };
  expect(await shown('')).toBe(true);
  expect(await shown(`who=${owner.id}`)).toBe(true);
  expect(await shown('who=999999')).toBe(false);
  expect(await shown('kind=person')).toBe(true);
  expect(await shown('kind=enrolment')).toBe(false);
  expect(await shown('from=2025-09-08&to=2025-09-08')).toBe(true);
  expect(await shown('to=2025-09-07')).toBe(false);
  expect(await shown('from=2025-09-09')).toBe(false);
  expect(await shown('about=BB-222222')).toBe(false);
  const file = await (await owner.get(`/staff/trace.csv?who=${owner.id}`)).text();
  expect(file.split('\r\n')[1]).toMatch(
    /^"2025-09-08T09:00:\d\d\+10:00","Ada Byron","invite","[^"]+ [^"]+","person:\d+","role reader",""$/,
  );
  // What somebody typed that is in no entry is not kept either: it may be a name.
  await (await owner.get('/staff/trace.csv?about=Mary+Shelley')).text();
  await (await owner.get('/staff/trace.csv?about=trace')).text();
  const exported = await academy.database.db
    .selectFrom('audit_entries')
    .select('details')
    .where('subject', '=', 'list:trace')
    .orderBy('id')
    .execute();
  expect(exported.map(({ details }) => details)).toEqual([
    { rows: expect.any(Number), filters: `who=${owner.id}` },
    { rows: 0, filters: '' },
    { rows: 2, filters: 'about=trace' },
  ]);
});
