import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { attends, issued, makeClass, pageOf } from '#tests/support/certificates.ts';
import { mainText } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, type OrderWish, placeIn } from '#tests/support/enrolments.ts';
import { personOf, signInPlayer } from '#tests/support/players.ts';
import { openBrowser } from '#tests/support/sign-in.ts';
import { type SignedIn, signInStaff } from '#tests/support/staff.ts';

let academy: AcademyApp;
let staff: SignedIn;
let date: { id: number; courseId: number };
const opening = new Date('2025-09-08T09:00:00+10:00');
const abn = '51824753556';
beforeAll(async () => {
  academy = await openAcademyApp();
  staff = await signInStaff(academy, 'ada@example.com', 'Ada Byron');
  date = await makeCourseDate(academy.database.db, { capacity: 120 });
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(opening));

let organisations = 0;
/** An organisation with managers, each of whom proved their address and is logged in. */
async function councilOf(...emails: string[]) {
  const { db } = academy.database;
  const name = `Council ${++organisations}`;
  const own = `${53004085616 + organisations}`;
  const { id } = await db
    .insertInto('organisations')
    .values({ legal_name: name, abn: own, made_at: opening })
    .returning('id')
    .executeTakeFirstOrThrow();
  const managers = [];
  for (const email of emails) {
    const personId = await personOf(db, email);
    await db.updateTable('person_emails').set({ verified_at: opening }).where('email', '=', email).execute();
    await db
      .insertInto('organisation_managers')
      .values({ organisation_id: id, person_id: personId, since: opening })
      .execute();
    managers.push({ personId, email, browser: await signInPlayer(academy, personId) });
  }
  return { id, name, abn: own, page: `/company/${id}`, managers };
}

let buyers = 0;
/** An enrolment that an organisation pays, bought by somebody of their own unless the test says by whom. */
const bought = (of: { name: string; abn: string | null }, wish: OrderWish = {}) =>
  placeIn(academy.database.db, date, {
    buyer: { name: 'Grace Hopper', email: `buyer${++buyers}@office${buyers}.example`, phone: null },
    payer: {
      ...{ kind: 'organisation', organisation: of.name, abn: of.abn, address: null },
      ...{ purchaseOrder: null, accountsEmail: null },
    },
    ...wish,
  });
const buyerOf = (email: string) => ({ name: 'Grace Hopper', email, phone: null });
const belongsTo = async (reference: string) =>
  (
    await academy.database.db
      .selectFrom('enrolments')
      .select('organisation_id')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
  ).organisation_id;
const send = (address: string, fields: Record<string, string>) => openBrowser(academy).post(address, fields);
const linksOn = (html: string) => [...new Set(html.match(/\/enrolment\/[0-9a-f]{48}/g))];
const mailsTo = async (recipient: string) =>
  (await academy.database.db.selectFrom('mails').select('kind').where('recipient', '=', recipient).execute()).map(
    ({ kind }) => kind,
  );
const first = <One>(all: readonly One[]): One => {
  const [one] = all;
  if (one === undefined) throw new Error('there is none');
  return one;
};

test('P110: an ABN alone gives nobody anything: a stranger’s enrolment is seen by no manager, nor theirs by the stranger', async () => {
  const council = await councilOf('manager@one.example');
  const { reference, token } = await bought(council);
  expect(await belongsTo(reference)).toBe(null);
  const page = await first(council.managers).browser.get(council.page);
  expect(await page.text()).not.toContain(reference);
  expect(await mainText(await academy.request(`/enrolment/${token}/organisation`))).toContain('Ask its managers');
});

test('P110: what a manager places in the organisation’s name belongs to it; what they buy for themselves does not', async () => {
  const council = await councilOf('manager@two.example');
  const mine = buyerOf('manager@two.example');
  expect(await belongsTo((await bought(council, { buyer: mine })).reference)).toBe(council.id);
  const alone = await bought(council, { buyer: mine, payer: { kind: 'person', address: null } });
  expect(await belongsTo(alone.reference)).toBe(null);
  const other = await bought({ name: 'Somebody Else', abn }, { buyer: mine });
  expect(await belongsTo(other.reference)).toBe(null);
});

test('P110: the buyer of a new ABN sets the organisation up, once, and manages no more than what they gave it', async () => {
  const company = { name: 'New Works', abn: '11000000948' };
  const before = await bought(company);
  const { reference, token } = await bought(company, { buyer: buyerOf('founder@new.example') });
  const path = `/enrolment/${token}/organisation`;
  for (const _ of [1, 2]) expect((await send(path, { act: 'set-up' })).status).toBe(303);
  expect(await belongsTo(reference)).not.toBe(null);
  expect(await belongsTo(before.reference)).toBe(null);
  const founder = await signInPlayer(academy, await personOf(academy.database.db, 'founder@new.example'));
  const page = await (await founder.get(`/company/${await belongsTo(reference)}`)).text();
  expect([page.includes(reference), page.includes(before.reference)]).toEqual([true, false]);
});

test('P110: managers are asked once, take the enrolment or leave it, and its buyer becomes no manager', async () => {
  const council = await councilOf('manager@three.example', 'second@three.example');
  const asks = await bought(council, { buyer: buyerOf('clerk@three.example') });
  for (const _ of [1, 2]) await send(`/enrolment/${asks.token}/organisation`, { act: 'ask' });
  for (const { email } of council.managers)
    expect((await mailsTo(email)).filter((kind) => kind === 'organisation-asked')).toHaveLength(1);
  const [one, two] = council.managers;
  expect(await mainText(await first(council.managers).browser.get(council.page))).toContain(
    `Is ${asks.reference} yours?`,
  );
  const answers = await Promise.all(
    [one, two].map((manager) => manager?.browser.post(council.page, { act: 'take', reference: asks.reference })),
  );
  expect(answers.map((answer) => answer?.status).toSorted()).toEqual([303, 409]);
  expect(await belongsTo(asks.reference)).toBe(council.id);
  expect(await mailsTo('clerk@three.example')).toContain('organisation-answered');
  const clerk = await signInPlayer(academy, await personOf(academy.database.db, 'clerk@three.example'));
  expect((await clerk.get(council.page)).status).toBe(404);
});

test('P116: a manager opens, names and cancels as the buyer does, and all managers read who did it', async () => {
  const council = await councilOf('manager@four.example', 'second@four.example');
  const places = { attendees: [attendee({ name: null })], buyer: buyerOf('manager@four.example') };
  const { reference, enrolmentId } = await bought(council, places);
  const second = council.managers[1]?.browser ?? first(council.managers).browser;
  const [link = ''] = linksOn(await (await second.get(council.page)).text());
  const { id } = await academy.database.db
    .selectFrom('attendees')
    .select('id')
    .where('enrolment_id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  const named = { attendee: String(id), 'name-1': 'Joan Clarke', 'email-1': 'joan@four.example' };
  expect((await second.post(`${link}/attendee/${id}`, named)).status).toBe(303);
  const page = await mainText(await first(council.managers).browser.get(council.page));
  for (const words of ['Joan Clarke', 'Named, not opened yet', 'second@four.example named who attends', reference])
    expect(page).toContain(words);
  const file = await (await second.get(`${council.page}/people.csv`)).text();
  expect(file).toContain('"Joan Clarke","joan@four.example"');
});

test('P116: a manager’s link ends with them, at once, and proves no address of the buyer', async () => {
  const { db } = academy.database;
  const council = await councilOf('manager@five.example', 'second@five.example');
  const { token } = await bought(council, { buyer: buyerOf('manager@five.example') });
  expect(token).toMatch(/^[0-9a-f]{48}$/);
  const [one, two] = council.managers;
  const [link = ''] = linksOn(await ((await two?.browser.get(council.page)) ?? new Response()).text());
  expect((await academy.request(link)).status).toBe(200);
  const { id } = await db
    .selectFrom('organisation_managers')
    .select('id')
    .where('person_id', '=', two?.personId ?? 0)
    .executeTakeFirstOrThrow();
  await one?.browser.post(council.page, { act: 'end-manager', manager: String(id) });
  expect((await academy.request(link)).status).toBe(404);
  expect((await two?.browser.get(council.page))?.status).toBe(404);
  expect((await two?.browser.post(council.page, { act: 'add-manager', email: 'x@five.example' }))?.status).toBe(403);
});

test('P116: the last manager stays until another has logged in; two who end each other leave one', async () => {
  const council = await councilOf('manager@six.example');
  const { browser } = first(council.managers);
  const idOf = async (email: string) =>
    String(
      (
        await academy.database.db
          .selectFrom('organisation_managers')
          .select('id')
          .where('organisation_id', '=', council.id)
          .where('person_id', '=', await personOf(academy.database.db, email))
          .where('ended_at', 'is', null)
          .executeTakeFirstOrThrow()
      ).id,
    );
  expect((await browser.post(council.page, { act: 'add-manager', email: 'new@six.example' })).status).toBe(303);
  expect(await mailsTo('new@six.example')).toEqual(['manager-named']);
  const own = await idOf('manager@six.example');
  const left = await browser.post(council.page, { act: 'end-manager', manager: own });
  expect([left.status, await mainText(left)]).toEqual([409, expect.stringContaining('One manager has to stay')]);
  const added = await idOf('new@six.example');
  const { db } = academy.database;
  await db.updateTable('person_emails').set({ verified_at: opening }).where('email', '=', 'new@six.example').execute();
  const other = await signInPlayer(academy, await personOf(db, 'new@six.example'));
  const ends = await Promise.all([
    browser.post(council.page, { act: 'end-manager', manager: added }),
    other.post(council.page, { act: 'end-manager', manager: own }),
  ]);
  expect(ends.map(({ status }) => status).toSorted()).not.toEqual([303, 303]);
});

test('P118: staff give an enrolment and take it back, see the page as its managers do, and act on neither', async () => {
  const council = await councilOf('manager@seven.example');
  const { reference } = await bought(council);
  const page = `/staff/organisations/${council.id}`;
  const form = () => ({ form: crypto.randomUUID(), seen: '0' });
  expect(await mainText(await staff.get(page))).toContain('Not its own yet');
  expect((await staff.post(page, { ...form(), act: 'give', reference })).status).toBe(303);
  expect(await belongsTo(reference)).toBe(council.id);
  const seen = await (await staff.get(`${page}/page`)).text();
  expect(seen).toContain(`/staff/enrolments/${reference}`);
  expect(linksOn(seen)).toEqual([]);
  const other = await councilOf();
  const twice = await staff.post(`/staff/organisations/${other.id}`, { ...form(), act: 'give', reference });
  expect(await mainText(twice)).toContain(`It belongs to ${council.name}`);
  expect((await staff.post(page, { ...form(), act: 'take-back', reference })).status).toBe(303);
  expect(await belongsTo(reference)).toBe(null);
});

test('P118: two organisations become one: what moves is said first, and managers of either see the enrolments of both', async () => {
  const stays = await councilOf('stays@eight.example', 'both@eight.example');
  const ends = await councilOf('ends@eight.example', 'both2@eight.example');
  const moved = await bought(ends, { buyer: buyerOf('ends@eight.example') });
  const page = `/staff/organisations/${stays.id}/join`;
  const said = await mainText(await staff.get(`${page}?other=${ends.id}`));
  for (const words of ['Enrolments 1', 'ends@eight.example, both2', 'is nobody’s then']) expect(said).toContain(words);
  const form = { form: crypto.randomUUID(), seen: '0', act: 'join', other: String(ends.id) };
  for (const _ of [1, 2]) expect((await staff.post(page, form)).status).toBe(303);
  expect(await belongsTo(moved.reference)).toBe(stays.id);
  for (const { browser } of [...stays.managers, ...ends.managers])
    expect(await (await browser.get(stays.page)).text()).toContain(moved.reference);
  expect((await staff.get(`/staff/organisations/${ends.id}`)).status).toBe(404);
});

test('P116: the organisation sees that somebody finished, and the certificate once they let it, by one press each way', async () => {
  const { db } = academy.database;
  const council = await councilOf('manager@nine.example');
  const group = await makeClass(db);
  const there = await attends(db, group, { email: 'holder@nine.example' });
  const { number } = await issued(db, there.placeId);
  const own = { organisation_id: council.id };
  await db.updateTable('enrolments').set(own).where('id', '=', there.enrolmentId).execute();
  const page = async () => (await first(council.managers).browser.get(council.page)).text();
  expect([(await page()).includes('Finished'), (await page()).includes(number)]).toEqual([true, false]);
  const certificate = `${await pageOf(db, there)}/${there.placeId}/certificate`;
  for (const [sees, shown] of [
    ['yes', true],
    ['no', false],
  ] as const) {
    expect((await send(certificate, { act: 'employer', sees })).status).toBe(303);
    expect((await page()).includes(number)).toBe(shown);
  }
});
