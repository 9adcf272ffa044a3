import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import type { Role } from '#app/features/people/permissions.ts';
import { takeEnrolmentAct } from '#app/routes/staff/enrolments/enrolment-acts.server.ts';
import { instructorNav, menuPages, staffNav } from '#app/routes/staff/nav.ts';
import { tokenField } from '#app/ui/form-state.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { asks, guardedRoutes } from '#tests/support/guarded-routes.ts';
import { rowsOf } from '#tests/support/rows-of.ts';
import { type SignedIn, signInStaff, staffActor } from '#tests/support/staff.ts';

let academy: AcademyApp;
let staff: Record<Role, SignedIn>;
let own: Awaited<ReturnType<typeof makeCourseDate>>;
let other: typeof own;
beforeAll(async () => {
  academy = await openAcademyApp();
  const { db } = academy.database;
  own = await makeCourseDate(db, {});
  other = await makeCourseDate(db, { startsOn: '2025-11-17' });
  const instructors = await db.selectFrom('instructors').select('slug').orderBy('slug').limit(2).execute();
  const [teachesAs = '', another = ''] = instructors.map(({ slug }) => slug);
  const teach = (instructor_slug: string) => db.updateTable('course_dates').set({ instructor_slug });
  await teach(another).execute();
  await teach(teachesAs).where('id', '=', own.id).execute();
  const signIn = (role: Role, more = {}) =>
    signInStaff(academy, `${role}@example.com`, `Ada ${role}`, { role, ...more });
  staff = {
    owner: await signIn('owner'),
    admissions: await signIn('admissions'),
    editor: await signIn('editor'),
    instructor: await signIn('instructor', { teachesAs }),
    reader: await signIn('reader'),
  };
});
afterAll(() => academy.close());

const guarded = guardedRoutes();
/** Nothing is at these addresses, which is told only to those who may look. */
const pathOf = (address: string) =>
  address
    .replace(':reference', 'BB-222222')
    .replace('/:change', '/cancel')
    .replace(':kind', 'tax-invoice')
    .replace(/:\w+/g, '999999')
    .replace('*', 'nothing-here');

/** Where certificates are issued and printed (P64). */
const ofIssuing = (address: string) =>
  /^\/staff\/(course-dates\/:slug\/certificates|places\/:placeId\/certificate|certificates\/:number\/certificate\.pdf)$/.test(
    address,
  );

/** What editors write (P68). */
const ofContent = (address: string) => address.startsWith('/staff/content');
const forAll = (address: string) =>
  [
    '/staff',
    '/staff/today',
    '/staff/find',
    '/staff/find.json',
    '/staff/course-dates',
    '/staff/course-dates/:slug',
    '/staff/*',
  ].includes(address);

/** What each role may open, by hand from P68; an owner opens everything, admissions all but what writes content. */
const opens: Record<'editor' | 'instructor' | 'reader', (address: string) => boolean> = {
  editor: (address) =>
    forAll(address) ||
    ofContent(address) ||
    ['/staff/course-dates/calendar', '/staff/prices', '/staff/prices/promotion', '/staff/prices/:slug'].includes(
      address,
    ),
  instructor: (address) =>
    forAll(address) ||
    address === '/staff/course-dates/calendar' ||
    /^\/staff\/(attendees\.csv|course-dates\/:slug\/(attendees|sheet|name-cards)|classes.*|live-hours\/:id|class-taps|answers.*|modules.*)$/.test(
      address,
    ) ||
    ofIssuing(address),
  reader: (address) =>
    !ofIssuing(address) &&
    // They save no views of lists.
    address !== '/staff/views' &&
    // Rows of lists leave the house by those who work with them (P78), and money by files for the accountant (P83).
    !/^\/staff\/money\/accountant/.test(address) &&
    !/^\/staff\/(?!report\.csv)[\w-]+\.csv$|^\/staff\/course-dates\/(series|copy)$/.test(address) &&
    !/\/(new|join|move|:change|buyer|cancel|transfer|attendees\/:attendeeId|add|discount|instalments|remind|retire)$/.test(
      address,
    ),
};

/** Where an instructor does something, by hand from P59, P60 and P64; an editor writes content; a reader does nothing anywhere. */
const acts = (role: Role, address: string) =>
  (role === 'editor' && ofContent(address)) ||
  (role === 'instructor' &&
    (ofIssuing(address) ||
      [
        '/staff/classes/:slug',
        '/staff/classes/:slug/details',
        '/staff/class-taps',
        '/staff/answers/:id',
        '/staff/modules/:course/:number',
      ].includes(address)));

test('every route for people who are signed in has a loader of its own, and names a permission before anything else', () => {
  expect(guarded.length).toBeGreaterThan(30);
  // Without a loader React Router asks the server nothing on the way to a page, and its middleware does not run.
  const open = guarded.filter(({ loader, action }) => ['none', 'nothing'].includes(loader) || action === 'nothing');
  expect(open).toEqual([]);
});

test('every route of a player’s account has a loader of its own, which asks for the player before anything else', () => {
  const account = guardedRoutes(['account']);
  expect(account.length).toBeGreaterThan(1);
  expect(account.filter(({ loader, action }) => loader !== 'player' || !['player', 'none'].includes(action))).toEqual(
    [],
  );
});

test('the navigation has one list, whose entries lead to pages and ask for the permission of the page', () => {
  const listed = [
    ...staffNav.flatMap(({ under }) => under),
    ...instructorNav.flatMap(({ under }) => under),
    ...menuPages,
  ];
  const wrong = listed.filter(({ to, needs }) => guarded.find(({ address }) => address === to)?.loader !== needs);
  expect(wrong).toEqual([]);
  const sources = ['layout.tsx', 'frame/bar.tsx'].map((file) => path.join(projectRoot, 'app/routes/staff', file));
  const frame = sources.map((file) => readFileSync(file, 'utf8')).join('');
  const named = [...frame.matchAll(/href\('(\/staff[^']*)'\)/g)].map(([, to]) => to);
  // A page that is listed by the frame itself would have two places to be listed in.
  expect(new Set(named)).toEqual(new Set(['/staff', '/staff/live', '/staff/sign-out']));
});

test('a route that names none is found', () => {
  expect(asks('export async function loader({ context }: A) {\n  const { db } = context;\n}\n', 'loader')).toBe(
    'nothing',
  );
  expect(asks('export const loader = () => 1;\n', 'loader')).toBe('nothing');
  expect(asks('export const meta = () => 1;\n', 'loader')).toBe('none');
  const named = "export function action({ context }: A) {\n  const actor = staffFor(context, 'mail:send');\n}\n";
  expect([asks(named, 'action'), asks(named, 'loader')]).toEqual(['mail:send', 'none']);
});

test.each(['editor', 'instructor', 'reader'] as const)(
  'from the side of %s: what is not theirs answers 403 and writes nothing',
  async (role) => {
    const before = await rowsOf(academy.database.db);
    const faults: string[] = [];
    for (const { address, action } of guarded) {
      const { status } = await staff[role].get(pathOf(address));
      if ((status === 403) === opens[role](address)) faults.push(`GET ${address} ${status}`);
      if (action === 'none') continue;
      const answer = await staff[role].post(pathOf(address), {
        act: 'note',
        note: 'Kept & safe',
        form: crypto.randomUUID(),
      });
      const text = await answer.text();
      if (acts(role, address)) {
        if (![400, 404].includes(answer.status)) faults.push(`POST ${address} ${answer.status}`);
        continue;
      }
      if (answer.status !== 403 || !text.includes('Kept &amp; safe')) faults.push(`POST ${address} ${answer.status}`);
    }
    expect(faults).toEqual([]);
    expect(await rowsOf(academy.database.db)).toEqual(before);
  },
);

test('an owner and admissions open every page, but admissions write no content', async () => {
  const writes = (address: string) => /^\/staff\/content\/.*\/(new|retire)$/.test(address);
  for (const role of ['owner', 'admissions'] as const) {
    for (const { address } of guarded) {
      if (role === 'admissions' && writes(address)) {
        expect([address, (await staff[role].get(pathOf(address))).status]).toEqual([address, 403]);
        continue;
      }
      expect([address, (await staff[role].get(pathOf(address))).status]).not.toEqual([address, 403]);
    }
  }
});

test('staff without a permission read who can grant it, and their navigation shows only the pages that they may open', async () => {
  const refused = await staff.instructor.get('/staff/payments');
  const text = await refused.text();
  expect(text).toContain('Not allowed for your role');
  expect(text).toContain('An owner of the academy can give you another role: Ada owner.');
  const listedOn = async (by: SignedIn, ...paths: string[]) => {
    const texts = await Promise.all(paths.map(async (path) => (await by.get(path)).text()));
    const headers = texts.map((page) => page.slice(0, page.indexOf('<main')));
    return new Set(headers.flatMap((header) => [...header.matchAll(/href="(\/staff[a-z/-]*)"/g)].map(([, to]) => to)));
  };
  expect(await listedOn(staff.instructor, '/staff/payments')).toEqual(
    new Set(['/staff', '/staff/today', '/staff/find']),
  );
  const own = ['/staff', '/staff/today', '/staff/find', '/staff/course-dates', '/staff/classes', '/staff/answers'];
  expect(await listedOn(staff.instructor, '/staff/today')).toEqual(new Set(own));
  expect(await (await staff.instructor.get('/staff/today')).text()).toContain('My classes');
  const all = await listedOn(
    staff.reader,
    '/staff',
    '/staff/enquiries',
    '/staff/course-dates',
    '/staff/payments',
    '/staff/prices',
    '/staff/content',
  );
  for (const name of ['enquiries', 'bookings', 'enrolments', 'course-dates', 'waiting', 'payments', 'owed']) {
    expect(all.has(`/staff/${name}`), name).toBe(true);
  }
  for (const name of ['mail', 'faults']) expect(all.has(`/staff/${name}`), name).toBe(true);
});

test('a form from the browser that is refused stays on its page: the answer is no page of ours', async () => {
  const answer = await academy.request('/staff/mail.data', {
    method: 'POST',
    headers: { Cookie: staff.reader.cookie, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' },
    body: new URLSearchParams({ mail: '1' }),
  });
  expect([answer.status, (await answer.text()).includes('Your role does not allow this')]).toEqual([403, true]);
});

test('a form that is refused without scripts leads back to the pages for staff, not to the shop', async () => {
  const answer = await staff.reader.post('/staff/mail', { mail: '1' });
  const html = await answer.text();
  expect([answer.status, html.includes('<a href="/staff">Return to Today</a>')]).toEqual([403, true]);
  expect(html).not.toContain('href="/"');
});

test('an instructor sees their own course dates with who attends, no money, and no other course date', async () => {
  const { db } = academy.database;
  const slugOf = async ({ id }: typeof own) =>
    (await db.selectFrom('course_dates').select('slug').where('id', '=', id).executeTakeFirstOrThrow()).slug;
  const [ownSlug, otherSlug] = [await slugOf(own), await slugOf(other)];
  await placeIn(db, own);
  const list = await (await staff.instructor.get('/staff/course-dates')).text();
  expect([
    list.includes(`/staff/course-dates/${ownSlug}"`),
    list.includes(`/staff/course-dates/${otherSlug}"`),
  ]).toEqual([true, false]);
  const page = await (await staff.instructor.get(`/staff/course-dates/${ownSlug}`)).text();
  expect(page).toContain('Who attends (1)');
  for (const hidden of ['AU$', 'Unpaid', ' unpaid', '/staff/enrolments/', 'Cancel it', 'name="capacity"', '549900']) {
    expect(page.includes(hidden), hidden).toBe(false);
  }
  const reads = async (by: SignedIn, path: string) => (await by.get(path)).status;
  const csv = (slug: string) => `/staff/attendees.csv?date=${slug}`;
  const pages = (slug: string) => [`/staff/course-dates/${slug}`, `/staff/course-dates/${slug}/attendees`];
  for (const path of [...pages(ownSlug), csv(ownSlug)]) expect(await reads(staff.instructor, path)).toBe(200);
  for (const path of [...pages(otherSlug), csv(otherSlug)]) expect(await reads(staff.instructor, path)).toBe(404);
  // Who only reads takes no list away.
  for (const path of pages(otherSlug)) expect(await reads(staff.reader, path)).toBe(200);
  expect(await reads(staff.reader, csv(otherSlug))).toBe(403);
  const file = async (by: SignedIn) => (await by.get(csv(ownSlug))).text();
  const [whoAttends, whoBought] = [await file(staff.instructor), await file(staff.admissions)];
  for (const column of ['"Enrolment"', '"Buyer’s email"', '"Phone"']) {
    expect([column, whoAttends.includes(column), whoBought.includes(column)]).toEqual([column, false, true]);
  }
  const taken = await db
    .selectFrom('audit_entries')
    .select('details')
    .where('subject', '=', 'list:attendees')
    .execute();
  expect(taken.at(-1)?.details).toEqual({ rows: 1, filters: `date=${ownSlug}` });
  const edited = await (await staff.editor.get(`/staff/course-dates/${ownSlug}`)).text();
  expect([edited.includes('Who attends'), edited.includes('AU$')]).toEqual([false, false]);
});

test('an act of a page that needs more than the page is refused with what was typed, and nothing is kept of it', async () => {
  const { db } = academy.database;
  const { enrolmentId } = await placeIn(db, other);
  const { reference } = await db
    .selectFrom('enrolments')
    .select('reference')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const actor = {
    ...staffActor({ id: staff.admissions.id, name: 'Ada' }),
    can: new Set(['enrolments:change'] as const),
  };
  const form = new FormData();
  const typed = { act: 'payment', amount: '12.50', day: '2025-09-08', method: 'bank', words: 'Typed', seen: '0' };
  for (const [name, value] of Object.entries({ ...typed, [tokenField]: crypto.randomUUID() })) form.set(name, value);
  // Its mails are being sent meanwhile.
  const tables = ['submitted_staff_forms', 'payments', 'audit_entries', 'enrolments', 'enrolment_list'];
  const before = await rowsOf(db, tables);
  const result = await takeEnrolmentAct(academy.services.academy, { form, reference, actor });
  expect(result).toMatchObject({ ok: false, status: 403, form: { values: { amount: '12.50', words: 'Typed' } } });
  expect(!result.ok && result.form.fault).toContain('Your role does not allow this.');
  expect(await rowsOf(db, tables)).toEqual(before);
});
