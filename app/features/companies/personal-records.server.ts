import { sql } from 'kysely';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { endedEnrolments } from '#app/features/enrolments/ended-enrolments.server.ts';
import { eraseOfferCodes } from '#app/features/enrolments/enrolling/personal-records.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';

const tables = [
  'offers',
  'offer_lines',
  'employer_requests',
  'seat_claims',
  'organisation_managers',
  'organisation_acts',
  'email_codes',
  'person_words',
];

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
      .where('draft_id', 'is', null)
      .where('email', 'in', ['', ...addresses])
      .orderBy('id')
      .execute();
    const requests = await db
      .selectFrom('employer_requests')
      .innerJoin('offers', 'offers.id', 'offer_id')
      .select([
        'employer_requests.name',
        'employer_requests.email',
        'employer_requests.made_at',
        'offers.name as asked',
      ])
      .select(['offers.words', 'question', 'followed_up_at', 'asker_answer'])
      .where('employer_requests.person_id', '=', id)
      .orderBy('employer_requests.id')
      .execute();
    const claims = await db
      .selectFrom('seat_claims')
      .select(['name', 'email', 'claimed_at', 'answer'])
      .where('person_id', '=', id)
      .orderBy('id')
      .execute();
    return [
      ...claims.map((row) => ({ as: 'colleague', ...row })),
      ...requests.map((row) => ({ as: 'asker', ...row })),
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
    const claims = await trx.deleteFrom('seat_claims').where('person_id', '=', id).executeTakeFirstOrThrow();
    const managed = await trx.deleteFrom('organisation_managers').where('person_id', '=', id).executeTakeFirstOrThrow();
    await trx
      .updateTable('offers')
      .set({ attendees: null })
      .where('attendees', 'is not', null)
      .where(
        sql<boolean>`exists (select from jsonb_array_elements(attendees) one where lower(one ->> 'email') = any(${addresses}))`,
      )
      .execute();
    const offers = await trx
      .deleteFrom('offers')
      // Those by which the person asked an employer have their words.
      .where(({ or, eb, selectFrom }) =>
        or([
          eb('person_id', '=', id),
          eb('id', 'in', selectFrom('employer_requests').select('offer_id').where('person_id', '=', id)),
        ]),
      )
      .where(({ or, eb }) =>
        or([eb('enrolment_id', 'is', null), eb('enrolment_id', 'in', endedEnrolments(trx, academyDay(at)))]),
      )
      .executeTakeFirstOrThrow();
    return {
      count: Number(claims.numDeletedRows + codes.numDeletedRows + managed.numDeletedRows + offers.numDeletedRows),
    };
  },
};
