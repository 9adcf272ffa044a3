import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Offer } from './offer.ts';
import { findRequest, readOffer } from './queries.server.ts';

/** The lists of offers: what staff work on, what customers may still answer, and how the others ended. */
export type OfferTab = 'open' | 'draft' | 'accepted' | 'ended';

const states = {
  open: ['sent'],
  draft: ['draft'],
  accepted: ['accepted'],
  ended: ['declined', 'over', 'replaced'],
} as const satisfies Record<OfferTab, readonly Offer['state'][]>;

/** A search without the one character that PostgreSQL takes in no text. */
const withoutNull = (typed: string): string => typed.replaceAll('\0', '');

/** How many a list shows; older ones are found by their number or customer. */
const mostListed = 200;

/** Offers of a tab, or `all`, the newest first; of the open ones, what ends first. `search` is a number, or the beginning of a name. */
export async function listOffers(
  db: Db,
  actor: StaffActor,
  { tab, search: typed, most = mostListed }: { tab: OfferTab | 'all'; search: string; most?: number },
) {
  requirePermission(actor, 'companies:read');
  const search = withoutNull(typed);
  const number = /^(?:off-?)?0*(\d{1,9})$/i.exec(search)?.[1];
  return db
    .selectFrom('offers')
    .leftJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(['offers.id', 'number', 'version', 'state', 'name', 'offers.organisation', 'people', 'total_cents'])
    .select(['last_day', 'made_at', 'answer', 'enrolments.reference'])
    .select(({ selectFrom }) =>
      selectFrom('offer_lines')
        .innerJoin('courses', 'courses.id', 'course_id')
        .select(sql<string>`string_agg(title, ', ' order by position)`.as('titles'))
        .whereRef('offer_id', '=', 'offers.id')
        .as('titles'),
    )
    .$if(tab !== 'all', (query) => query.where('state', 'in', tab === 'all' ? [] : states[tab]))
    .$if(number !== undefined, (query) => query.where('number', '=', Number(number)))
    .$if(number === undefined && search !== '', (query) =>
      query.where(sql<boolean>`starts_with(lower(coalesce(offers.organisation, name)), lower(${search}))
        or starts_with(lower(name), lower(${search})) or lower(offers.email) = lower(${search})`),
    )
    .orderBy(tab === 'open' ? 'last_day' : sql`made_at desc`)
    .orderBy('offers.id', 'desc')
    .limit(most)
    .execute();
}

/** How many offers each tab has. */
export async function countOffers(db: Db, actor: StaffActor): Promise<Record<OfferTab, number>> {
  requirePermission(actor, 'companies:read');
  const rows = await db
    .selectFrom('offers')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  const count = (tab: OfferTab) =>
    rows
      .filter(({ state }) => (states[tab] as readonly string[]).includes(state))
      .reduce((sum, row) => sum + Number(row.count), 0);
  return { open: count('open'), draft: count('draft'), accepted: count('accepted'), ended: count('ended') };
}

/** An offer with what staff see beside it; null when there is none. */
export async function findOfferForStaff(db: Db, actor: StaffActor, id: number) {
  requirePermission(actor, 'companies:read');
  const offer = await readOffer(db, id);
  if (!offer) return null;
  const enrolment = await db
    .selectFrom('enrolments')
    .select(['reference', 'buyer_name', 'email'])
    .where('id', '=', offer.enrolmentId ?? 0)
    .executeTakeFirst();
  const versions = await db
    .selectFrom('offers')
    .select(['id', 'version', 'state'])
    .where('number', '=', offer.number ?? 0)
    .where('id', '<>', offer.id)
    .orderBy('version')
    .execute();
  const held = await db
    .selectFrom('seat_holds')
    .select(['seats', 'expires_at'])
    .where('id', 'in', [0, ...offer.lines.flatMap(({ holdId }) => holdId ?? [])])
    .where('ended_at', 'is', null)
    .execute();
  return { offer, enrolment: enrolment ?? null, versions, held, request: await findRequest(db, id) };
}

/** Organisations by name; `typed` is its beginning, of a word, or an ABN. */
export async function listOrganisations(db: Db, actor: StaffActor, typed = '') {
  requirePermission(actor, 'companies:read');
  const search = withoutNull(typed);
  const digits = search.replaceAll(/\s/g, '');
  return db
    .selectFrom('organisations')
    .select(['id', 'legal_name', 'trading_name', 'abn', 'terms_days', 'discount_percent'])
    .select(({ selectFrom }) => [
      selectFrom('organisation_managers')
        .select(({ fn }) => fn.countAll<number>().as('managers'))
        .whereRef('organisation_id', '=', 'organisations.id')
        .where('ended_at', 'is', null)
        .as('managers'),
      selectFrom('offers')
        .select(({ fn }) => fn.countAll<number>().as('offers'))
        .whereRef('organisation_id', '=', 'organisations.id')
        .as('offers'),
    ])
    .$if(search !== '', (query) =>
      query.where(sql<boolean>`abn = ${digits}
        or words_of(legal_name, trading_name) @@ all_typed(${search})`),
    )
    .orderBy(sql`lower(legal_name)`)
    .limit(mostListed)
    .execute();
}

/** An organisation with its managers, offers and enrolments; null when there is none. */
export async function findOrganisation(db: Db, actor: StaffActor, id: number) {
  requirePermission(actor, 'companies:read');
  const organisation = await db.selectFrom('organisations').selectAll().where('id', '=', id).executeTakeFirst();
  if (!organisation) return null;
  const managers = await db
    .selectFrom('organisation_managers')
    .innerJoin('people', 'people.id', 'person_id')
    .leftJoin('person_emails', 'person_emails.email', 'people.email')
    .select(['organisation_managers.id', 'people.name', 'people.email', 'verified_at', 'since'])
    .where('organisation_id', '=', id)
    .where('ended_at', 'is', null)
    .orderBy('since')
    .execute();
  const offers = await db
    .selectFrom('offers')
    .select(['id', 'number', 'version', 'state', 'total_cents', 'last_day'])
    .where('organisation_id', '=', id)
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  const enrolments = await db
    .selectFrom('enrolments')
    .leftJoin('organisation_asks', 'enrolment_id', 'enrolments.id')
    .select(['reference', 'title', 'buyer_name', 'placed_at', 'asked_at'])
    .select(({ eb }) => eb('enrolments.organisation_id', 'is not', null).$castTo<boolean>().as('belongs'))
    .where(({ or, eb, and, selectFrom }) =>
      or([
        eb('enrolments.organisation_id', '=', id),
        and([
          eb('enrolments.organisation_id', 'is', null),
          or([
            eb('abn', '=', organisation.abn),
            eb(
              'enrolments.id',
              'in',
              selectFrom('offers').select('enrolment_id').where('offers.organisation_id', '=', id).$castTo<number>(),
            ),
          ]),
        ]),
      ]),
    )
    .orderBy('placed_at', 'desc')
    .limit(100)
    .execute();
  return { organisation, managers, offers, enrolments };
}

/** What a quote for an organisation begins with. */
export async function organisationForOffer(db: Db, actor: StaffActor, id: number) {
  requirePermission(actor, 'companies:change');
  const found = await findOrganisation(db, actor, id);
  if (!found) return null;
  const { organisation, managers } = found;
  return {
    id,
    name: organisation.trading_name ?? organisation.legal_name,
    legalName: organisation.legal_name,
    abn: organisation.abn,
    address: organisation.address,
    discountPercent: organisation.discount_percent,
    manager: managers[0] ?? null,
  };
}

/** An organisation and its first manager as the buyer of a new enrolment; null when there is none. */
export async function organisationAsBuyer(db: Db, actor: StaffActor, id: number) {
  requirePermission(actor, 'companies:read');
  const found = await findOrganisation(db, actor, id);
  if (!found) return null;
  const { organisation, managers } = found;
  return {
    ...{ buyerName: managers[0]?.name ?? '', email: managers[0]?.email ?? '', phone: null },
    ...{ organisation: organisation.legal_name, abn: organisation.abn, address: organisation.address },
    accountsEmail: organisation.accounts_email,
  };
}

/** The last day on which all dates of an offer take enrolments, for the form that makes one; null for no date. */
export async function enrolmentEndsOf(db: Db, actor: StaffActor, courseDateIds: readonly number[]): Promise<Day[]> {
  requirePermission(actor, 'companies:change');
  const rows = await db
    .selectFrom('course_dates')
    .select('enrolment_ends_on')
    .where('id', 'in', [0, ...courseDateIds])
    .execute();
  return rows.map((row) => row.enrolment_ends_on);
}
