import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { type AgreedDiscount, agreedPrices, type CoursePrice } from '#app/features/money/pricing.ts';
import type { Payer } from './order.ts';

/**
 * The id of the organisation that a payer names and the person with an address manages (P110); null for none. Its ABN
 * says which it is, or its name where one of the two has no ABN. An ABN alone gives nobody anything.
 */
export async function findManaged(
  db: Db,
  {
    email,
    payer,
  }: { email: string; payer: Pick<Payer, 'kind'> & { organisation?: string | null; abn?: string | null } },
): Promise<number | null> {
  if (payer.kind === 'person') return null;
  const { abn = null, organisation = null } = payer;
  const row = await db
    .selectFrom('organisations')
    .innerJoin('organisation_managers', 'organisation_id', 'organisations.id')
    .innerJoin('person_emails', 'person_emails.person_id', 'organisation_managers.person_id')
    .select('organisations.id')
    .where('person_emails.email', '=', email.toLowerCase())
    .where('ended_at', 'is', null)
    .where(
      sql<boolean>`(abn = ${abn} or ((abn is null or ${abn}::text is null)
        and lower(${organisation}) in (lower(legal_name), lower(trading_name))))`,
    )
    .orderBy(sql`abn = ${abn} desc nulls last`)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Locks an enrolment and returns its organisation (P110); null for none. Throws when there is no such enrolment. */
export async function lockOrganisationOf(trx: Trx, enrolmentId: number): Promise<number | null> {
  const row = await trx
    .selectFrom('enrolments')
    .select('organisation_id')
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return row.organisation_id;
}

/** Gives a locked enrolment to an organisation, or takes it back with null (P110). */
export async function setOrganisation(trx: Trx, enrolmentId: number, organisationId: number | null): Promise<void> {
  await trx.updateTable('enrolments').set({ organisation_id: organisationId }).where('id', '=', enrolmentId).execute();
}

/**
 * What is agreed with an organisation (P117): its discount, null for none, and how many of its seats may be unpaid, null
 * for one that has paid nothing before or has no credit: the limits on strangers hold for it.
 */
export type Agreed = {
  organisationId: number;
  discount: AgreedDiscount | null;
  creditSeats: number | null;
};

/** Prices as this buyer pays them (P117). */
export const chargedPrices = (prices: readonly CoursePrice[], known: Agreed | null): readonly CoursePrice[] =>
  known?.discount ? agreedPrices(prices, known.discount) : prices;

/** How many people a buyer enrols without staff (P28, P115). */
export const mostPeopleOf = (known: Agreed | null): number =>
  known?.creditSeats ? mostSeats.organisation : mostSeats.person;

/** What is agreed with the organisation that a buyer with a proved address manages and names; null for everybody else. */
export async function readKnown(db: Db, buyer: Parameters<typeof findManaged>[1]): Promise<Agreed | null> {
  const id = await findManaged(db, buyer);
  return id === null ? null : readAgreed(db, id);
}

/**
 * A manager who is logged in, as the buyer of a checkout: the organisation that has paid before, else the first of those
 * they manage, and the address that they proved. Null for somebody who manages none.
 */
export async function readManagerAsBuyer(db: Db, personId: number) {
  const rows = await db
    .selectFrom('organisations')
    .innerJoin('organisation_managers', 'organisation_id', 'organisations.id')
    .innerJoin('people', 'people.id', 'organisation_managers.person_id')
    .innerJoin('person_emails', (join) =>
      join.onRef('person_emails.person_id', '=', 'people.id').onRef('person_emails.email', '=', 'people.email'),
    )
    .select(['organisations.id', 'legal_name', 'abn', 'address', 'people.name', 'person_emails.email'])
    .where('people.id', '=', personId)
    .where('ended_at', 'is', null)
    .where('verified_at', 'is not', null)
    .orderBy('credit_seats', 'desc')
    .orderBy('organisations.id')
    .execute();
  const [row] = rows;
  return row ? { ...row, agreed: await readAgreed(db, row.id) } : null;
}

/** What is agreed with an organisation. Throws when there is none of this id. */
export async function readAgreed(db: Db, id: number): Promise<Agreed> {
  const row = await db
    .selectFrom('organisations')
    .select(['legal_name', 'trading_name', 'discount_percent', 'credit_seats'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { discount_percent: percent, credit_seats: seats } = row;
  return {
    organisationId: id,
    discount: percent > 0 ? { name: row.trading_name ?? row.legal_name, percent } : null,
    creditSeats: seats > 0 && (await hasPaid(db, id)) ? seats : null,
  };
}

async function hasPaid(db: Db, organisationId: number): Promise<boolean> {
  const rows = await db.selectFrom('enrolments').select('id').where('organisation_id', '=', organisationId).execute();
  const accounts = await accountsOf(
    db,
    rows.map(({ id }) => id),
  );
  return [...accounts.values()].some(({ paidCents, refundedCents }) => paidCents > refundedCents);
}

/** Moves all enrolments of an organisation to another (P118). */
export async function moveEnrolments(trx: Trx, { from, into }: { from: number; into: number }): Promise<void> {
  await trx.updateTable('enrolments').set({ organisation_id: into }).where('organisation_id', '=', from).execute();
}
