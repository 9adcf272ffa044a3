import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { type Actor, onlyCourseDatesOf } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { countAttempt, type FormLimit, formWindowMs } from '#app/http/form-limit.server.ts';
import type { Certificate } from './certificate.ts';
import { readEmployer } from './employer.server.ts';
import type { CertificateFacts } from './facts.ts';
import { linkedInOf } from './links.ts';
import { inFours, numberOf } from './number.ts';
import { dayInWords, hollowOfCertificate, issuedOn, sheetOf } from './sheet.server.ts';

/**
 * The certificate of a number as it is stored; null when there is none, or when it was undone before anybody was told.
 */
export async function findCertificate(db: Db, number: string): Promise<Certificate | null> {
  const row = await rows(db)
    .where('certificates.number', '=', number)
    .where('certificates.state', '<>', 'undone')
    .executeTakeFirst();
  return row ? certificateOf(row) : null;
}

/** The last of the certificates that took the place of one; itself when it was not issued again. */
export async function lastOf(db: Db, certificate: Certificate): Promise<Certificate> {
  let last = certificate;
  while (last.supersededBy) last = (await findCertificate(db, last.supersededBy)) ?? { ...last, supersededBy: null };
  return last;
}

/** The certificates of places without undone ones, the latest first. */
export async function certificatesOfPlaces(
  db: Db,
  placeIds: readonly number[],
): Promise<ReadonlyMap<number, Certificate[]>> {
  const found = await rows(db)
    .where('certificates.place_id', 'in', [0, ...placeIds])
    .where('certificates.state', '<>', 'undone')
    .orderBy('certificates.id', 'desc')
    .execute();
  return Map.groupBy(found.map(certificateOf), ({ placeId }) => placeId);
}

/** The certificate of a place: the valid one, or the last one. */
export async function ownOfPlace(db: Db, placeId: number): Promise<Certificate | null> {
  const found = await rows(db)
    .where('certificates.place_id', '=', placeId)
    .where('certificates.state', '<>', 'undone')
    .orderBy('certificates.id', 'desc')
    .execute();
  const all = found.map(certificateOf);
  return all.find(({ state }) => state === 'issued') ?? all[0] ?? null;
}

/** The certificates of some places that hold. */
export async function earnedOnPlaces(db: Db, placeIds: readonly number[]): Promise<Certificate[]> {
  const found = await rows(db)
    .where('certificates.place_id', 'in', [0, ...placeIds])
    .where('certificates.state', '=', 'issued')
    .orderBy('certificates.issued_at')
    .orderBy('certificates.id')
    .execute();
  return found.map(certificateOf);
}

/** Certificates as rows, for queries of this room. */
export function rows(db: Db) {
  return db
    .selectFrom('certificates')
    .leftJoin('certificates as next', 'next.supersedes', 'certificates.id')
    .leftJoin('certificates as last', 'last.id', 'certificates.supersedes')
    .select(['certificates.id', 'certificates.number', 'certificates.place_id', 'certificates.facts'])
    .select(['certificates.holder_name', 'certificates.shows', 'certificates.state', 'certificates.issued_at'])
    .select(['certificates.ended_at', 'certificates.reason'])
    .select(['next.number as next_number', 'last.number as last_number']);
}

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

/** A row as a certificate. */
export const certificateOf = (row: Row): Certificate => ({
  id: row.id,
  number: row.number,
  placeId: row.place_id,
  // Written by this room only, and never changed; so with the words of the columns' checks.
  facts: row.facts as unknown as CertificateFacts,
  holderName: row.holder_name,
  shows: row.shows,
  state: row.state,
  issuedAt: row.issued_at,
  endedAt: row.ended_at,
  reason: row.reason,
  supersededBy: row.next_number,
  supersedes: row.last_number,
});

/** A number that no certificate has, so that every look-up runs the same query. */
const none = '2222222222222';

/** Look-ups of one network address in ten minutes: a recruiter checks a pile, a program does not try numbers. */
const attempts = 60;
const attemptsOfWideNetwork = 240;

/**
 * Looks a number up for any visitor (P65). Known, unknown and misspelt numbers count the same and ask the database the same.
 * `from` is the network address.
 */
export async function lookUp(
  { db, clock, forms }: Academy,
  typed: string,
  from: string,
): Promise<{ ok: true; certificate: Certificate | null } | { ok: false }> {
  const limit: FormLimit = {
    attempts,
    attemptsOfWideNetwork,
    windowMs: formWindowMs,
    key: `${forms.limit.key}:certificates`,
  };
  const within = await db.transaction().execute((trx) => countAttempt(trx, limit, from, clock.now()));
  if (!within) return { ok: false };
  return { ok: true, certificate: await findCertificate(db, numberOf(typed) ?? none) };
}

/**
 * The places whose certificates the person may issue: an instructor's are those of their own course dates, and of guided
 * study in their own courses (P67, P68).
 */
export function placesInReach(db: Db, actor: Actor) {
  const only = actor.kind === 'staff' ? onlyCourseDatesOf(actor, 'certificates:issue') : null;
  return db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .leftJoin('course_dates as course_date', 'course_date.id', 'places.course_date_id')
    .$if(only !== null, (query) =>
      query.where(sql<string>`coalesce(course_date.instructor_slug, courses.instructor_slug)`, 'in', [
        '',
        ...(only ?? []),
      ]),
    );
}

/** Whether the person may issue the certificate of a place. */
export const isInInstructorScope = (db: Db, actor: Actor, placeId: number): Promise<boolean> =>
  areInReach(db, actor, [placeId]);

/** Whether the person may issue the certificates of all these places. */
export async function areInReach(db: Db, actor: Actor, placeIds: readonly number[]): Promise<boolean> {
  const ids = [...new Set(placeIds)];
  if (ids.length === 0) return true;
  const rows = await placesInReach(db, actor).select('places.id').where('places.id', 'in', ids).execute();
  return rows.length === ids.length;
}

/**
 * The place of a certificate that a person holds, by themselves or by one of their proved addresses; `person_id` is of
 * the attendee now, who may be somebody else (P64).
 */
export function findOwnCertificate(db: Db, { number, personId }: { number: string; personId: number }) {
  return db
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['places.id', 'attendee_id', 'attendees.enrolment_id', 'person_id'])
    .where('certificates.number', '=', number)
    .where('certificates.state', '<>', 'undone')
    .where(({ or, eb, exists, selectFrom, fn }) =>
      or([
        eb('attendees.person_id', '=', personId),
        exists(
          selectFrom('person_emails')
            .select('email')
            .where('person_emails.person_id', '=', personId)
            .where('verified_at', 'is not', null)
            .where('email', '=', fn<string>('lower', ['holder_email'])),
        ),
      ]),
    )
    .executeTakeFirst();
}

/** The certificate of a place under an attendee's private link (P32); null when the link is not that of the place. */
export async function findByLink(
  db: Db,
  { token, placeId }: { token: string; placeId: string },
): Promise<Certificate | null> {
  if (!/^\d{1,15}$/.test(placeId)) return null;
  const link = await findLink(db, token);
  if (!link || link.attendeeId === null) return null;
  const place = await db
    .selectFrom('places')
    .select('id')
    .where('id', '=', Number(placeId))
    .where('attendee_id', '=', link.attendeeId)
    .executeTakeFirst();
  return place ? ownOfPlace(db, place.id) : null;
}

/** The holder's view of a certificate (P65), the same by private link and account. */
export async function ownView(db: Db, certificate: Certificate, origin: string) {
  const { id, number, facts, state, holderName, shows, issuedAt, endedAt, reason } = certificate;
  const asked = await db
    .selectFrom('certificate_names')
    .select(['name', 'taken'])
    .where('certificate_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    number,
    shownNumber: inFours(number),
    title: facts.course.title,
    state,
    name: holderName ?? '',
    shows,
    employer: await readEmployer(db, certificate.placeId),
    issued: dayInWords(issuedAt),
    ended: endedAt && dayInWords(endedAt),
    reason,
    // A name that staff look at, and one that they did not take.
    asked: asked?.taken === null ? asked.name : null,
    refused: asked?.taken === false,
    sheet: state === 'issued' ? sheetOf(certificate, holderName, origin) : null,
    hollow: state === 'issued' ? [] : hollowOfCertificate(certificate),
    linkedIn: linkedInOf(certificate, issuedOn(certificate), origin),
  };
}
export type OwnView = Awaited<ReturnType<typeof ownView>>;
