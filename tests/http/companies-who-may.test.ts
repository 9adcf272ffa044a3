import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountTokens } from '#app/outbox/private-links.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { makeCourseDate, placeIn } from '#tests/support/enrolments.ts';
import { personOf, signInPlayer } from '#tests/support/players.ts';
import type { Browser } from '#tests/support/sign-in.ts';
import { linked } from '#tests/support/who-may-send.ts';

/** One enrolment of an organisation, and the links to it of people who may and may not open it (P116). */
let academy: AcademyApp;
let organisationId: number;
let params: Record<string, string>;
const links: Record<string, string> = {};
const browsers: Record<string, Browser> = {};
const opening = new Date('2025-09-08T09:00:00+10:00');

beforeAll(async () => {
  academy = await openAcademyApp();
  academy.setNow(opening);
  const { db } = academy.database;
  const payer = { organisation: 'Councilworks', abn: null, address: null, purchaseOrder: null, accountsEmail: null };
  organisationId = await organisation('Councilworks');
  const other = await organisation('Otherworks');
  for (const [who, of] of [
    ['manager', organisationId],
    ['ended', organisationId],
    ['other', other],
  ] as const)
    await manages(who, of);
  const placed = await placeIn(db, await makeCourseDate(db), {
    buyer: { name: 'Ada Byron', email: 'manager@works.example', phone: null },
    payer: { kind: 'organisation', ...payer },
  });
  // Bought by somebody who is no manager since.
  await db
    .updateTable('enrolments')
    .set({ email: 'buyer@works.example', mailbox: 'buyer@works.example' })
    .where('id', '=', placed.enrolmentId)
    .execute();
  links.buyer = placed.token;
  for (const who of ['manager', 'ended', 'other']) links[who] = await linkOf(who, placed.enrolmentId);
  links.stranger = '0'.repeat(48);
  const ended = { ended_at: opening };
  await db
    .updateTable('organisation_managers')
    .set(ended)
    .where('person_id', '=', await personOf(db, 'ended@works.example'))
    .execute();
  const place = await db
    .selectFrom('places')
    .select(['id', 'attendee_id'])
    .where('enrolment_id', '=', placed.enrolmentId)
    .executeTakeFirstOrThrow();
  const { number } = await db
    .selectFrom('tax_invoices')
    .select('number')
    .where('enrolment_id', '=', placed.enrolmentId)
    .executeTakeFirstOrThrow();
  params = {
    placeId: String(place.id),
    attendeeId: String(place.attendee_id),
    file: `inv-${String(number).padStart(5, '0')}.pdf`,
  };
});
afterAll(() => academy.close());

async function organisation(name: string): Promise<number> {
  const values = { legal_name: name, made_at: opening };
  const made = academy.database.db.insertInto('organisations').values(values).returning('id');
  return (await made.executeTakeFirstOrThrow()).id;
}

async function manages(who: string, of: number): Promise<void> {
  const { db } = academy.database;
  const personId = await personOf(db, `${who}@works.example`);
  await db.updateTable('person_emails').set({ verified_at: opening }).where('person_id', '=', personId).execute();
  const manager = { organisation_id: of, person_id: personId, since: opening };
  await db.insertInto('organisation_managers').values(manager).execute();
  browsers[who] = await signInPlayer(academy, personId);
}

/** The link that the account of somebody would have, whether or not it opens anything. */
async function linkOf(who: string, enrolmentId: number): Promise<string> {
  const { db } = academy.database;
  const { id: signInId } = await db
    .selectFrom('sign_ins')
    .select('id')
    .where('person_id', '=', await personOf(db, `${who}@works.example`))
    .executeTakeFirstOrThrow();
  const [token = ''] = await accountTokens(db, { signInId, secret: 'of a test' }, [{ enrolmentId }]);
  return token;
}

test.each(linked.buyer)('P116: %s opens for its buyer and the manager alike, and for nobody else', async (address) => {
  const statusFor = async (who: string) => {
    const all: Record<string, string> = { ...params, token: links[who] ?? '' };
    const path = address.replaceAll(/:(\w+)/g, (_, name: string) => all[name] ?? '');
    return (await academy.request(`/${path}`)).status;
  };
  expect(await statusFor('manager')).toBe(await statusFor('buyer'));
  for (const who of ['stranger', 'other', 'ended']) expect([who, await statusFor(who)]).toEqual([who, 404]);
});

test('P116: the page and its file open for a manager only; others read that there is none', async () => {
  for (const address of [`/company/${organisationId}`, `/company/${organisationId}/people.csv`]) {
    expect((await browsers.manager?.get(address))?.status).toBe(200);
    for (const who of ['ended', 'other'])
      expect([who, (await browsers[who]?.get(address))?.status]).toEqual([who, 404]);
    expect((await academy.request(address)).status).toBe(302);
  }
});

test('P116: every form of the page is refused to an ended and to another manager', async () => {
  const acts: Record<string, string>[] = [
    { act: 'add-manager', email: 'x@works.example' },
    { act: 'end-manager', manager: '1' },
    { act: 'take' },
  ];
  for (const who of ['ended', 'other'])
    for (const fields of acts)
      expect((await browsers[who]?.post(`/company/${organisationId}`, fields))?.status).toBe(403);
});

test('P50: two people who turn out to be one manage an organisation once', async () => {
  const { db } = academy.database;
  const twice = await organisation('Twiceworks');
  await manages('one', twice);
  await manages('two', twice);
  const [one, two] = [await personOf(db, 'one@works.example'), await personOf(db, 'two@works.example')];
  await db.updateTable('organisation_managers').set({ person_id: one }).where('person_id', '=', two).execute();
  const rows = await db
    .selectFrom('organisation_managers')
    .select('ended_at')
    .where('organisation_id', '=', twice)
    .where('ended_at', 'is', null)
    .execute();
  expect(rows).toHaveLength(1);
});

test('P50: who gets the address of a manager later is none', async () => {
  const { db } = academy.database;
  const moved = await personOf(db, 'manager@works.example');
  await db.insertInto('person_emails').values({ email: 'home@works.example', person_id: moved }).execute();
  await db.updateTable('people').set({ email: 'home@works.example' }).where('id', '=', moved).execute();
  await db.deleteFrom('person_emails').where('email', '=', 'manager@works.example').execute();
  const successor = await signInPlayer(academy, await personOf(db, 'manager@works.example'));
  expect((await successor.get(`/company/${organisationId}`)).status).toBe(404);
});
