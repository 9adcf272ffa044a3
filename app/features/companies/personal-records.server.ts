import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { endedEnrolments } from '#app/features/enrolments/ended-enrolments.server.ts';
import { eraseOfferCodes } from '#app/features/enrolments/enrolling/personal-records.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';

const tables = ['offers', 'offer_lines', 'organisation_managers', 'organisation_acts', 'email_codes', 'person_words'];

/**
 * Offers to a person, and for which organisations they act (P110, P111). An offer whose enrolment still runs stays until
 * that is over; the seats held for an erased one come back when their time is over. An organisation is no person.
 */
export const companyRecords: PersonalRecords = {
  name: 'quotes and organisations',
  tables,
  async read(db, { id, addresses }) {
    const offers = await db.selectFrom('offers').selectAll().where('person_id', '=', id).orderBy('id').execute();
    const managed = await db
      .selectFrom('organisation_managers')
      .innerJoin('organisations', 'organisations.id', 'organisation_id')
      .select(['legal_name', 'abn', 'since', 'ended_at'])
      .where('person_id', '=', id)
      .orderBy('since')
      .execute();
    const acts = await db
      .selectFrom('organisation_acts')
      .innerJoin('organisations', 'organisations.id', 'organisation_id')
      .select(['legal_name', 'act', 'at'])
      .where('person_id', '=', id)
      .orderBy('organisation_acts.id')
      .execute();
    const codes = await db
      .selectFrom('email_codes')
      .select(['email', 'sent_at', 'used_at'])
      .where('offer_id', 'is not', null)
      .where('email', 'in', ['', ...addresses])
      .orderBy('id')
      .execute();
    return [
      ...offers.map(({ mailbox: _, person_id: __, ...offer }) => ({ as: 'customer', ...offer })),
      ...managed.map((row) => ({ as: 'manager', ...row })),
      ...acts.map((row) => ({ as: 'did for an organisation', ...row })),
      ...codes.map((row) => ({ as: 'code', ...row })),
    ];
  },
  async erase(trx, { id, addresses }, at) {
    const codes = await eraseOfferCodes(trx, addresses);
    // What was done stays for the other managers, without who did it.
    await trx.updateTable('organisation_acts').set({ person_id: null }).where('person_id', '=', id).execute();
    const managed = await trx.deleteFrom('organisation_managers').where('person_id', '=', id).executeTakeFirstOrThrow();
    const offers = await trx
      .deleteFrom('offers')
      .where('person_id', '=', id)
      .where(({ or, eb }) =>
        or([eb('enrolment_id', 'is', null), eb('enrolment_id', 'in', endedEnrolments(trx, academyDay(at)))]),
      )
      .executeTakeFirstOrThrow();
    return { count: Number(codes.numDeletedRows + managed.numDeletedRows + offers.numDeletedRows) };
  },
};
