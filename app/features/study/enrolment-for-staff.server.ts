import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import { enrolmentLink, openingsOf, placeLink } from '#app/features/enrolments/links.server.ts';
import { mayReadNeeds, withNeedsFor } from '#app/features/enrolments/needs.server.ts';
import { planCancellation, purchasesOf, refundable } from '#app/features/enrolments/purchases.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { refundLines } from '#app/features/enrolments/refund-lines.ts';
import { accountOf, documentsOf, openInvoices } from '#app/features/money/accounts.server.ts';
import { chargedFor, readInvoicedCharges } from '#app/features/money/adjustment-notes.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { refundAt } from '#app/features/money/refund.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { readHistory } from '#app/features/people/staff-act.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { certificatesOfPlaces } from './certificates/queries.server.ts';

/** Everything about an enrolment for staff, as of one moment; null when there is none. */
export function readEnrolmentForStaff(db: Db, actor: StaffActor, reference: string, moment: Moment) {
  requirePermission(actor, 'enrolments:read');
  return db.transaction().execute(async (trx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(trx);
    const row = await trx
      .selectFrom('enrolments')
      .leftJoin('people', 'people.id', 'placed_by')
      .select(['enrolments.id', 'people.name as placedBy'])
      .where('reference', '=', reference)
      .executeTakeFirst();
    if (!row) return null;
    const { id, ...rest } = row;
    const enrolment = await readFor(trx, actor, id);
    const account = await accountOf(trx, id);
    return {
      ...rest,
      seesNeeds: mayReadNeeds(actor),
      enrolment,
      account,
      balanceCents: balanceOf(account),
      documents: await documentsOf(trx, id),
      open: await openInvoices(trx, id),
      today: moment.today,
      payments: await readPayments(trx, id),
      charges: await readInvoicedCharges(trx, id),
      openings: await openingsOf(trx, id),
      others: await countOthers(trx, id),
      mails: await readMails(trx, enrolment),
      history: await readHistory(trx, actor, `enrolment:${reference}`),
    };
  });
}

async function readFor(trx: Trx, actor: StaffActor, id: number): Promise<Enrolment> {
  const enrolment = await readEnrolment(trx, id);
  const places = enrolment.places.map((place) => ({ ...place, attendee: withNeedsFor(actor, place.attendee) }));
  return { ...enrolment, places };
}

/** How many other enrolments the buyer has, by the person that the address is known by. */
async function countOthers(trx: Trx, id: number): Promise<number> {
  const { count } = await trx
    .selectFrom('enrolments as other')
    .innerJoin('enrolments as own', 'own.person_id', 'other.person_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('own.id', '=', id)
    .where('other.id', '<>', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * What comes back under the terms, for staff: of each person's course or combo, and of the chosen places line by line
 * (P99, P100). `chosen` is null where they are only a part of a combo. Null when there is no such enrolment.
 */
export function readCancelling(
  db: Db,
  actor: StaffActor,
  { reference, placeIds }: { reference: string; placeIds: readonly number[] },
  moment: Moment,
) {
  requirePermission(actor, 'enrolments:read');
  return db.transaction().execute(async (trx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(trx);
    const row = await trx.selectFrom('enrolments').select('id').where('reference', '=', reference).executeTakeFirst();
    if (!row) return null;
    const enrolment = await readEnrolment(trx, row.id);
    const { now, today } = moment;
    const charged = await chargedFor(trx, row.id);
    const plan = planCancellation(enrolment, { placeIds, charged }, moment);
    const whoOf = (placeId: number | undefined) =>
      enrolment.places.find(({ id }) => id === placeId)?.attendee.name ?? 'To be named';
    const certificates = [...(await certificatesOfPlaces(trx, placeIds)).values()].flat();
    return {
      certified: certificates.filter(({ state }) => state === 'issued'),
      wholes: purchasesOf(enrolment, today).map((bought) => ({
        combo: bought.combo,
        placeIds: bought.goes.map(({ id }) => id),
        cents: refundAt(refundable(bought, { charged, today }), now).cents,
      })),
      chosen: plan && {
        cents: plan.cents,
        lines: plan.refunds.flatMap((refund) =>
          refundLines(enrolment, refund).map((line) => ({ ...line, who: whoOf(refund.courses[0]?.id) })),
        ),
      },
    };
  });
}

async function readPayments(db: Db, enrolmentId: number) {
  const payments = await db
    .selectFrom('payments')
    .leftJoin('people', 'people.id', 'recorded_by')
    .select(['payments.id', 'amount_cents', 'received_on', 'method', 'words', 'recorded_at', 'people.name as by'])
    // Its refunds are sent by the program itself (P29).
    .select((payment) => payment('payments.source', 'like', 'pi\\_%').as('byStripe'))
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('payments.id')
    .execute();
  const refunds = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .leftJoin('people', 'people.id', 'refunds.recorded_by')
    .select(['refunds.id', 'payment_id', 'refunds.amount_cents', 'refunds.state', 'refunds.reason'])
    .select(['refunds.sent_on', 'refunds.recorded_at', 'people.name as by'])
    .where('payments.enrolment_id', '=', enrolmentId)
    .orderBy('refunds.id')
    .execute();
  return payments.map((payment) => {
    const its = refunds.filter(({ payment_id }) => payment_id === payment.id);
    const sent = its.filter(({ state }) => state === 'sent').reduce((sum, { amount_cents }) => sum + amount_cents, 0);
    return { ...payment, refunds: its, leftCents: payment.amount_cents - sent };
  });
}

/**
 * The mails about an enrolment to its own addresses, and those that list its private links among others; the latest
 * first.
 */
async function readMails(db: Db, { id, email, accountsEmail, places }: Enrolment) {
  const addresses = [
    email,
    ...(accountsEmail ? [accountsEmail] : []),
    ...places.flatMap(({ attendee }) => attendee.email ?? []),
  ];
  const recipients = [...new Set(addresses.map((address) => address.toLowerCase()))];
  const itsLinks = [enrolmentLink(id), ...places.map(({ attendee }) => placeLink(id, attendee.id))];
  return db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'state', 'reason', 'queued_at', 'settled_at'])
    .where((eb) => eb(eb.fn<string>('lower', ['recipient']), 'in', recipients))
    .where((eb) =>
      eb.or([
        eb.and([eb('about_kind', '=', 'enrolment'), eb('about_id', '=', id)]),
        sql<boolean>`links && ${itsLinks}::text[]`,
      ]),
    )
    .orderBy('queued_at', 'desc')
    .limit(200)
    .execute();
}
