import type { Db } from '#app/db/client.server.ts';
import type { OfferFacts } from '#app/documents/offer-facts.ts';
import type { AttendeeWish, CourseChoice } from '#app/features/enrolments/order.ts';
import { findTarget } from '#app/outbox/private-links.server.ts';
import type { Offer, OfferLine } from './offer.ts';

/** An offer with its lines; null when there is none (any more). */
export async function readOffer(db: Db, id: number): Promise<Offer | null> {
  const row = await db.selectFrom('offers').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    number: row.number,
    version: row.version,
    replaces: row.replaces,
    state: row.state,
    name: row.name,
    email: row.email,
    mailbox: row.mailbox,
    organisation: row.organisation,
    abn: row.abn,
    address: row.address,
    organisationId: row.organisation_id,
    comboId: row.combo_id,
    people: row.people,
    discountPercent: row.discount_percent,
    seatCents: row.seat_cents,
    words: row.words,
    lastDay: row.last_day,
    hold: row.hold,
    totalCents: row.total_cents,
    termsId: row.terms_id,
    // Written by `sendOffer`, and by nobody else.
    facts: row.facts as OfferFacts | null,
    madeBy: row.made_by,
    madeAt: row.made_at,
    draftId: row.draft_id,
    sentAt: row.sent_at,
    endedAt: row.ended_at,
    answer: row.answer,
    enrolmentId: row.enrolment_id,
    attendees: row.attendees as AttendeeWish[] | null,
    lines: await readLines(db, row.id),
  };
}

/** The offer of a private link; null when there is none (any more). */
export async function findOffer(db: Db, token: string): Promise<Offer | null> {
  const target = await findTarget(db, token);
  return target?.offer_id ? readOffer(db, target.offer_id) : null;
}

/** What somebody asked their employer by an offer (P113); null for other offers. */
export async function findRequest(db: Db, offerId: number) {
  const query = db.selectFrom('employer_requests').selectAll().where('offer_id', '=', offerId);
  return (await query.executeTakeFirst()) ?? null;
}

/** The request of the private link of whoever asked; null when there is none (any more). */
export async function findOwnRequest(db: Db, token: string) {
  const id = (await findTarget(db, token))?.employer_request_id;
  if (!id) return null;
  return (await db.selectFrom('employer_requests').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

async function readLines(db: Db, offerId: number): Promise<OfferLine[]> {
  const rows = await db
    .selectFrom('offer_lines')
    .innerJoin('courses', 'courses.id', 'course_id')
    .selectAll('offer_lines')
    .select(['courses.slug', 'courses.title'])
    .where('offer_id', '=', offerId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({
    slug: row.slug,
    title: row.title,
    choice: choiceOf(row),
    shown: row.shown,
    price: {
      courseId: row.course_id,
      priceId: row.price_id,
      title: row.title,
      priceCents: row.price_cents,
      discountCents: row.discount_cents,
      discount: row.discount,
    },
    holdId: row.hold_id,
  }));
}

type ChoiceRow = { course_id: number; course_date_id: number | null; guided_from: string | null };

function choiceOf({ course_id: courseId, course_date_id, guided_from }: ChoiceRow): CourseChoice {
  if (course_date_id !== null) return { courseId, way: 'date', courseDateId: course_date_id };
  return guided_from === null ? { courseId, way: 'next-date' } : { courseId, way: 'guided', from: guided_from };
}

/** The version of an offer that followed one, once it was sent; null while none was. */
export async function findNewerVersion(db: Db, { number, version }: Pick<Offer, 'number' | 'version'>) {
  if (number === null) return null;
  const row = await db
    .selectFrom('offers')
    .select(['id', 'version'])
    .where('number', '=', number)
    .where('version', '>', version)
    .orderBy('version', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

/** The course dates of some offers, and of the holds that a checkout has, as `lockCourseDates` wants them. */
export const datesOfLines = (lines: readonly Pick<OfferLine, 'choice'>[]): number[] =>
  lines.flatMap(({ choice }) => (choice.way === 'date' ? [choice.courseDateId] : []));

/** A manager of an organisation who acts. */
export type Named = { organisationId: number; personId: number };

/** The name by which an organisation is called: its trading name, else the legal one. */
export async function nameOfOrganisation(db: Db, id: number): Promise<string> {
  const row = await db
    .selectFrom('organisations')
    .select(['legal_name', 'trading_name'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.trading_name ?? row.legal_name;
}

/** The managers of an organisation, the longest first; `proved` is one who logged in or used a code (P110). */
export async function managersOf(db: Db, organisationId: number) {
  const rows = await db
    .selectFrom('organisation_managers as manager')
    .innerJoin('people', 'people.id', 'person_id')
    .innerJoin('person_emails', 'person_emails.email', 'people.email')
    .select(['manager.id', 'manager.person_id', 'people.name', 'people.email', 'since', 'verified_at'])
    .where('organisation_id', '=', organisationId)
    .where('ended_at', 'is', null)
    .orderBy('since')
    .orderBy('manager.id')
    .execute();
  return rows.flatMap(({ id, person_id: personId, name, email, since, verified_at }) =>
    email === null ? [] : [{ id, personId, name, email, since, proved: verified_at !== null }],
  );
}

/** Whether a person manages an organisation now. */
export async function isManager(db: Db, { organisationId, personId }: Named): Promise<boolean> {
  const row = await db
    .selectFrom('organisation_managers')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
