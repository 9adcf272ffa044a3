import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Offer } from './offer.ts';

/**
 * The organisation of an offer that is accepted (P110), by its id: that which staff named, else that of its ABN, which is
 * made now if it is new. Whoever accepted the first becomes its manager. Null for a person, and without an ABN.
 */
export async function acceptAs(
  trx: Trx,
  { organisationId, organisation, abn, address }: Offer,
  { email, at }: { email: string; at: Date },
): Promise<number | null> {
  if (organisationId !== null) return organisationId;
  if (organisation === null || abn === null) return null;
  const made = await trx
    .insertInto('organisations')
    .values({ legal_name: organisation, abn, address, made_at: at })
    .onConflict((conflict) => conflict.column('abn').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) {
    await addManager(trx, { organisationId: made.id, email, at });
    return made.id;
  }
  const { id } = await trx.selectFrom('organisations').select('id').where('abn', '=', abn).executeTakeFirstOrThrow();
  return id;
}

/** Makes the person with an address a manager; nothing happens when they are one. */
async function addManager(
  trx: Trx,
  { organisationId, email, at }: { organisationId: number; email: string; at: Date },
): Promise<void> {
  await sql`insert into organisation_managers (organisation_id, person_id, since)
    values (${organisationId}, person_of(${email}), ${at})
    on conflict (organisation_id, person_id) where ended_at is null do nothing`.execute(trx);
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
  await addManager(trx, { organisationId, email, at });
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
}
