import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import { eraseNotesAbout } from '#app/features/people/notes.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import { erasedDomain } from '#app/lib/erased-address.ts';
import { endLinks } from '#app/outbox/private-links.server.ts';
import { endedEnrolments, overEnrolments } from './ended-enrolments.server.ts';

const tables = [
  'enrolments',
  'enrolment_list',
  'person_words',
  'attendees',
  'enrolment_drafts',
  'email_codes',
  'accounts_addresses',
  'corrections',
  'first_openings',
  'notes',
];

/**
 * Enrolments of a buyer with their charges and payments, and the places of an attendee. Erasing removes people from
 * them. Tax invoices, adjustment notes and payments are records of the books and stay (section 286 of the Corporations
 * Act 2001). An enrolment with a place still to come stays until it is over or cancelled, and a buyer of an enrolment
 * with money owed until it is paid or sent back. An export shows both.
 */
export const enrolmentRecords: PersonalRecords = {
  name: 'enrolments',
  tables,
  async read(db, person) {
    const bought = await db
      .selectFrom('enrolments')
      .selectAll()
      .where('person_id', '=', person.id)
      .orderBy('id')
      .execute();
    const attended = await db
      .selectFrom('attendees')
      .selectAll()
      .where('person_id', '=', person.id)
      .orderBy('id')
      .execute();
    const drafts = await db
      .selectFrom('enrolment_drafts')
      .select(['id', 'typed', 'prices', 'confirmed_email', 'enrolment_id', 'created_at', 'changed_at'])
      .where('id', 'in', draftsOf(db, person))
      .orderBy('id')
      .execute();
    return [
      ...(await Promise.all(
        bought.map(async ({ mailbox: _, person_id: __, ...row }) => {
          const of = row.id;
          const attendees = await db.selectFrom('attendees').selectAll().where('enrolment_id', '=', of).execute();
          const places = await db.selectFrom('places').selectAll().where('enrolment_id', '=', of).execute();
          return {
            as: 'buyer',
            ...row,
            attendees: attendees.map(withoutKeys),
            places,
            ...(await moneyOf(db, of)),
            ...(await traceOf(db, of, null)),
          };
        }),
      )),
      ...(await Promise.all(
        attended.map(async (row) => {
          const places = await db
            .selectFrom('places')
            .select(['course_id', 'way', 'course_date_id', 'guided_from', 'state', 'placed_at'])
            .where('attendee_id', '=', row.id)
            .execute();
          const modulesOpened = await db
            .selectFrom('module_openings')
            .innerJoin('places', 'places.id', 'place_id')
            .select(['course_id', 'module', 'opened_at'])
            .where('attendee_id', '=', row.id)
            .orderBy('opened_at')
            .execute();
          const modulesAsked = await db
            .selectFrom('module_requests')
            .innerJoin('places', 'places.id', 'place_id')
            .select(['course_id', 'module', 'asked_at'])
            .where('attendee_id', '=', row.id)
            .orderBy('asked_at')
            .execute();
          return {
            as: 'attendee',
            ...withoutKeys(row),
            places,
            modulesOpened,
            modulesAsked,
            ...(await traceOf(db, null, row.id)),
          };
        }),
      )),
      ...drafts.map((row) => ({ as: 'draft', ...row })),
      ...(await namedForInvoices(db, person)),
    ];
  },
  async erase(trx, person, at) {
    const today = academyDay(at);
    const drafts = await trx
      .deleteFrom('enrolment_drafts')
      .where('id', 'in', draftsOf(trx, person))
      .where('enrolment_id', 'is', null)
      .returning('id')
      .execute();
    const bought = await trx
      .selectFrom('enrolments')
      .select('id')
      .where('person_id', '=', person.id)
      .where('id', 'in', endedEnrolments(trx, today))
      .execute();
    const named = await trx
      .selectFrom('attendees')
      .select('person_id')
      .where('enrolment_id', 'in', [0, ...bought.map(({ id }) => id)])
      .where('person_id', 'is not', null)
      .distinct()
      .execute();
    const attended = await trx
      .updateTable('attendees')
      .set(nobody)
      .where('person_id', '=', person.id)
      .where('enrolment_id', 'in', overEnrolments(trx, today))
      // Money is owed by or to the buyer, not by others who attended.
      .where(({ or, eb, selectFrom }) =>
        or([
          eb('enrolment_id', 'in', [0, ...bought.map(({ id }) => id)]),
          eb('enrolment_id', 'not in', selectFrom('enrolments').select('id').where('person_id', '=', person.id)),
        ]),
      )
      .returning('id')
      .execute();
    for (const { id } of bought) await emptyEnrolment(trx, id);
    const forInvoices = await eraseForInvoices(trx, person, today);
    const ids = [0, ...attended.map(({ id }) => id)];
    await endLinks(trx, { attendeeIds: ids });
    await trx.deleteFrom('first_openings').where('attendee_id', 'in', ids).execute();
    await trx.deleteFrom('corrections').where('attendee_id', 'in', ids).execute();
    const count = drafts.length + attended.length + bought.length + forInvoices;
    return { count, named: named.flatMap(({ person_id }) => person_id ?? []) };
  },
};

/** The charges, payments, refunds and reminders of an enrolment, and its lines in bank statements. */
async function moneyOf(db: Db, enrolmentId: number) {
  const its = 'enrolment_id' as const;
  const invoices = await db.selectFrom('tax_invoices').selectAll().where(its, '=', enrolmentId).execute();
  const ids = [0, ...invoices.map(({ id }) => id)];
  const notes = await db.selectFrom('adjustment_notes').selectAll().where('tax_invoice_id', 'in', ids).execute();
  const payments = await db.selectFrom('payments').selectAll().where(its, '=', enrolmentId).execute();
  const paid = [0, ...payments.map(({ id }) => id)];
  const refunds = await db.selectFrom('refunds').selectAll().where('payment_id', 'in', paid).execute();
  const reminders = await db.selectFrom('payment_reminders').selectAll().where(its, '=', enrolmentId).execute();
  const instalments = await db.selectFrom('instalments').selectAll().where(its, '=', enrolmentId).execute();
  const bankLines = await db
    .selectFrom('bank_lines')
    .select(['day', 'amount_cents', 'words', 'state'])
    .where(its, '=', enrolmentId)
    .execute();
  return { invoices, notes, payments, refunds, reminders, instalments, bankLines };
}

/** The first openings of a buyer or an attendee, and the corrections of their details. */
async function traceOf(db: Db, enrolmentId: number | null, attendeeId: number | null) {
  const opened = await db
    .selectFrom('first_openings')
    .select(['attendee_id', 'what', 'document_id', 'opened_at'])
    .$if(enrolmentId !== null, (query) => query.where('enrolment_id', '=', enrolmentId))
    .$if(attendeeId !== null, (query) => query.where('attendee_id', '=', attendeeId))
    .orderBy('id')
    .execute();
  const corrected = await db
    .selectFrom('corrections')
    .select(['attendee_id', 'at', 'by_kind', 'fields', 'name_before', 'name_after'])
    .$if(enrolmentId !== null, (query) => query.where('enrolment_id', '=', enrolmentId))
    .$if(attendeeId !== null, (query) => query.where('attendee_id', '=', attendeeId))
    .orderBy('id')
    .execute();
  return { opened, corrected };
}

/**
 * Takes everybody out of an enrolment, with the organisation, whose ABN and name may be a person's. What its documents
 * and payments say stays: tax invoices hold the buyer's identity themselves, as section 29-70 of the GST Act 1999 asks.
 */
async function emptyEnrolment(trx: Db, id: number): Promise<void> {
  const gone = `erased-${id}${erasedDomain}`;
  await trx
    .updateTable('enrolments')
    .set({ buyer_name: 'Erased', email: gone, mailbox: gone, phone: null, address: null, accounts_email: null })
    .set({ mail_domain: null, network: null, abn: null, purchase_order: null })
    // An enrolment that an organisation pays for has to have one.
    .set({ organisation: sql`case when payer = 'organisation' then 'Erased' end` })
    .where('id', '=', id)
    .execute();
  await trx.updateTable('attendees').set(nobody).where('enrolment_id', '=', id).execute();
  await endLinks(trx, { enrolmentId: id });
  await trx.deleteFrom('accounts_addresses').where('enrolment_id', '=', id).execute();
  await trx.deleteFrom('first_openings').where('enrolment_id', '=', id).execute();
  await trx.deleteFrom('corrections').where('enrolment_id', '=', id).execute();
  const payments = await trx.selectFrom('payments').select('id').where('enrolment_id', '=', id).execute();
  await eraseNotesAbout(trx, 'enrolment', [id]);
  await eraseNotesAbout(
    trx,
    'payment',
    payments.map((payment) => payment.id),
  );
}

/** Enrolments for whose invoices an address of the person was named (P30). */
const namedForInvoices = async (db: Db, { addresses }: HeldPerson) => {
  const rows = await db
    .selectFrom('accounts_addresses')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['reference', 'named_at', 'confirmed_at'])
    .where('accounts_addresses.email', 'in', addresses)
    .orderBy('enrolment_id')
    .execute();
  return rows.map((row) => ({ as: 'address for invoices', ...row }));
};

/**
 * Takes addresses out of the enrolments whose invoices they get, once they are over, and where they were named before.
 */
async function eraseForInvoices(trx: Db, { addresses }: HeldPerson, today: Day): Promise<number> {
  await trx
    .updateTable('enrolments')
    .set({ accounts_email: null })
    .where((row) => row(row.fn<string>('lower', ['accounts_email']), 'in', addresses))
    .where('id', 'in', endedEnrolments(trx, today))
    .execute();
  const { numDeletedRows } = await trx
    .deleteFrom('accounts_addresses')
    .where('email', 'in', addresses)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('enrolments')
            .select('enrolments.id')
            .whereRef('enrolments.id', '=', 'enrolment_id')
            .where(sql<boolean>`lower(accounts_email) = accounts_addresses.email`),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

const nobody = {
  name: null,
  email: null,
  mailbox: null,
  needs: null,
  under_18: false,
  guardian_name: null,
  guardian_email: null,
};

const draftsOf = (db: Db, { addresses }: HeldPerson) =>
  db
    .selectFrom('enrolment_drafts')
    .leftJoin('email_codes', 'draft_id', 'enrolment_drafts.id')
    .select('enrolment_drafts.id')
    .where(
      sql<boolean>`lower(confirmed_email) = any(${addresses}::text[]) or lower(email_codes.email) = any(${addresses}::text[])`,
    );

const withoutKeys = <T extends { mailbox: string | null; person_id: number | null }>({
  mailbox: _,
  person_id: __,
  ...row
}: T) => row;
