import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRecord } from '#app/features/content/drafts.server.ts';
import { saveRecordDraft } from '#app/features/content/edit.server.ts';
import type { Role } from '#app/features/people/permissions.ts';
import type { FindAnswer } from '#app/features/reports/find/found.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attendee, makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let staff: Record<Role, SignedIn>;
let reference: string;
let courseDateSlug: string;
beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-11-03', capacity: 20 });
  const other = await makeCourseDate(db, { startsOn: '2025-11-17', capacity: 20 });
  const instructors = await db.selectFrom('instructors').select('slug').orderBy('slug').limit(2).execute();
  const [teachesAs = '', another = ''] = instructors.map(({ slug }) => slug);
  const teach = (instructor_slug: string) => db.updateTable('course_dates').set({ instructor_slug });
  await teach(another).execute();
  await teach(teachesAs).where('id', '=', courseDate.id).execute();
  const buyer = { name: 'Petra Manning', email: 'petra.manning@freight.example', phone: '0412 664 018' };
  const placed = await placeIn(db, courseDate, { buyer, attendees: [attendee({ name: 'Wendelin Zhou' })] });
  reference = placed.reference;
  for (let at = 0; at < 7; at++) {
    const one = { name: `Morgan Number${at}`, email: `morgan@many${at}.example`, phone: null };
    await placeIn(db, other, { buyer: one, attendees: [attendee({ name: `Morris ${at}` })] });
  }
  await sql`insert into enquiries (reference, kind, idempotency_key, first_name, last_name, email, phone, message,
      marketing_consent, details, created_at)
    values ('BB-ENQ234', 'contact', gen_random_uuid(), 'Tadeo', 'Ellery', 'tadeo@coast.example', '+61 7 7010 0199', 'Hello', false,
      '{}', now())`.execute(db);
  const slug = await db.selectFrom('course_dates').select('slug').where('id', '=', courseDate.id).executeTakeFirst();
  courseDateSlug = slug?.slug ?? '';
  const signIn = (role: Role, more = {}) =>
    signInStaff(academy, `${role}@staff.example`, `Ada ${role}`, { role, ...more });
  staff = {
    owner: await signIn('owner'),
    admissions: await signIn('admissions'),
    editor: await signIn('editor'),
    instructor: await signIn('instructor', { teachesAs }),
    reader: await signIn('reader'),
  };
});
afterAll(() => academy.close());

async function find(typed: string, role: Role = 'owner'): Promise<FindAnswer> {
  const response = await staff[role].get(`/staff/find.json?${new URLSearchParams({ q: typed })}`);
  expect(response.status, typed).toBe(200);
  return response.json();
}
const groupsOf = ({ groups }: FindAnswer) => groups.map(({ name }) => name);
const rowsOf = ({ groups }: FindAnswer, name: string) => groups.find((group) => group.name === name)?.rows ?? [];
const textsOf = (found: FindAnswer, name: string) => rowsOf(found, name).map(({ text }) => text);

test('people are found by name, address and organisation, from the beginning of a word', async () => {
  for (const typed of ['petra', 'PETR', 'mann petra', 'petra.manning@freight.example', 'freight']) {
    expect(textsOf(await find(typed), 'People'), typed).toEqual(['Petra Manning']);
  }
  expect(textsOf(await find('anning'), 'People')).toEqual([]);
});

test('a telephone number is found in any spelling, and by its beginning', async () => {
  for (const typed of [
    '0412 664 018',
    '0412664018',
    '+61 412 664 018',
    '0061412664018',
    '(0412) 664-018',
    '+61 (0)412 664 018',
    '0412 66',
    // Without its first 0.
    '412664018',
  ]) {
    const found = await find(typed);
    expect(textsOf(found, 'People'), typed).toEqual(['Petra Manning']);
    expect(
      rowsOf(found, 'Enrolments').map(({ end }) => end),
      typed,
    ).toEqual([reference]);
  }
  expect(textsOf(await find('07 7010 0199'), 'Messages')).toEqual(['Tadeo Ellery']);
  expect(textsOf(await find('0412 664 019'), 'People')).toEqual([]);
});

test('an enrolment is found by its number with and without BB-, its buyer and its attendee', async () => {
  for (const typed of [
    reference,
    reference.toLowerCase(),
    reference.slice(3),
    reference.slice(0, 7),
    'petra mann',
    'wendel',
  ]) {
    expect(
      rowsOf(await find(typed), 'Enrolments').map(({ to }) => to),
      typed,
    ).toEqual([`/staff/enrolments/${reference}`]);
  }
  expect(rowsOf(await find('wendel'), 'Enrolments')[0]?.line).toMatch(/^Wendelin Zhou, /);
});

test('an invoice is found by its number and its buyer, and shows its course', async () => {
  const { rows } = await sql<{ id: number; number: string }>`select id, facts ->> 'number' as number from tax_invoices
    where facts ->> 'enrolment' = ${reference}`.execute(academy.database.db);
  const [invoice] = rows;
  const digits = String(Number(invoice?.number.slice(4)));
  for (const typed of [invoice?.number ?? '', `inv ${digits}`, `invoice ${digits}`, digits, 'petra']) {
    expect(textsOf(await find(typed), 'Invoices'), typed).toContain(invoice?.number);
  }
  expect(rowsOf(await find('petra'), 'Invoices')).toEqual([
    {
      to: `/staff/documents/tax-invoice/${invoice?.id}`,
      text: invoice?.number,
      line: `Petra Manning, ${reference}, tax invoice`,
      end: 'AU$5,499.00',
      file: true,
    },
  ]);
  expect(textsOf(await find(`ADJ-${digits}`), 'Invoices')).toEqual([]);
});

test('courses, course dates, messages, pages and acts are found by their words', async () => {
  expect(textsOf(await find('ciss'), 'Courses')[0]).toMatch(/CISSP/);
  expect(rowsOf(await find('cissp 3 nov'), 'Course dates').map(({ to }) => to)).toContain(
    `/staff/course-dates/${courseDateSlug}`,
  );
  // Each word is one of the course, the instructor, the place or the day, all of one date; one letter is a whole word.
  const { db } = academy.database;
  const name = await db
    .selectFrom('course_dates')
    .innerJoin('instructors', 'instructors.slug', 'instructor_slug')
    .select('name')
    .where('course_dates.slug', '=', courseDateSlug)
    .executeTakeFirstOrThrow();
  const of = async (words: string) =>
    rowsOf(await find(words), 'Course dates').some(({ to }) => to === `/staff/course-dates/${courseDateSlug}`);
  const first = name.name.split(' ')[0]?.slice(0, 3) ?? '';
  for (const words of [`cissp ${first}`, 'cissp online mon', 'cissp nov 2025 3', 'cissp 3 onl']) {
    expect(await of(words), words).toBe(true);
  }
  for (const words of ['cissp tue', 'cissp 3 dec', 'cissp brisbane', 'cissp 2026', 'cissp nobody', 'cissp o']) {
    expect(await of(words), words).toBe(false);
  }
  // 400 days before 8 September 2025 is 4 August 2024.
  for (const startsOn of ['2024-08-04', '2024-08-05']) await makeCourseDate(academy.database.db, { startsOn });
  const [tooOld, old] = [await find('august 2024 4'), await find('august 2024 5')];
  expect([rowsOf(tooOld, 'Course dates').length, rowsOf(old, 'Course dates').length]).toEqual([0, 1]);
  await academy.database.db.deleteFrom('course_dates').where('starts_on', '<', '2025-01-01').execute();
  expect(textsOf(await find('tadeo ell'), 'Messages')).toEqual(['Tadeo Ellery']);
  expect(textsOf(await find('late pay'), 'Pages')).toEqual(['Who owes']);
  expect(rowsOf(await find('new course'), 'Do').map(({ to }) => to)).toContain('/staff/course-dates/new');
  const [enrol] = rowsOf(await find('Kiri Parata'), 'Do');
  expect(enrol).toMatchObject({ text: 'Enrol “Kiri Parata” by hand', to: '/staff/enrolments/new?find=Kiri+Parata' });
  const form = await staff.owner.get(`${enrol?.to}&item=course%3Acissp`);
  expect(await form.text()).toContain('Kiri Parata');
});

test('a group shows six at most, and its list has the others', async () => {
  const { groups } = await find('morg');
  expect(groups.map(({ name, rows, all }) => [name, rows.length, all])).toEqual([
    ['Enrolments', 6, '/staff/enrolments?search=morg'],
    ['People', 6, '/staff/people?search=morg'],
    ['Invoices', 6, null],
    ['Do', 1, null],
  ]);
});

test('each role finds the records it may open, and an instructor only their own course dates', async () => {
  expect(groupsOf(await find('petra', 'reader'))).toEqual(['Enrolments', 'People', 'Invoices']);
  expect(groupsOf(await find('petra', 'admissions'))).toEqual(['Enrolments', 'People', 'Invoices', 'Do']);
  for (const role of ['editor', 'instructor'] as const) {
    for (const typed of ['petra', '0412 664 018', reference, 'wendelin', 'tadeo', 'inv-1']) {
      expect(groupsOf(await find(typed, role)), `${role} ${typed}`).toEqual([]);
    }
  }
  const own = await find('cissp', 'instructor');
  expect(own.groups.map(({ name, rows }) => [name, rows.map(({ to }) => to)])).toEqual([
    ['Course dates', [`/staff/course-dates/${courseDateSlug}`]],
  ]);
  expect(textsOf(await find('pay', 'instructor'), 'Pages')).toEqual([]);
  expect(textsOf(await find('classes', 'instructor'), 'Pages')).toEqual([
    'Today',
    'Classes',
    'Exercises',
    'Course dates',
  ]);
  for (const role of ['owner', 'editor', 'instructor', 'reader'] as const) {
    const found = [await find('co', role), await find('petra', role), await find('cissp', role)];
    // One of each kind.
    const firsts = found.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows[0]?.to ?? []));
    for (const to of new Set(firsts)) expect((await staff[role].get(to)).status, `${role} ${to}`).toBe(200);
  }
});

test('signs that mean something to a search are letters like others', async () => {
  for (const typed of [
    '%',
    '_',
    '\\',
    "'",
    '"',
    "petra' or 1=1",
    ':*',
    '&|!()<->',
    '\u0000',
    '.*',
    '$1',
    '٣',
    '🙂',
    'x'.repeat(500),
  ]) {
    const found = await find(typed);
    expect(rowsOf(found, 'People'), typed).toEqual([]);
    expect(rowsOf(found, 'Course dates'), typed).toEqual([]);
  }
  expect(textsOf(await find("petra' mann%"), 'People')).toEqual(['Petra Manning']);
});

test('the page shows the same without scripts, marks the typed words, and keeps them out of title and caches', async () => {
  const response = await staff.owner.get('/staff/find?q=petr');
  expect(response.headers.get('Cache-Control')).toContain('no-store');
  const html = await response.text();
  expect(html).toMatch(/<mark[^>]*>Petr<\/mark>a Manning/);
  expect(html).toContain('<title>Find | Bowerbird staff</title>');
  const none = await (await staff.reader.get('/staff/find?q=nobodyhere')).text();
  expect(none).toContain('We found nothing for “nobodyhere”');
  const start = await (await staff.owner.get('/staff')).text();
  expect(start).toMatch(/<form[^>]*action="\/staff\/find"/);
  const json = await staff.owner.get('/staff/find.json?q=petr');
  expect(json.headers.get('Cache-Control')).toContain('no-store');
  const stranger = await academy.request('/staff/find.json?q=petr');
  expect(stranger.status).toBe(302);
});

test('P82: an act named with a course or a date leads to its page first, for staff who may do it', async () => {
  const ends = (found: FindAnswer) => [found.groups[0]?.name, rowsOf(found, 'Do')[0]?.to];
  for (const typed of ['price of cissp', 'Prices CISSP']) {
    expect(ends(await find(typed)), typed).toEqual(['Do', '/staff/prices/cissp']);
  }
  const at = `/staff/course-dates/${courseDateSlug}`;
  expect(ends(await find('move cissp 3 nov'))).toEqual(['Do', `${at}/move`]);
  expect(ends(await find('cancel the cissp on 3 november'))).toEqual(['Do', `${at}/cancel`]);
  expect(ends(await find('write to cissp 3 nov'))).toEqual([
    'Do',
    `/staff/bulk-actions/message/course-dates?row=${courseDateSlug}`,
  ]);
  const [, enrol] = ends(await find('enrol in cissp 3 nov'));
  expect(await (await staff.owner.get(enrol ?? '')).text()).toContain('Place the enrolment');
  expect(rowsOf(await find('move cissp 3 nov'), 'Course dates').map(({ to }) => to)).toContain(at);

  // What nobody attends has nobody to write to; a cancelled or past date is not moved.
  const made = await makeCourseDate(academy.database.db, { startsOn: '2025-11-24' });
  expect(rowsOf(await find('move cissp 24 nov'), 'Do')).toHaveLength(1);
  expect(rowsOf(await find('write cissp 24 nov'), 'Do').map(({ to }) => to)).toEqual([
    '/staff/enrolments/new?find=write+cissp+24+nov',
  ]);
  const cancelled = academy.database.db.updateTable('course_dates').set({ state: 'cancelled' });
  await cancelled.where('id', '=', made.id).execute();
  expect(rowsOf(await find('move cissp 24 nov'), 'Do').map(({ text }) => text)).toEqual([
    'Enrol “move cissp 24 nov” by hand',
  ]);

  expect(rowsOf(await find('move cissp 3 nov', 'reader'), 'Do')).toEqual([]);
  expect(rowsOf(await find('write cissp', 'instructor'), 'Do')).toEqual([]);
  // The verb alone names no date.
  expect(rowsOf(await find('move'), 'Do')[0]?.to).toBe('/staff/course-dates');
});

test('P82: a page and an act are found by what people call them', async () => {
  for (const [typed, page] of [
    ['xero', 'Accountant’s files'],
    ['gst', 'BAS figures'],
    ['statement', 'Payments'],
    ['reminder', 'Who owes'],
    ['chats', 'Chats'],
  ] as const) {
    expect(textsOf(await find(typed), 'Pages'), typed).toContain(page);
  }
  expect(textsOf(await find('refund'), 'Do')).toContain('Refunds to send');
});

test('P82: an amount finds its invoices, its payments and who owes it, for staff who read money', async () => {
  const courseDate = await makeCourseDate(academy.database.db, { startsOn: '2025-12-01', capacity: 4 });
  const [paid, owed] = [await placeIn(academy.database.db, courseDate), await placeIn(academy.database.db, courseDate)];
  await receive(academy.database.db, paid.enrolmentId, 549_900, { today: '2025-09-08', now: academy.now() });
  const found = await find('5,499.00');
  const payments = rowsOf(found, 'Payments');
  expect(payments[0]?.line).toContain('paid 8 September 2025');
  expect(payments.map(({ to }) => to)).toContain(`/staff/enrolments/${owed.reference}`);
  expect(rowsOf(found, 'Invoices').map(({ end }) => end)).toContain('AU$5,499.00');
  expect(groupsOf(await find('5,499.00', 'editor'))).not.toContain('Payments');
});

test('P82: a page with the typed name comes before people with the word in their address', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { startsOn: '2025-12-01', capacity: 20 });
  const buyer = { name: 'Olive Tan', email: 'olive@inbox.example', phone: null };
  await placeIn(db, courseDate, { buyer, attendees: [attendee({ name: 'Olive Tan' })] });
  const found = await find('inbox');
  expect(groupsOf(found)).toEqual(expect.arrayContaining(['Enrolments', 'People', 'Pages']));
  expect(found.groups[0]).toMatchObject({ name: 'Pages', rows: [{ to: '/staff/inbox' }, {}, {}, {}, {}] });
});

test('P82: a name is found as people type it: without accents, apostrophe and hyphen', async () => {
  const courseDate = await makeCourseDate(academy.database.db, { startsOn: '2025-12-01', capacity: 20 });
  const buyer = { name: "Zoë D'Ambrosio-Núñez", email: 'zoe@names.example', phone: null };
  await placeIn(academy.database.db, courseDate, { buyer, attendees: [attendee({ name: 'Idris Al-Sayed' })] });
  for (const typed of ['nunez', 'zoe nunez', "zoe d'", 'dambrosio', "d'ambrosio", 'núñez', 'alsayed zoe', 'ZOË']) {
    const found = await find(typed);
    expect([typed, rowsOf(found, 'Enrolments').map(({ text }) => text)]).toEqual([typed, [buyer.name]]);
  }
  expect(textsOf(await find('dambrosio'), 'People')).toEqual([buyer.name]);
  expect(rowsOf(await find('alsayed'), 'Enrolments')[0]?.line).toMatch(/^Idris Al-Sayed, /);
  const lists = ['/staff/people?search=nunez', '/staff/enrolments?search=dambrosio'];
  for (const list of lists) expect(await (await staff.owner.get(list)).text()).toContain('Ambrosio-Núñez');
});

test('P82: staff who read content find a course before it is published', async () => {
  const { db } = academy.database;
  const draft = await db.transaction().execute(async (trx) => {
    const record = await makeRecord(trx, 'course', 'quantum-safety');
    if (!record) throw new Error('the address is taken');
    const edit = {
      id: record.id,
      base: 0,
      onto: 0,
      typed: { slug: 'quantum-safety', title: 'Quantum Sáfety' },
      note: null,
    };
    await saveRecordDraft(trx, edit, { editor: { person: staff.editor.id }, now: academy.now() });
    return record;
  });
  expect(rowsOf(await find('safety quan', 'editor'), 'Courses')).toEqual([
    { to: `/staff/content/course/${draft.id}`, text: 'Quantum Sáfety', line: '/course/quantum-safety', end: 'draft' },
  ]);
  expect(rowsOf(await find('safety quan', 'instructor'), 'Courses')).toEqual([]);
  // It has no page of prices yet.
  expect(textsOf(await find('price quantum'), 'Do').filter((text) => text.startsWith('Prices of'))).toEqual([]);
});

test('P118: an organisation is found by its name and its ABN, and by those only who may read it', async () => {
  const values = { legal_name: 'Shire of Nowhere', abn: '51824753556', made_at: new Date('2025-09-08T09:00:00+10:00') };
  await academy.database.db.insertInto('organisations').values(values).execute();
  for (const typed of ['shire', '51 824 753 556'])
    expect(textsOf(await find(typed), 'Organisations'), typed).toEqual(['Shire of Nowhere']);
  expect(groupsOf(await find('shire', 'editor'))).not.toContain('Organisations');
});
