import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import { completionOf } from '#app/features/progress/completion.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Certificate } from './certificate.ts';
import { numberOf } from './number.ts';
import { certificateOf, rows } from './queries.server.ts';
import type { CertificateFilter } from './staff-list.ts';

const pageLength = 50;
/** Records of a course are corrected within the year in which one can study. */
const correctedWithinMs = 400 * 24 * 60 * 60 * 1000;

/** What staff have to look at: a name that its holder asked for, or records that no longer meet the rule. */
export type ToLookAt = { name: string | null; missing: readonly string[] };

/** One page of the certificates, the latest first; found by number, or by words of the holder's name or the course. */
export async function listCertificates(
  db: Db,
  actor: StaffActor,
  { state, search, page }: CertificateFilter,
  moment: Moment,
): Promise<{ certificates: Certificate[]; more: boolean }> {
  demand(actor, 'certificates:read');
  const number = numberOf(search);
  const words = number ? [] : search.split(/\s+/).filter((word) => word !== '');
  const look = state === 'look' ? [...(await certificatesToLookAt(db, moment)).keys()] : null;
  const found = await rows(db)
    .where('certificates.state', '<>', 'undone')
    .$if(number !== null, (query) => query.where('certificates.number', '=', number ?? ''))
    .$if(look !== null, (query) => query.where('certificates.id', 'in', [0, ...(look ?? [])]))
    .$if(state !== null && state !== 'look', (query) => query.where('certificates.state', '=', state ?? ''))
    .where((eb) =>
      eb.and(
        words.map(
          (word) =>
            sql<boolean>`strpos(lower(concat_ws(' ', certificates.holder_name, certificates.facts -> 'course' ->> 'title')), lower(${word})) > 0`,
        ),
      ),
    )
    .orderBy('certificates.issued_at', 'desc')
    .orderBy('certificates.id', 'desc')
    .offset((page - 1) * pageLength)
    .limit(pageLength + 1)
    .execute();
  return { certificates: found.slice(0, pageLength).map(certificateOf), more: found.length > pageLength };
}

/** The certificates that wait for staff, by id. Nothing is revoked by itself (P64). */
export async function certificatesToLookAt(db: Db, moment: Moment): Promise<ReadonlyMap<number, ToLookAt>> {
  const found = new Map<number, ToLookAt>();
  for (const { certificate_id, name } of await openNames(db)) found.set(certificate_id, { name, missing: [] });
  const since = new Date(moment.now.getTime() - correctedWithinMs);
  const { rows: corrected } = await sql<{ id: number; place_id: number }>`
    select id, place_id from certificates
    where state = 'issued' and issued_at > ${since} and (
      exists (select from attendance_marks where place_id = certificates.place_id
        and received_at > coalesce(looked_at, issued_at))
      or exists (select from exercise_marks join exercise_answers on exercise_answers.id = answer_id
        where place_id = certificates.place_id and marked_at > coalesce(looked_at, issued_at)))
    order by id`.execute(db);
  for (const { id, place_id } of corrected) {
    const { met, missing } = await completionOf(db, place_id, moment);
    if (!met) found.set(id, { name: found.get(id)?.name ?? null, missing });
  }
  return found;
}

/** What is to be looked at about one certificate; null when there is nothing. */
export const lookAtOne = async (db: Db, id: number, moment: Moment): Promise<ToLookAt | null> =>
  (await certificatesToLookAt(db, moment)).get(id) ?? null;

const openNames = (db: Db) =>
  db
    .selectFrom('certificate_names')
    .innerJoin('certificates', 'certificates.id', 'certificate_id')
    .select(['certificate_id', 'name'])
    .where('decided_at', 'is', null)
    .where('name', 'is not', null)
    .where('certificates.state', '=', 'issued')
    .execute();

/** Staff looked at what was corrected, and let the certificate stand. */
export async function letStand(
  trx: Db,
  { number, actor }: { number: string; actor: StaffActor },
  at: Date,
): Promise<boolean> {
  demand(actor, 'certificates:revoke');
  const { numUpdatedRows } = await trx
    .updateTable('certificates')
    .set({ looked_at: at })
    .where('number', '=', number)
    .where('state', '=', 'issued')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
