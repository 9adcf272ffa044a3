import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { lockOrganisationOf, setOrganisation } from '#app/features/enrolments/organisation.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { writeAct } from './acts.server.ts';
import type { Offer } from './offer.ts';
import { nameOfOrganisation } from './queries.server.ts';

/** The organisation to which staff made an offer (P110); null for every other. */
export const offeredTo = ({ madeBy, organisationId }: Offer): number | null =>
  madeBy === null ? null : organisationId;

/**
 * The organisation of an offer whose enrolment was placed (P110), by its id; null when it belongs to none. Who accepts an
 * offer of staff's to an organisation becomes its manager, and so does who accepts with an ABN that nobody has yet. The
 * ABN of another organisation gives nothing: its managers are asked.
 */
export async function acceptAs(
  trx: Trx,
  offer: Offer,
  { email, enrolmentId, at }: { email: string; enrolmentId: number; at: Date },
): Promise<number | null> {
  const { organisation, abn, address } = offer;
  const belongsTo = await lockOrganisationOf(trx, enrolmentId);
  if (belongsTo !== null) {
    if (offeredTo(offer) !== null) await addManager(trx, { organisationId: belongsTo, email, at });
    return belongsTo;
  }
  if (organisation === null || abn === null) return null;
  const made = await foundOrganisation(trx, { organisation, abn, address, email, at });
  if (made !== null) await setOrganisation(trx, enrolmentId, made);
  return made;
}

type Founding = { organisation: string; abn: string; address: string | null; email: string; at: Date };

/** Makes the organisation of an ABN with its first manager (P110); null when it is there already. */
export async function foundOrganisation(
  trx: Trx,
  { organisation, abn, address, email, at }: Founding,
): Promise<number | null> {
  const made = await trx
    .insertInto('organisations')
    .values({ legal_name: organisation, abn, address, made_at: at })
    .onConflict((conflict) => conflict.column('abn').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return null;
  await addManager(trx, { organisationId: made.id, email, at });
  return made.id;
}

/** Makes the person with an address a manager. Returns the id of the row; null when they were one. */
export async function addManager(
  trx: Trx,
  { organisationId, email, at }: { organisationId: number; email: string; at: Date },
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`insert into organisation_managers (organisation_id, person_id, since)
    values (${organisationId}, person_of(${email}), ${at})
    on conflict (organisation_id, person_id) where ended_at is null do nothing returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

/** An organisation as staff fill it in (P110). */
export type OrganisationFields = {
  legalName: string;
  tradingName: string | null;
  abn: string | null;
  mailDomains: string[];
  address: string | null;
  accountsEmail: string | null;
  termsDays: number | null;
  creditSeats: number;
  discountPercent: number;
  needsPurchaseOrder: boolean;
  notes: string | null;
};

/** Another organisation has this ABN. */
export type SameAbn = { ok: false; reason: 'same-abn'; id: number; name: string };

/** Makes an organisation, or changes the one with an id. The same ABN is the same organisation: a second is refused. */
export async function writeOrganisation(
  trx: Trx,
  fields: OrganisationFields,
  { actor, at, id }: { actor: StaffActor; at: Date; id?: number },
): Promise<{ ok: true; id: number } | SameAbn> {
  requirePermission(actor, 'companies:change');
  const other = await trx
    .selectFrom('organisations')
    .select(['id', 'legal_name'])
    .where('abn', '=', fields.abn ?? '')
    .where('id', '<>', id ?? 0)
    .executeTakeFirst();
  if (other) return { ok: false, reason: 'same-abn', id: other.id, name: other.legal_name };
  const columns = {
    legal_name: fields.legalName,
    trading_name: fields.tradingName,
    abn: fields.abn,
    mail_domains: fields.mailDomains,
    address: fields.address,
    accounts_email: fields.accountsEmail,
    terms_days: fields.termsDays,
    credit_seats: fields.creditSeats,
    discount_percent: fields.discountPercent,
    needs_purchase_order: fields.needsPurchaseOrder,
    notes: fields.notes,
  };
  const row =
    id === undefined
      ? await trx
          .insertInto('organisations')
          .values({ ...columns, made_at: at, made_by: actor.person.id })
          .returning('id')
          .executeTakeFirstOrThrow()
      : await trx
          .updateTable('organisations')
          .set(columns)
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirstOrThrow();
  return { ok: true, id: row.id };
}

/** Makes somebody a manager by hand. Only a proved address can be: `not-proved` is somebody who has proved none yet. */
export async function nameManager(
  trx: Trx,
  { organisationId, email, actor, at }: { organisationId: number; email: string; actor: StaffActor; at: Date },
): Promise<{ ok: true } | { ok: false; reason: 'not-proved' }> {
  requirePermission(actor, 'companies:change');
  const proved = await trx
    .selectFrom('person_emails')
    .select('person_id')
    .where('email', '=', email.toLowerCase())
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  if (!proved) return { ok: false, reason: 'not-proved' };
  const managerId = await addManager(trx, { organisationId, email, at });
  if (managerId !== null) await writeAct(trx, { organisationId, personId: null, act: 'add-manager', managerId, at });
  return { ok: true };
}

/** Ends a manager of an organisation; nothing happens when they had ended. */
export async function endManager(
  trx: Trx,
  { organisationId, managerId, actor, at }: { organisationId: number; managerId: number; actor: StaffActor; at: Date },
): Promise<void> {
  requirePermission(actor, 'companies:change');
  await trx
    .updateTable('organisation_managers')
    .set({ ended_at: at })
    .where('id', '=', managerId)
    .where('organisation_id', '=', organisationId)
    .where('ended_at', 'is', null)
    .execute();
  await writeAct(trx, { organisationId, personId: null, act: 'end-manager', managerId, at });
}

type Giving = { organisationId: number; reference: string; actor: StaffActor; at: Date };

/**
 * Gives an enrolment to an organisation for its buyer (P118): its managers see and change it from now on. `unknown`: there
 * is no such enrolment. `other`: it belongs to another organisation, which has to give it back first.
 */
export async function giveForBuyer(
  trx: Trx,
  { organisationId, reference, actor, at }: Giving,
): Promise<{ ok: true } | { ok: false; reason: 'unknown' } | { ok: false; reason: 'other'; name: string }> {
  requirePermission(actor, 'companies:change');
  const enrolmentId = await findEnrolment(trx, reference);
  if (enrolmentId === null) return { ok: false, reason: 'unknown' };
  const before = await lockOrganisationOf(trx, enrolmentId);
  if (before === organisationId) return { ok: true };
  if (before !== null) return { ok: false, reason: 'other', name: await nameOfOrganisation(trx, before) };
  await setOrganisation(trx, enrolmentId, organisationId);
  await trx.deleteFrom('organisation_asks').where('enrolment_id', '=', enrolmentId).execute();
  await writeAct(trx, { organisationId, personId: null, act: 'give', enrolmentId, at });
  return { ok: true };
}

/** Takes an enrolment back from an organisation (P118): only its buyer sees and changes it. Nothing happens when it is not its. */
export async function takeBack(trx: Trx, { organisationId, reference, actor, at }: Giving): Promise<void> {
  requirePermission(actor, 'companies:change');
  const enrolmentId = await findEnrolment(trx, reference);
  if (enrolmentId === null || (await lockOrganisationOf(trx, enrolmentId)) !== organisationId) return;
  await setOrganisation(trx, enrolmentId, null);
  await writeAct(trx, { organisationId, personId: null, act: 'take-back', enrolmentId, at });
}

async function findEnrolment(trx: Trx, reference: string): Promise<number | null> {
  const row = await trx.selectFrom('enrolments').select('id').where('reference', '=', reference).executeTakeFirst();
  return row?.id ?? null;
}
