import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimPath } from '#app/features/companies/claim-seat.server.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { visitor } from '#tests/support/enrolling.ts';
import { attendee, makeCourseDate, momentAt, orderOf, seatIn } from '#tests/support/enrolments.ts';

let academy: AcademyApp;
const opening = momentAt('2025-09-08T09:00');
let networks = 0;
let buyers = 0;

beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());
beforeEach(() => academy.setNow(opening.now));

/** An enrolment of an organisation with seats without a name; `domains` are those of its organisation. */
async function booked({ seats = 2, domains = [] as string[] } = {}) {
  const { db } = academy.database;
  const number = ++buyers;
  const abn = String(51_824_753_556 + number);
  await db
    .insertInto('organisations')
    .values({ legal_name: 'Councilworks', abn, mail_domains: domains, made_at: opening.now })
    .execute();
  const attendees = Array.from({ length: seats }, () => attendee({ name: null }));
  const email = `boss@council${number}.example`;
  const order = await orderOf(db, [seatIn(await makeCourseDate(db, { capacity: 40 }))], {
    attendees,
    buyer: { name: 'Grace Hopper', email, phone: null },
    payer: {
      kind: 'organisation',
      organisation: 'Councilworks',
      abn,
      address: null,
      purchaseOrder: null,
      accountsEmail: null,
    },
  });
  const placed = await db.transaction().execute((trx) => placeEnrolment(trx, order, opening));
  if (!placed.ok) throw new Error(placed.reason);
  const page = `/enrolment/${placed.token}`;
  const claim = claimPath(academy.services.academy.forms.secret, placed.reference);
  const names = async () =>
    (
      await db
        .selectFrom('attendees')
        .select('name')
        .where('enrolment_id', '=', placed.enrolmentId)
        .orderBy('id')
        .execute()
    ).map(({ name }) => name);
  return { page, claim, names, email, enrolmentId: placed.enrolmentId };
}

/** Claims a seat with the code of an address; returns where it leads, or the status of a refusal. */
async function claimed(claim: string, name: string, email: string) {
  const { post, code } = visitor(academy, `198.51.100.${++networks}`);
  await post(claim, { name, email, intent: 'code' });
  const answer = await post(claim, { name, email, code: await code(email), intent: 'claim' });
  return answer.headers.get('Location') ?? answer.status;
}
const kindsTo = async (recipient: string) =>
  (
    await academy.database.db
      .selectFrom('mails')
      .select('kind')
      .where('recipient', '=', recipient)
      .orderBy('queued_at')
      .execute()
  ).map(({ kind }) => kind);

test('P115: a colleague with an address of the domain takes a seat at once, and no second one', async () => {
  const { claim, names } = await booked({ domains: ['team.example'] });
  for (const _ of [1, 2]) expect(await claimed(claim, 'Ada Byron', 'ada@team.example')).toBe(`${claim}?done=taken`);
  expect(await names()).toEqual(['Ada Byron', null]);
  expect((await kindsTo('ada@team.example')).filter((kind) => kind === 'place-given')).toHaveLength(1);
});

test('P115: of anybody else the buyer says yes or no on the page of names', async () => {
  const { claim, names, page, email } = await booked({ domains: ['team.example'] });
  expect(await claimed(claim, 'Ada Byron', 'ada@other.example')).toContain('done=asked');
  expect(await claimed(claim, 'Mallory', 'mallory@other.example')).toContain('done=asked');
  expect(await names()).toEqual([null, null]);
  expect((await kindsTo(email)).filter((kind) => kind === 'seat-claimed')).toHaveLength(2);
  const { post, read } = visitor(academy, '198.51.100.200');
  expect(await read(`${page}/names`)).toContain('ada@other.example');
  const waiting = await academy.database.db
    .selectFrom('seat_claims')
    .select(['id', 'name'])
    .where('answer', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id, name } of waiting)
    expect((await post(`${page}/names`, { claim: String(id), answer: name === 'Mallory' ? 'no' : 'yes' })).status).toBe(
      303,
    );
  expect(await names()).toEqual(['Ada Byron', null]);
  expect(await claimed(claim, 'Mallory', 'mallory@other.example')).toBe(409);
});

test('P115: of the last seat only one of two gets it', async () => {
  const { claim, names } = await booked({ seats: 1, domains: ['team.example'] });
  const both = await Promise.all([
    claimed(claim, 'Ada Byron', 'ada2@team.example'),
    claimed(claim, 'Mary Jackson', 'mary2@team.example'),
  ]);
  expect(both.filter((one) => one === 409)).toHaveLength(1);
  expect((await names()).filter(Boolean)).toHaveLength(1);
});

test('P115: without the right code nobody claims, and a link with another key opens nothing', async () => {
  const { claim, names } = await booked({ domains: ['team.example'] });
  const { post, get } = visitor(academy, '198.51.100.201');
  const fields = { name: 'Ada Byron', email: 'ada3@team.example', intent: 'claim', code: '000000' };
  expect((await post(claim, fields)).status).toBe(400);
  expect((await get(claim.slice(0, -48) + '0'.repeat(48))).status).toBe(404);
  expect(await names()).toEqual([null, null]);
});

test('P32: opening a claim link changes nothing and names nobody', async () => {
  const { claim, enrolmentId } = await booked();
  const { read } = visitor(academy, '198.51.100.202');
  const now = () =>
    academy.database.db.selectFrom('enrolments').selectAll().where('id', '=', enrolmentId).executeTakeFirst();
  const before = await now();
  expect(await read(claim)).toContain('Councilworks has booked this course and has 2 seats without a name.');
  expect(await now()).toEqual(before);
});

test('P115: colleagues behind one network all get a code by the link, which has its own limit', async () => {
  const { claim } = await booked();
  const { post } = visitor(academy, '198.51.100.203');
  const ask = async (number: number) => {
    const email = `colleague${number}@team.example`;
    await post(claim, { name: 'Ada Byron', email, intent: 'code' });
    return (await kindsTo(email)).length;
  };
  const mailed: number[] = [];
  for (let number = 1; number <= 19; number++) mailed.push(await ask(number));
  // Two seats: ten codes and four for each.
  expect(mailed).toEqual([...Array.from({ length: 18 }, () => 1), 0]);
});
