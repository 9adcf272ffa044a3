import type { Db } from '#app/db/client.server.ts';
import type { OfferFacts } from '#app/documents/offer-facts.ts';
import { readMoneyRecordsOf } from '#app/features/enrolments/account.server.ts';
import { readEnrolments } from '#app/features/enrolments/queries.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { readActs } from './acts.server.ts';
import { readAsks } from './belonging.server.ts';
import { managersOf } from './queries.server.ts';
import type { OfferState } from './rules.ts';

/** The newest enrolments that one page shows. */
const mostEnrolments = 300;

/** The organisations that a person manages, by name (P116). */
export async function organisationsOf(db: Db, personId: number): Promise<{ id: number; name: string }[]> {
  const rows = await db
    .selectFrom('organisations')
    .innerJoin('organisation_managers', 'organisation_id', 'organisations.id')
    .select(['organisations.id', 'legal_name', 'trading_name'])
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .execute();
  return rows
    .map(({ id, legal_name, trading_name }) => ({ id, name: trading_name ?? legal_name }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Everything an organisation's page is made of but the records of study (P116), as of one moment. */
export type CompanyRecords = NonNullable<Awaited<ReturnType<typeof readCompany>>>;

/** Reads the page of an organisation; whoever asks is known to manage it. Null when there is none. */
export function readCompany(db: Db, id: number, now: Date) {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const organisation = await trx.selectFrom('organisations').selectAll().where('id', '=', id).executeTakeFirst();
      if (!organisation) return null;
      const rows = await trx
        .selectFrom('enrolments')
        .select('id')
        .where('organisation_id', '=', id)
        .orderBy('placed_at', 'desc')
        .limit(mostEnrolments)
        .execute();
      const ids = rows.map((row) => row.id);
      const enrolments = await readEnrolments(trx, ids);
      const money = await readMoneyRecordsOf(trx, ids, now);
      const openings = await trx
        .selectFrom('first_openings')
        .select('attendee_id')
        .where('enrolment_id', 'in', [0, ...ids])
        .where('what', '=', 'page')
        .where('attendee_id', 'is not', null)
        .execute();
      return {
        organisation,
        enrolments: enrolments.flatMap((enrolment) => {
          const its = money.get(enrolment.id);
          return its ? [{ enrolment, money: its }] : [];
        }),
        opened: new Set(openings.flatMap(({ attendee_id }) => attendee_id ?? [])),
        offers: await readOffersOf(trx, id),
        asks: await readAsks(trx, id),
        managers: await managersOf(trx, id),
        acts: await readActs(trx, { organisationId: id }),
      };
    });
}

/** The page of an organisation as its managers see it, for staff who look at it without acting. */
export function readCompanyForStaff(db: Db, actor: StaffActor, { id, now }: { id: number; now: Date }) {
  requirePermission(actor, 'companies:read');
  return readCompany(db, id, now);
}

/** The offers to an organisation that were sent, the newest first; of each number the last version. */
async function readOffersOf(db: Db, organisationId: number) {
  const rows = await db
    .selectFrom('offers')
    .select(['id', 'number', 'version', 'state', 'last_day', 'total_cents', 'facts'])
    .where('organisation_id', '=', organisationId)
    .where('state', 'not in', ['draft', 'replaced'])
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ id, number, version, state, last_day: lastDay, total_cents: totalCents, facts }) => ({
    ...{ id, number: number ?? 0, version, state: state as OfferState, lastDay, totalCents },
    // Written by `sendOffer`, and by nobody else.
    title: (facts as OfferFacts | null)?.title ?? '',
  }));
}
