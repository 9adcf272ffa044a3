import { afterAll, beforeAll, expect, test } from 'vitest';
import { draftOf, enroller } from '#scripts/support/enrolling.ts';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { mainText, visitor } from '#tests/support/enrolling.ts';
import { makeCourseDate, momentAt, placeIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { personOf, signInPlayer } from '#tests/support/players.ts';

/** CISSP, AU$5,499, for an organisation that has paid before, has 10% off and 30 seats of credit (P117). */
let academy: AcademyApp;
let query: string;
let way: Record<string, string>;
const opening = new Date('2025-09-08T09:00:00+10:00');
const council = { organisation: 'Councilworks', abn: '51824753556' };
const email = 'manager@works.example';

beforeAll(async () => {
  academy = await openAcademyApp();
  academy.setNow(opening);
  const { db } = academy.database;
  const { id: organisationId } = await db
    .insertInto('organisations')
    .values({ legal_name: council.organisation, abn: council.abn, made_at: opening })
    .returning('id')
    .executeTakeFirstOrThrow();
  const personId = await personOf(db, email);
  await db.updateTable('person_emails').set({ verified_at: opening }).where('email', '=', email).execute();
  await db.updateTable('people').set({ name: 'Grace Hopper' }).where('id', '=', personId).execute();
  await db
    .insertInto('organisation_managers')
    .values({ organisation_id: organisationId, person_id: personId, since: opening })
    .execute();
  const date = await makeCourseDate(db, { startsOn: '2025-11-03', capacity: 100 });
  const { enrolmentId } = await placeIn(db, date, {
    buyer: { name: 'Grace Hopper', email, phone: null },
    payer: { kind: 'organisation', ...council, address: null, purchaseOrder: null, accountsEmail: null },
  });
  await receive(db, enrolmentId, 549_900, momentAt('2025-09-08T09:00'));
  await db
    .updateTable('organisations')
    .set({ discount_percent: 10, credit_seats: 30 })
    .where('id', '=', organisationId)
    .execute();
  const known = () => academy.services.snapshot.current().courseDates.find(({ id }) => id === date.id);
  await until(() => known() !== undefined);
  query = `courseDate=${known()?.slug}`;
  way = { 'way-cissp': `course-date:${known()?.slug}`, attendees: 'more' };
});
afterAll(() => academy.close());

/** The manager, logged in. */
async function manager() {
  const { cookies } = await signInPlayer(academy, await personOf(academy.database.db, email));
  const one = enroller({
    request: (path, { headers, ...init } = {}) =>
      academy.request(path, { ...init, headers: { ...headers, Cookie: `player=${cookies.get('player')}` } }),
    code: async () => '',
  });
  const choose = async (people: string) => one.post('/enrol', await one.filled(`/enrol?${query}`, { ...way, people }));
  return { ...one, choose };
}

test('P115: a manager who is logged in chooses fourteen seats, and pays the agreed price without a code', async () => {
  const { choose, get, fillIn, place } = await manager();
  expect(await mainText(await get(`/enrol?${query}`))).toContain('Up to 40 for your organisation');
  const draft = draftOf(await choose('14')) ?? '';
  expect((await fillIn(draft, email, { payer: 'organisation', self: '', ...council })).status).toBe(303);
  expect(await mainText(await get(`${draft}/review`))).toContain('AU$69,287.40');
  expect((await place(draft)).headers.get('Location')).toMatch(/\/done$/);
});

test('P117: the first step shows a manager what is agreed, also when it is refused', async () => {
  const { choose, get } = await manager();
  const agreed = 'Agreed with Councilworks: 10% off';
  expect(await mainText(await get(`/enrol?${query}`))).toContain(agreed);
  expect(await mainText(await choose('31'))).toContain(agreed);
  expect(await mainText(await academy.request(`/enrol?${query}`))).not.toContain('Agreed');
});

test('P117: an organisation holds no more seats at once than its credit', async () => {
  const { choose } = await manager();
  const refused = await choose('31');
  expect(refused.status).toBe(409);
  expect(await mainText(refused)).toContain('30 people at once for your organisation');
});

test('P28: a stranger who chooses fourteen, or types the manager’s address, is led to the request', async () => {
  const { choose, post } = visitor(academy, '198.51.100.21');
  const first = await choose(query, { ...way, people: '14' });
  expect(first).toMatch(/^\/enrol\//);
  const draft = await choose(query, { ...way, attendees: '2' });
  await post(`${draft}/payer`, { payer: 'organisation', buyerName: 'Eve', email, ...council });
  const changed = await post(draft, { item: 'course:cissp', ...way, people: '14' });
  expect(changed.headers.get('Location')).toMatch(/\/request$/);
});
