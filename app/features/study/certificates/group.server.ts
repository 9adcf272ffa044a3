import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import type { AskedWork } from '#app/features/study/work.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Certificate } from './certificate.ts';
import { canBeUndone } from './end-certificate.server.ts';
import { metInWords, revocations } from './facts.ts';
import { assess, issueCertificate, type NotIssued, undoMs } from './issue.server.ts';
import { certificatesOfPlaces, isInInstructorScope, placesInReach } from './queries.server.ts';

/** One person of a group in the preview, with the planned result. */
export type Candidate = {
  placeId: number;
  /** Null while nobody is named. */
  name: string | null;
  /** We email nobody whose address we do not have. */
  hasEmail: boolean;
  courseTitle: string;
} & (
  | { standing: 'issued'; certificate: Certificate; undoUntil: Date | null }
  | { standing: 'ready'; met: string; work: AskedWork | null; before: string | null; remark: string | null }
  | {
      standing: 'refused';
      why: readonly string[];
      work: AskedWork | null;
      before: string | null;
      remark: string | null;
    }
);

/** The attendees of a course date, or of one place, whose certificates the person may issue; sorted by name. */
export async function readCandidates(
  db: Db,
  actor: Actor,
  of: { courseDateId: number } | { placeId: number },
  moment: Moment,
): Promise<Candidate[]> {
  requirePermission(actor, 'certificates:issue');
  const places = await placesInReach(db, actor)
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .select(['places.id', 'attendees.name', 'attendees.email', 'courses.title'])
    .where('places.state', '<>', 'cancelled')
    .$if('courseDateId' in of, (query) =>
      query.where('places.course_date_id', '=', 'courseDateId' in of ? of.courseDateId : 0),
    )
    .$if('placeId' in of, (query) => query.where('places.id', '=', 'placeId' in of ? of.placeId : 0))
    .orderBy('attendees.name')
    .orderBy('places.id')
    .execute();
  const known = await certificatesOfPlaces(
    db,
    places.map(({ id }) => id),
  );
  const candidates: Candidate[] = [];
  for (const { id, name, email, title } of places) {
    const person = { placeId: id, name, hasEmail: email !== null, courseTitle: title };
    const all = known.get(id) ?? [];
    const certificate = all.find(({ state }) => state === 'issued');
    if (certificate) {
      const undoUntil = canBeUndone(certificate, moment.now) ? new Date(certificate.issuedAt.getTime() + undoMs) : null;
      candidates.push({ ...person, standing: 'issued', certificate, undoUntil });
      continue;
    }
    const before = all[0] ? beforeInWords(all[0]) : null;
    const assessed = await assess(db, id, moment);
    candidates.push(
      assessed.ok
        ? {
            ...person,
            standing: 'ready',
            met: metInWords(assessed.facts),
            work: assessed.work,
            before,
            remark: assessed.remark,
          }
        : { ...person, standing: 'refused', why: assessed.why, work: assessed.work, before, remark: assessed.remark },
    );
  }
  return candidates;
}

function beforeInWords({ state, reason }: Certificate): string {
  if (state === 'revoked') {
    const known = Object.values(revocations).find((one) => one === reason);
    return `An earlier one was revoked: ${known ?? reason}.`;
  }
  return 'The holder withdrew an earlier one.';
}

/** The result for each requested place. */
export type GroupResult = {
  issued: number;
  already: number;
  /** Why a place got no certificate, by place. */
  refused: ReadonlyMap<number, readonly string[]>;
};

const failed = 'Something failed on our side. Nothing was issued for this person. Please try again.';

type GroupWish = {
  placeIds: readonly number[];
  /** Whether the actor confirms for all of them that the work of the course was accepted, even without a mark (P61). */
  workAccepted: boolean;
  actor: Actor;
  onFailure(error: unknown): void;
};

/**
 * Issues the certificates of several places, each in a transaction of its own: what fails for one person undoes nothing
 * for the others. Repeating it is harmless. Throws only when the database is away; what was issued until then stays.
 */
export async function issueToGroup(
  db: Db,
  { placeIds, workAccepted, actor, onFailure }: GroupWish,
  moment: Moment,
): Promise<GroupResult> {
  requirePermission(actor, 'certificates:issue');
  const refused = new Map<number, readonly string[]>();
  let [issued, already] = [0, 0];
  for (const placeId of placeIds) {
    try {
      const result = await db
        .transaction()
        .execute(async (trx): Promise<Awaited<ReturnType<typeof issueCertificate>>> => {
          if (!(await isInInstructorScope(trx, actor, placeId))) return notTheirs;
          const done = await issueCertificate(trx, { placeId, workAccepted, actor }, moment);
          if (done.ok && !done.already) {
            await writeAuditEntry(trx, {
              at: moment.now,
              personId: personIdOf(actor),
              action: 'issue-certificate',
              subject: `certificate:${done.number}`,
            });
          }
          return done;
        });
      if (!result.ok) refused.set(placeId, result.why);
      else if (result.already) already += 1;
      else issued += 1;
    } catch (error) {
      if (isConnectionFailure(error)) throw error;
      onFailure(error);
      refused.set(placeId, [failed]);
    }
  }
  return { issued, already, refused };
}

const notTheirs: NotIssued = { ok: false, why: ['You may not issue this certificate.'] };
