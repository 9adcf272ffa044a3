import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { openingDay } from '#tests/support/academy.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { publishChange } from '#tests/support/content-edits.ts';
import { makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { carriedBy, type SignedIn, signInStaff } from '#tests/support/staff.ts';

// Prices with a memory (P47, P76). The promotion of combos runs on 8 September 2025.
let academy: AcademyApp;
let ada: SignedIn;
beforeAll(async () => {
  academy = await openAcademyApp();
  ada = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
});
afterAll(() => academy.close());

const page = async (path: string, by = ada) => (await by.get(path)).text();
const open = async (path: string) => (await academy.request(path)).text();
const course = 'cissp';
const prices = `/staff/prices/${course}`;
const send = async (fields: Record<string, string>, by = ada) => {
  const form = carriedBy(await page(prices), fields.act ?? '');
  return by.post(prices, { ...form, ...fields });
};

test('P47: the owner confirms an original price, and /claims shows what proves it', async () => {
  const { db } = academy.database;
  const before = await open('/claims');
  const [, count = ''] = /(\d+) of these prices come from the academy brief/.exec(before) ?? [];
  expect(Number(count)).toBeGreaterThan(100);
  const list = await page('/staff/prices?state=unproved');
  expect(list.includes(`${count} original prices are not confirmed`)).toBe(true);
  const { slug } = await db
    .selectFrom('courses')
    .select('slug')
    .where('original_price_cents', 'is not', null)
    .orderBy('slug')
    .executeTakeFirstOrThrow();
  const path = `/staff/prices/${slug}`;
  const form = carriedBy(await page(path), 'confirm');
  const empty = await ada.post(path, { ...form, proof: '' });
  expect([empty.status, (await empty.text()).includes('Enter what shows that it was charged.')]).toEqual([400, true]);
  const done = await ada.post(path, { ...form, proof: 'Price list of 1 March 2025' });
  expect(done.status).toBe(303);
  await until(async () => (await open('/claims')).includes('Shown by: Price list of 1 March 2025.'));
  const claims = await open('/claims');
  expect(claims.includes(`${Number(count) - 1} of these prices come from the academy brief`)).toBe(true);
  expect(claims.includes(`/course/${slug}`)).toBe(true);
  expect((await page(path)).includes('confirmed its original price')).toBe(true);
  // P69: an entry names references only; what was typed is a value of the price.
  const { id, details } = await db
    .selectFrom('audit_entries')
    .select(['id', 'details'])
    .where('action', '=', 'confirm-price')
    .executeTakeFirstOrThrow();
  expect(details).toEqual({});
  const changes = db.selectFrom('audit_changes').select(['field', 'before', 'after']).where('entry_id', '=', id);
  expect(await changes.execute()).toEqual([
    { field: 'proof', before: 'the brief', after: 'Price list of 1 March 2025' },
  ]);

  const all = await ada.post('/staff/prices', {
    ...carriedBy(await page('/staff/prices'), 'confirm-all'),
    proof: 'Invoices of 2024',
  });
  expect(all.status).toBe(303);
  await until(async () => !(await open('/claims')).includes('come from the academy brief, 2025. We have no record'));
  expect((await page('/staff/prices')).includes('Every original price is proved.')).toBe(true);
  // One that nothing proves is in the list, and the head of the list does not deny it.
  const latest = db.selectFrom('prices').select('prices.id').where('until_at', 'is', null);
  const one = latest.where('original_cents', 'is not', null).orderBy('prices.id', 'desc').limit(1);
  await db.updateTable('prices').set({ proof: null, proved_at: null, proved_by: null }).where('id', '=', one).execute();
  expect(await page('/staff/prices')).toContain('1 original price is not shown in public, because nothing proves it.');
  // The first one keeps what was said of it.
  expect((await open('/claims')).includes('Shown by: Price list of 1 March 2025.')).toBe(true);
});

test('P47: /claims shows what the courses of each combo cost apart, and their prices do not rise during the promotion', async () => {
  const claims = await open('/claims');
  const combos = await academy.database.db
    .selectFrom('combos')
    .select('title')
    .where('retired_at', 'is', null)
    .execute();
  for (const { title } of combos) expect(claims.includes(title), title).toBe(true);
  expect(claims.match(/<\/b>: (?:<!-- -->)?[^<]*together: you save AU\$/g)).toHaveLength(combos.length);
  const inCombo = await academy.database.db
    .selectFrom('combo_courses')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['slug', 'price_cents', 'original_price_cents'])
    .where('original_price_cents', 'is', null)
    .executeTakeFirst();
  const { slug, price_cents } =
    inCombo ??
    (await academy.database.db
      .selectFrom('combo_courses')
      .innerJoin('courses', 'courses.id', 'course_id')
      .select(['slug', 'price_cents'])
      .executeTakeFirstOrThrow());
  const path = `/staff/prices/${slug}`;
  const dearer = await ada.post(path, {
    ...carriedBy(await page(path), 'price'),
    price: String(price_cents / 100 + 1),
    original: '',
    from: '',
    note: '',
  });
  const promotion = await page('/staff/prices/promotion');
  expect([promotion.includes('it ends on'), promotion.includes('name="until"')]).toEqual([true, false]);
  // A planned rise says the day on which it will hold.
  const planned = await ada.post(path, {
    ...carriedBy(await page(path), 'price'),
    ...{ price: String(price_cents / 100 + 1), original: '', from: '2025-09-10', note: '' },
  });
  expect(planned.status).toBe(303);
  const days = [await page(path), await page('/staff/prices?state=planned')];
  expect(days.map((text) => [text.includes('12 Sept 2025, 4:14 AM'), text.includes('10 Sept 2025')])).toEqual([
    [true, false],
    [true, false],
  ]);
  expect([dearer.status, (await dearer.text()).includes('on promotion until Friday 12 September 2025')]).toEqual([
    409,
    true,
  ]);
});

test('P76: a change is seen soon, leaves enrolments as they are, and a draft keeps the lower price', async () => {
  const { db } = academy.database;
  const courseDate = await makeCourseDate(db, { course });
  const { reference } = await placeIn(db, courseDate);
  const { price_cents: was } = await db
    .selectFrom('courses')
    .select('price_cents')
    .where('slug', '=', course)
    .executeTakeFirstOrThrow();
  const lower = was / 100 - 99.5;
  const wrong = await send({ act: 'price', price: 'cheap', original: '1', from: '2025-09-01', note: '' });
  expect([wrong.status, (await wrong.text()).includes('Enter an amount such as 2199 or 2199.50.')]).toEqual([
    400,
    true,
  ]);
  const done = await send({ act: 'price', price: String(lower), original: '', from: '', note: 'Spring' });
  expect(done.status).toBe(303);
  const text = `AU$${lower.toFixed(2).replace(/\B(?=(\d{3})+(\.|$))/g, ',')}`;
  await until(async () => (await open(`/course/${course}`)).includes(text));
  const { price_cents: kept } = await db
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select('places.price_cents')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  expect(kept).toBe(was);
  const shown = await page(prices);
  const trace = (await page(`/staff/trace?kind=course&about=${course}`)).replaceAll('<!-- -->', '');
  expect(trace).toContain(`price: AU$5,499.00 → ${text}`);
  for (const part of [
    'Spring',
    'Ada Byron',
    'changed its price',
    'Nobody in the checkout or with an offer of the waiting list was shown another price.',
  ]) {
    expect(shown.includes(part), part).toBe(true);
  }
  const never = await send({ act: 'price', price: String(lower), original: String(was / 100), from: '', note: '' });
  expect([never.status, (await never.text()).includes('was not charged for four weeks')]).toEqual([409, true]);
});

test('P76: a change is planned, listed and withdrawn', async () => {
  const plan = { act: 'price', price: '1000', again: '1000', original: '', from: '2025-12-01', note: '' };
  expect((await send(plan)).status).toBe(303);
  const listed = await page(prices);
  expect(listed.includes('1 Dec 2025, 12:00 AM')).toBe(true);
  expect((await page('/staff/prices?state=planned')).includes(prices)).toBe(true);
  const [, id = ''] = /name="plan" value="(\d+)"/.exec(listed) ?? [];
  const withdrawn = await send({ act: 'withdraw', plan: id });
  expect(withdrawn.status).toBe(303);
  expect((await page('/staff/prices?state=planned')).includes(prices)).toBe(false);
});

test('P76: a price that changes by more than half needs a second confirmation', async () => {
  const slip = { act: 'price', price: '54.99', original: '', from: '', note: '' };
  const asked = await send(slip);
  expect([asked.status, await asked.text()]).toEqual([409, expect.stringContaining('type the price again')]);
  expect((await send({ ...slip, again: '549.9' })).status).toBe(409);
  expect((await send({ ...slip, again: '54.99' })).status).toBe(303);
});

test('P76: admissions and readers see prices and their proof, and change nothing', async () => {
  for (const role of ['admissions', 'editor', 'reader'] as const) {
    const other = await signInStaff(academy, `${role}@example.com`, role, { role });
    const shown = await page(prices, other);
    expect([shown.includes('Periods'), shown.includes('name="price"')], role).toEqual([true, false]);
    const sent = await other.post(prices, { ...carriedBy(await page(prices), 'price'), price: '1' });
    expect(sent.status, role).toBe(403);
  }
});

test('P69: the acts on the prices of a course are still there after it was renamed, and a form opened before is taken', async () => {
  const { db } = academy.database;
  const old = 'ccsp';
  const path = `/staff/prices/${old}`;
  const form = carriedBy(await page(path), 'price');
  const { price_cents } = await db
    .selectFrom('courses')
    .select('price_cents')
    .where('slug', '=', old)
    .executeTakeFirstOrThrow();
  const cheaper = (less: number) => ({
    ...form,
    price: String(price_cents / 100 - less),
    original: '',
    from: '',
    note: '',
  });
  expect((await ada.post(path, cheaper(1))).status).toBe(303);
  const before = carriedBy(await page(path), 'price');
  const renamed = { kind: 'course', key: old, to: { slug: 'ccsp-renamed' } } as const;
  expect(await publishChange(db, renamed, openingDay)).toMatchObject({ ok: true });
  for (const slug of [old, 'ccsp-renamed']) {
    expect(await page(`/staff/prices/${slug}`)).toContain('changed its price');
  }
  expect((await ada.post(path, { ...cheaper(2), ...before })).status).toBe(303);
  const acts = await db.selectFrom('audit_entries').select('subject').where('action', '=', 'change-price').execute();
  expect(acts.map(({ subject }) => subject).filter((subject) => subject.includes('ccsp'))).toEqual([
    'course:ccsp',
    'course:ccsp-renamed',
  ]);
});

test('P16, P47: a promotion that staff start says its last day, to visitors and to staff', async () => {
  academy.setNow(new Date('2025-11-20T09:00:00+10:00'));
  const path = '/staff/prices/promotion';
  const by = await signInStaff(academy, 'bea@example.com', 'Bea Aldous');
  const fields = { subject: 'Career Booster Combos', until: '2025-11-30' };
  expect((await by.post(path, { ...carriedBy(await page(path, by), 'start'), ...fields })).status).toBe(303);
  await until(async () => (await open('/combos')).includes('until Sunday 30 November at 11:59 PM Brisbane time'));
  expect((await open('/')).includes('Monday 1 December')).toBe(false);
  expect((await page(path, by)).includes('it ends on 30 Nov 2025, 11:59 PM.')).toBe(true);
});
