import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { completeGuided } from '#app/features/enrolments/complete-guided.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, momentAt, orderOf } from '#tests/support/enrolments.ts';
import { withLinks } from '#tests/support/mail-links.ts';
import { carriedBy, signInStaff } from '#tests/support/staff.ts';
import { pay, writeModules } from '#tests/support/study.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
  await writeModules(academy.database.db, 'cissp');
});
beforeEach(() => academy.setNow(opening.now));
afterAll(() => academy.close());

const opening = momentAt('2025-09-08T09:00');
const setNow = (text: string) => academy.setNow(momentAt(text).now);
const read = async (path: string) => (await mainText(await academy.request(path))).replaceAll(' .', '.');
const send = (path: string, fields: Record<string, string> = {}) =>
  academy.request(path, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
const opened = async () =>
  (await academy.database.db.selectFrom('module_openings').select(['place_id', 'module']).execute()).map(
    ({ place_id, module }) => `${place_id}/${module}`,
  );

/**
 * A paid guided place on CISSP from Monday 13 October 2025: AU$5,499, eight modules, so AU$687.375 each. The buyer attends,
 * or somebody else with an address of their own.
 */
async function placed(attends: 'buyer' | 'other' = 'buyer') {
  const { db } = academy.database;
  const course = await db.selectFrom('courses').select('id').where('slug', '=', 'cissp').executeTakeFirstOrThrow();
  const email = `${crypto.randomUUID()}@example.com`;
  const theirs = attends === 'buyer' ? email : `${crypto.randomUUID()}@example.org`;
  const order = await orderOf(db, [{ courseId: course.id, way: 'guided', from: '2025-10-13' }], {
    buyer: { name: 'Ada Byron', email, phone: null },
    attendees: [attendee({ email: theirs })],
  });
  const result = await db.transaction().execute((trx) => placeEnrolment(trx, order, opening));
  if (!result.ok) return expect.unreachable(JSON.stringify(result));
  await pay(db, result.enrolmentId);
  const [place] = (await readEnrolment(db, result.enrolmentId)).places;
  const mail = await db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', theirs)
    .where('kind', '=', 'place-given')
    .executeTakeFirstOrThrow();
  const own = /\/place\/[0-9a-f]+/.exec(await withLinks(db, mail.body_text))?.[0] ?? '';
  const { reference, enrolmentId } = result;
  const placeId = place?.id ?? 0;
  const module = (number: number) => `${own}/${placeId}/module/${number}`;
  return { own, placeId, module, reference, enrolmentId, buyers: `/enrolment/${result.token}` };
}

test('P40: list, open, what comes back on the cancel page, cancel, adjustment note', async () => {
  const { own, module, buyers, placeId, enrolmentId } = await placed();
  setNow('2025-12-03T10:00');
  const list = await read(own);
  expect(list).toContain('0 of 8 modules opened');
  expect(list).toContain('2. Asset Security (10 per cent) Not opened yet');
  expect(list).toContain('Classification and handling of information and assets');
  expect(list).toContain('Opening a module takes AU$687.37 off your refund if you cancel.');
  expect(list).toContain('Open module 3');

  for (const number of [1, 3]) {
    const answer = await send(module(number));
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, module(number)]);
  }
  const page = await read(module(3));
  expect(page).toContain('3. Security Architecture and Engineering (13 per cent)');
  expect(page).toContain('Opened on Wednesday 3 December 2025');
  expect(page).toContain('Read this.');
  expect(await read(own)).toContain('2 of 8 modules opened');

  const buyer = await read(buyers);
  expect(buyer).toContain('2 of 8 modules opened');
  expect(buyer).not.toContain('Security Architecture');
  expect(buyer).toContain('each attendee opens the modules on a page of their own. We’ll email the link to everyone');
  expect(buyer).toContain(
    'AU$4,124.25 back for the 6 of 8 modules not opened yet, about AU$687.38 less for each further module opened, and nothing after 12 October 2026, when access ends.',
  );
  expect(await read(`${buyers}/cancel`)).toContain('AU$4,124.25');
  const cancelled = await send(`${buyers}/cancel`, { places: String(placeId), shown: '412425' });
  expect(cancelled.status).toBe(303);
  const notes = await academy.database.db
    .selectFrom('adjustment_notes')
    .innerJoin('tax_invoices', 'tax_invoices.id', 'tax_invoice_id')
    .select('adjustment_notes.total_cents')
    .where('enrolment_id', '=', enrolmentId)
    .execute();
  expect(notes).toEqual([{ total_cents: 412_425 }]);
  expect((await academy.request(module(3))).status).toBe(404);
  expect((await send(module(4))).status).toBe(404);
});

test('P40: reading pages records nothing; the same button pressed twice counts once', async () => {
  const { own, module, buyers, placeId } = await placed();
  setNow('2025-10-13T00:00');
  const before = await opened();
  for (const path of [own, module(1), module(2), buyers, `${buyers}/cancel`]) {
    expect((await academy.request(path)).status).toBe(200);
    expect((await academy.request(path, { method: 'HEAD' })).status).toBe(200);
  }
  expect(await opened()).toEqual(before);
  expect([(await send(module(2))).status, (await send(module(2))).status]).toEqual([303, 303]);
  expect(await opened()).toEqual([...before, `${placeId}/2`]);
  expect(await read(`${buyers}/cancel`)).toContain('AU$4,811.63');
  // The refund has changed since the page was opened, because a module was opened.
  const stale = await send(`${buyers}/cancel`, { places: String(placeId), shown: '549900' });
  expect([stale.status, (await mainText(stale)).includes('it is now AU$4,811.63, not AU$5,499')]).toEqual([409, true]);
});

test('P40: before the Monday opening is asked first, since the study then starts', async () => {
  const { own, module, placeId } = await placed();
  setNow('2025-10-12T12:00');
  const list = await read(own);
  expect(list).toContain('Your study begins on Monday 13 October 2025.');
  expect(list).toContain('Open module 1 early');
  const asked = await send(module(1));
  expect(asked.status).toBe(409);
  expect(await mainText(asked)).toContain('Your study has not begun yet.');
  expect(await opened()).not.toContain(`${placeId}/1`);
  const page = await (await academy.request(module(1))).text();
  expect(page).toContain('If you open this module now, your study starts today');
  expect(page).toContain('name="early" value="yes"');
  expect((await send(module(1), { early: 'yes' })).status).toBe(303);
  expect(await opened()).toContain(`${placeId}/1`);
  expect((await send(module(2))).status).toBe(303);
});

test('P32: an attendee who is not the buyer sees no money, and opens only their own modules', async () => {
  const mine = await placed('other');
  const another = await placed('other');
  setNow('2025-10-20T10:00');
  const list = await read(mine.own);
  expect(list).toContain(
    'If the person who enrolled you cancels, they get back less for each module that you have opened.',
  );
  expect(list + (await read(mine.module(1)))).not.toContain('AU$');
  for (const path of [
    `${mine.own}/${another.placeId}/module/1`,
    `${mine.own}/${mine.placeId}/module/9`,
    `${mine.buyers.replace('enrolment', 'place')}/${mine.placeId}/module/1`,
  ]) {
    expect([(await academy.request(path)).status, (await send(path)).status]).toEqual([404, 404]);
  }
  const foreign = await academy.request(mine.module(1), {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'cross-site' },
    body: new URLSearchParams(),
  });
  expect(foreign.status).toBe(403);
  expect(await opened()).not.toContain(`${mine.placeId}/1`);
});

test('P40: when access is over nothing opens and nothing is cancelled, before the job ran and after it; staff still can', async () => {
  const { own, module, buyers, placeId, reference, enrolmentId } = await placed();
  setNow('2026-10-12T23:59');
  expect((await send(module(1))).status).toBe(303);
  expect(await read(`${buyers}/cancel`)).toContain('AU$4,811.63');
  setNow('2026-10-13T00:00');
  const check = async () => {
    const list = await read(own);
    expect(list).toContain('Access ended on Monday 12 October 2026.');
    expect(list).not.toContain('Open module');
    expect(list).toContain('1 of 8 modules opened');
    expect((await send(module(2))).status).toBe(409);
    expect(await read(buyers)).toContain('Access ended on Monday 12 October 2026');
    expect(await read(`${buyers}/cancel`)).toContain('There is no place left to cancel.');
    for (const shown of ['0', '481163']) {
      expect((await send(`${buyers}/cancel`, { places: String(placeId), shown })).status).toBe(409);
    }
  };
  await check();
  expect(await completeGuided(academy.database.db, momentAt('2026-10-13T00:00'))).toBeGreaterThan(0);
  await check();
  const states = async () => (await readEnrolment(academy.database.db, enrolmentId)).places.map(({ state }) => state);
  expect(await states()).toEqual(['completed']);

  const staff = await signInStaff(academy, 'grace@example.com', 'Grace Hopper');
  const page = `/staff/enrolments/${reference}`;
  expect(await mainText(await staff.get(page))).toContain('Completed: access ended on Monday 12 October 2026');
  const cancel = `${page}/cancel?place=${placeId}`;
  const form = await (await staff.get(cancel)).text();
  expect(form).not.toContain('as the terms say');
  const fields = { ...carriedBy(form, 'cancel'), places: String(placeId), shown: '0' };
  expect((await staff.post(cancel, { ...fields, how: 'terms', reason: '' })).status).toBe(409);
  const given = { ...fields, ...carriedBy(form, 'cancel'), how: 'full', reason: 'The live hours were not held' };
  expect((await staff.post(cancel, given)).status).toBe(303);
  expect(await states()).toEqual(['cancelled']);
});

test('P38: the first Monday offered leaves three business days, to the visitor, to staff and to an added attendee', async () => {
  const { buyers } = await placed();
  const staff = await signInStaff(academy, 'mary@example.com', 'Mary Shelley');
  const days = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, day]) => day);
  const offered = async () => [
    days(await (await academy.request('/enrol?course=cissp')).text(), /<option value="(\d{4}-\d\d-\d\d)"/g)[0],
    days(
      await (await staff.get('/staff/enrolments/new?item=course:cissp')).text(),
      /value="guided:(\d{4}-\d\d-\d\d)"/g,
    )[0],
  ];
  expect(await offered()).toEqual(['2025-09-15', '2025-09-15']);
  setNow('2025-09-14T12:00');
  // Sunday: tomorrow's Monday would leave none.
  expect(await offered()).toEqual(['2025-09-22', '2025-09-22']);
  // The Tuesday after the King's Birthday leaves Wednesday, Thursday and Friday; from Wednesday on it is a week later.
  setNow('2025-10-07T12:00');
  expect(await read(`${buyers}/add`)).toContain('Guided, from Monday 13 October 2025');
  setNow('2025-10-08T12:00');
  expect(await read(`${buyers}/add`)).toContain('Guided, from Monday 20 October 2025');
});

test('P37: while the database is away the page of a module says so, and its button can be pressed again', async () => {
  const { module } = await placed();
  setNow('2025-10-20T10:00');
  const { academy: context } = academy.services;
  const { db } = context;
  const away = createDb({ ...academy.database.connection, host: '/nowhere' }, () => undefined);
  context.db = away;
  try {
    expect((await academy.request(module(1))).status).toBe(503);
    expect((await send(module(1))).status).toBe(503);
  } finally {
    context.db = db;
    await away.destroy();
  }
  expect((await send(module(1))).status).toBe(303);
});
