import type { Db, Trx } from '#app/db/client.server.ts';
import { organisationAnswered, organisationAsked } from '#app/emails/companies.ts';

import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import { enrolmentLink } from '#app/features/enrolments/links.server.ts';
import { findManaged, lockOrganisationOf, setOrganisation } from '#app/features/enrolments/organisation.server.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { nameForOthers } from '#app/lib/shown-name.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { countWithin } from '#app/outbox/mail-counts.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { writeAct } from './acts.server.ts';
import { companyUrl } from './company-path.ts';
import { foundOrganisation } from './organisations.server.ts';
import { managersOf, type Named, nameOfOrganisation } from './queries.server.ts';

/** How an enrolment stands to an organisation, for its buyer. */
export type Belonging =
  /** A person pays. */
  | { kind: 'person' }
  /** Its managers see and change it. */
  | { kind: 'belongs'; name: string }
  /** Its buyer manages the organisation. */
  | { kind: 'give'; name: string; organisationId: number }
  /** Nobody can tell which organisation it is. */
  | { kind: 'no-abn'; name: string }
  /** No organisation has its ABN yet. */
  | { kind: 'set-up'; name: string; abn: string }
  /** Others manage the organisation of its ABN; `domains` are those of their addresses, large public ones left out. */
  | { kind: 'ask' | 'asked'; name: string; organisationId: number; domains: string[] };

/** Reads how an enrolment stands to an organisation. An ABN alone gives it to nobody (P110). */
export async function readBelonging(db: Db, enrolment: Enrolment): Promise<Belonging> {
  const { organisationId, payer, organisation, abn, email } = enrolment;
  if (organisationId !== null) return { kind: 'belongs', name: await nameOfOrganisation(db, organisationId) };
  if (payer === 'person' || organisation === null) return { kind: 'person' };
  const managed = await findManaged(db, { email, payer: { kind: payer, organisation, abn } });
  if (managed !== null) return { kind: 'give', name: await nameOfOrganisation(db, managed), organisationId: managed };
  if (abn === null) return { kind: 'no-abn', name: organisation };
  const known = await db
    .selectFrom('organisations')
    .leftJoin('organisation_asks', (join) =>
      join.onRef('organisation_asks.organisation_id', '=', 'organisations.id').on('enrolment_id', '=', enrolment.id),
    )
    .select(['id', 'legal_name', 'trading_name', 'enrolment_id'])
    .where('abn', '=', abn)
    .executeTakeFirst();
  if (!known) return { kind: 'set-up', name: organisation, abn };
  const domains = (await managersOf(db, known.id)).flatMap((manager) => mailDomainOf(manager.email) ?? []);
  return {
    kind: known.enrolment_id === null ? 'ask' : 'asked',
    name: known.trading_name ?? known.legal_name,
    organisationId: known.id,
    domains: [...new Set(domains)],
  };
}

/** What the buyer saw is not so any more; or its managers were asked twice today. Nothing was written. */
type NotDone = { ok: false; reason: 'meanwhile' | 'too-often' };

/**
 * Gives an enrolment to its buyer's organisation, makes the organisation of its new ABN with the buyer as manager, or asks
 * the managers of the one that has its ABN (P110), as its page offered.
 */
export async function changeBelonging(
  trx: Trx,
  { enrolmentId, act }: { enrolmentId: number; act: string },
  { now: at, academy }: Moment,
): Promise<{ ok: true } | NotDone> {
  await lockOrganisationOf(trx, enrolmentId);
  const enrolment = await readEnrolment(trx, enrolmentId);
  const standing = await readBelonging(trx, enrolment);
  // Sent twice: it is done.
  if (standing.kind === 'belongs' || (standing.kind === 'asked' && act === 'ask')) return { ok: true };
  if (standing.kind !== act) return { ok: false, reason: 'meanwhile' };
  if (standing.kind === 'ask') return askManagers(trx, enrolment, standing, { at, academy });
  if (standing.kind !== 'give' && standing.kind !== 'set-up') return { ok: false, reason: 'meanwhile' };
  const { email, address } = enrolment;
  const organisationId =
    standing.kind === 'give'
      ? standing.organisationId
      : await foundOrganisation(trx, { organisation: standing.name, abn: standing.abn, address, email, at });
  if (organisationId === null) return { ok: false, reason: 'meanwhile' };
  await setOrganisation(trx, enrolmentId, organisationId);
  const personId = await personOfEnrolment(trx, enrolmentId);
  await writeAct(trx, { organisationId, personId, act: standing.kind, enrolmentId, at });
  return { ok: true };
}

type Asking = { organisationId: number; name: string };

/** Mails the managers of an organisation; while it has none, the academy. */
async function askManagers(
  trx: Trx,
  { id: enrolmentId, buyerName, email, reference, title }: Enrolment,
  { organisationId, name }: Asking,
  { at, academy }: { at: Date } & Pick<Moment, 'academy'>,
): Promise<{ ok: true } | NotDone> {
  const limits = [{ most: mostAsks, hours: 24 }];
  if (!(await countWithin(trx, `organisation-ask:${enrolmentId}`, limits, at)))
    return { ok: false, reason: 'too-often' };
  await trx
    .insertInto('organisation_asks')
    .values({ enrolment_id: enrolmentId, organisation_id: organisationId, asked_at: at })
    .execute();
  const managers = await managersOf(trx, organisationId);
  const link = companyUrl(academy, organisationId);
  const buyer = nameForOthers(buyerName) ?? email;
  for (const to of managers.length > 0 ? managers.map((manager) => manager.email) : [academy.email]) {
    await queueMail(trx, {
      kind: 'organisation-asked',
      about: { kind: 'enrolment', id: enrolmentId },
      to,
      replyTo: academy.email,
      ...organisationAsked({ name, buyer, email, reference, title, link, academy }),
    });
  }
  return { ok: true };
}

/** How often the managers are asked about one enrolment in a day (P24). */
const mostAsks = 2;

async function personOfEnrolment(trx: Trx, id: number): Promise<number | null> {
  const query = trx.selectFrom('enrolments').select('person_id').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).person_id;
}

type Answer = Named & { reference: string; take: boolean };

/**
 * A manager's answer to a buyer who asked (P110): takes the enrolment or leaves it with its buyer, who reads which. It
 * makes nobody a manager. False when nobody asks any more.
 */
export async function answerAsk(
  trx: Trx,
  { organisationId, personId, reference, take }: Answer,
  { now: at, academy }: Moment,
): Promise<boolean> {
  const asked = await trx
    .deleteFrom('organisation_asks')
    .where('organisation_id', '=', organisationId)
    .where('enrolment_id', '=', trx.selectFrom('enrolments').select('id').where('reference', '=', reference))
    .returning('enrolment_id')
    .executeTakeFirst();
  if (!asked) return false;
  const { enrolment_id: enrolmentId } = asked;
  if ((await lockOrganisationOf(trx, enrolmentId)) !== null) return false;
  if (take) await setOrganisation(trx, enrolmentId, organisationId);
  await writeAct(trx, { organisationId, personId, act: take ? 'take' : 'leave', enrolmentId, at });
  const { email, title } = await readEnrolment(trx, enrolmentId);
  const name = await nameOfOrganisation(trx, organisationId);
  const link = enrolmentLink(enrolmentId);
  await queueMail(trx, {
    kind: 'organisation-answered',
    about: { kind: 'enrolment', id: enrolmentId },
    links: [link],
    to: email,
    replyTo: academy.email,
    ...organisationAnswered({ name, reference, title, taken: take, link: placeholderOf(link), academy }),
  });
  return true;
}

/** The enrolments that an organisation is asked to take, the oldest first. */
export function readAsks(db: Db, organisationId: number) {
  return db
    .selectFrom('organisation_asks')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['reference', 'title', 'buyer_name', 'email', 'asked_at'])
    .where('organisation_asks.organisation_id', '=', organisationId)
    .orderBy('asked_at')
    .execute();
}
