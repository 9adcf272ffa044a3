import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { everyRow, type Keyset, listedPage } from '#app/db/keyset.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { completionOf } from '#app/features/study/completion.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import type { ListView } from '#app/ui/staff/list-address.ts';
import type { Certificate } from './certificate.ts';
import { numberOf } from './number.ts';
import { certificateOf, findCertificate, isInInstructorScope, rows } from './queries.server.ts';

const pageLength = 50;
/** Records of a course are corrected within the year in which one can study. */
const correctedWithinMs = 400 * dayMs;

type CertificateView = ListView<{ readonly state: 'look' | 'issued' | 'revoked' | 'withdrawn' | null }>;

/**
 * The reason why staff have to look at a certificate: its holder asks for another name, or its records no longer meet
 * the rule.
 */
export type ToLookAt = { name: string | null; missing: readonly string[] };

/**
 * One page of the certificates of a view, with its position (P78); found by number, or by parts of the holder's name or
 * the course.
 */
export async function listCertificates(db: Db, actor: StaffActor, view: CertificateView, moment: Moment) {
  requirePermission(actor, 'certificates:read');
  const set = await certificateKeyset(db, view, moment);
  const reading = { ...view, length: pageLength };
  const { rows, ...page } = await listedPage(db, set, reading, (ids) => readCertificates(db, ids));
  return { certificates: rows, ...page };
}

/** All rows of a view, in pieces, for a file. */
export async function* everyCertificate(db: Db, actor: StaffActor, view: CertificateView, moment: Moment) {
  requirePermission(actor, 'certificates:read');
  const set = await certificateKeyset(db, view, moment);
  yield* everyRow(db, set, view, (ids) => readCertificates(db, ids));
}

async function certificateKeyset(db: Db, { search, values }: CertificateView, moment: Moment): Promise<Keyset> {
  const number = numberOf(search);
  const words = number ? [] : search.split(/\s+/).filter((word) => word !== '');
  const { state } = values;
  const look = state === 'look' ? [...(await certificatesToReview(db, moment)).keys()] : null;
  return {
    from: sql`certificates`,
    key: sql`issued_at`,
    id: sql`id`,
    kind: 'moment',
    where: [
      ...(number === null ? [] : [sql`number = ${number}`]),
      ...(look === null ? [] : [sql`id = any(${look}::bigint[])`]),
      sql`state <> 'undone'`,
      ...(state === null || state === 'look' ? [] : [sql`state = ${state}`]),
      ...words.map(
        (word) => sql`strpos(lower(concat_ws(' ', holder_name, facts -> 'course' ->> 'title')), lower(${word})) > 0`,
      ),
    ],
  };
}

async function readCertificates(db: Db, ids: readonly number[]): Promise<Certificate[]> {
  const found = await rows(db)
    .where('certificates.id', 'in', [0, ...ids])
    .execute();
  const byId = new Map(found.map((row) => [row.id, certificateOf(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The certificates that wait for staff, by id. Only staff revoke a certificate (P64). */
export async function certificatesToReview(db: Db, moment: Moment): Promise<ReadonlyMap<number, ToLookAt>> {
  const found = new Map<number, ToLookAt>();
  for (const { certificate_id, name } of await openNames(db)) found.set(certificate_id, { name, missing: [] });
  const since = new Date(moment.now.getTime() - correctedWithinMs);
  const { rows: corrected } = await sql<{ id: number; place_id: number }>`
    select id, place_id from certificates
    where state in ('issued', 'withdrawn') and issued_at > ${since} and (
      exists (select from attendance_marks where place_id = certificates.place_id
        and received_at > coalesce(looked_at, issued_at))
      or exists (select from exercise_marks join exercise_answers on exercise_answers.id = answer_id
        where place_id = certificates.place_id and marked_at > coalesce(looked_at, issued_at))
      -- Its money was given back, for a reason that staff wrote.
      or exists (select from places where places.id = certificates.place_id
        and cancelled_at > coalesce(looked_at, issued_at)))
    order by id`.execute(db);
  for (const { id, place_id } of corrected) {
    const { met, missing } = await completionOf(db, place_id, moment);
    if (!met) found.set(id, { name: found.get(id)?.name ?? null, missing });
  }
  return found;
}

/** The reason for one certificate; null when there is none. */
export async function reviewReason(db: Db, actor: StaffActor, id: number, moment: Moment): Promise<ToLookAt | null> {
  requirePermission(actor, 'certificates:read');
  return (await certificatesToReview(db, moment)).get(id) ?? null;
}

/** The certificate of a number for its page; null when there is none. */
export async function findCertificateForStaff(db: Db, actor: StaffActor, number: string): Promise<Certificate | null> {
  requirePermission(actor, 'certificates:read');
  return findCertificate(db, number);
}

/** The certificate with a number, for staff who may issue it to print; null when there is none that they may issue. */
export async function findCertificateToPrint(db: Db, actor: StaffActor, number: string): Promise<Certificate | null> {
  requirePermission(actor, 'certificates:issue');
  const certificate = await findCertificate(db, number);
  return certificate && (await isInInstructorScope(db, actor, certificate.placeId)) ? certificate : null;
}

const openNames = (db: Db) =>
  db
    .selectFrom('certificate_names')
    .innerJoin('certificates', 'certificates.id', 'certificate_id')
    .select(['certificate_id', 'name'])
    .where('decided_at', 'is', null)
    .where('name', 'is not', null)
    .where('certificates.state', '=', 'issued')
    .execute();

/** Staff looked at the corrected records and keep the certificate. */
export async function keepCertificate(
  trx: Db,
  { number, actor }: { number: string; actor: StaffActor },
  at: Date,
): Promise<boolean> {
  requirePermission(actor, 'certificates:revoke');
  const { numUpdatedRows } = await trx
    .updateTable('certificates')
    .set({ looked_at: at })
    .where('number', '=', number)
    .where('state', 'in', ['issued', 'withdrawn'])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
