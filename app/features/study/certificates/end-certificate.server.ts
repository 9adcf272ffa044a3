import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { certificateRevoked } from '#app/emails/study.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { placeUnfinished } from '#app/features/study/xp.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { withdrawMail } from '#app/outbox/withdraw-mail.server.ts';
import type { Certificate } from './certificate.ts';
import { type CertificateState, type Revocation, revocations } from './facts.ts';
import { lockPlace, mailKeyOf, undoMs } from './issue.server.ts';
import { publicAddress } from './links.ts';
import { inFours } from './number.ts';
import { findCertificate, isInInstructorScope } from './queries.server.ts';

type NotEnded = { ok: false; reason: 'unknown' | 'ended' | 'too-late' };
type Ended = { ok: true; certificate: Certificate } | NotEnded;

/**
 * Undoes a certificate within 15 minutes: its number is answered as unknown from then on, its mail is not sent, and its
 * place is as it was. Too late for one that took the place of another, about which its holder knows.
 */
export async function undoCertificate(
  trx: Trx,
  { number, actor }: { number: string; actor: Actor },
  at: Date,
): Promise<Ended> {
  requirePermission(actor, 'certificates:issue');
  const found = await lockIssued(trx, number);
  if (!found.ok) return found;
  const { certificate } = found;
  if (!(await isInInstructorScope(trx, actor, certificate.placeId))) return { ok: false, reason: 'unknown' };
  if (!canBeUndone(certificate, at)) return { ok: false, reason: 'too-late' };
  await end(trx, certificate, { state: 'undone', actor, at });
  await withdrawMail(trx, mailKeyOf(certificate.id), at, 'The certificate was undone.');
  return found;
}

/** Whether a certificate can still be undone at an instant. */
export const canBeUndone = ({ state, issuedAt, supersedes }: Certificate, at: Date): boolean =>
  state === 'issued' && supersedes === null && at.getTime() < issuedAt.getTime() + undoMs;

/**
 * Revokes a certificate: its page then says since when it is not valid and why (P44). A certificate that its holder
 * withdrew can be revoked too, so that nobody escapes by withdrawing first. Tells the holder if they were told of the
 * certificate.
 */
export async function revokeCertificate(
  trx: Trx,
  { number, why, actor }: { number: string; why: Revocation; actor: Actor },
  moment: Moment,
): Promise<Ended> {
  requirePermission(actor, 'certificates:revoke');
  const found = await lockIn(trx, number, ['issued', 'withdrawn']);
  if (!found.ok) return found;
  const { certificate } = found;
  const at = moment.now;
  await end(trx, certificate, { state: 'revoked', actor, at, reason: revocations[why] });
  // It may have been revoked before its mail went out.
  const unheard = await withdrawMail(trx, mailKeyOf(certificate.id), at, 'The certificate was revoked.');
  if (!unheard) await tellRevoked(trx, certificate, why, moment);
  return found;
}

async function tellRevoked(
  trx: Trx,
  { id, number, facts }: Certificate,
  why: Revocation,
  { academy }: Moment,
): Promise<void> {
  const { holder_email: to, enrolment_id } = await trx
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .select(['holder_email', 'enrolment_id'])
    .where('certificates.id', '=', id)
    .executeTakeFirstOrThrow();
  if (to === null) return;
  await queueMail(trx, {
    kind: 'certificate-revoked',
    about: { kind: 'enrolment', id: enrolment_id },
    to,
    replyTo: academy.email,
    ...certificateRevoked({
      title: facts.course.title,
      number: inFours(number),
      why: revocations[why],
      page: publicAddress(academy.url, number),
      academy,
    }),
  });
}

/** The holder withdraws a certificate; the caller checks that it is theirs. The progress of the place stays. */
export async function withdrawCertificate(trx: Trx, number: string, at: Date): Promise<Ended> {
  const found = await lockIssued(trx, number);
  if (!found.ok) return found;
  await end(trx, found.certificate, { state: 'withdrawn', actor: null, at });
  await withdrawMail(trx, mailKeyOf(found.certificate.id), at, 'The certificate was withdrawn by its holder.');
  return found;
}

/** Locks the place of a certificate that holds, and reads it. */
export const lockIssued = (trx: Trx, number: string): Promise<Ended> => lockIn(trx, number, ['issued']);

async function lockIn(trx: Trx, number: string, states: readonly CertificateState[]): Promise<Ended> {
  const known = await findCertificate(trx, number);
  if (!known) return { ok: false, reason: 'unknown' };
  await lockPlace(trx, known.placeId);
  const certificate = await findCertificate(trx, number);
  if (!certificate) return { ok: false, reason: 'unknown' };
  return states.includes(certificate.state) ? { ok: true, certificate } : { ok: false, reason: 'ended' };
}

type Ending = {
  state: Exclude<CertificateState, 'issued'>;
  /** Null: its holder. */
  actor: Actor | null;
  at: Date;
  reason?: string;
};

/**
 * Ends a certificate whose place is locked. Undone and revoked ones take the rest of the course's XP with them (P62). If
 * the revoked one was the last that held, those withdrawn before it complete the place no longer.
 */
export async function end(trx: Trx, { id, placeId }: Certificate, { state, actor, at, reason }: Ending): Promise<void> {
  await trx
    .updateTable('certificates')
    .set({ state, ended_at: at, ended_by: actor && personIdOf(actor), reason: reason ?? null })
    .where('id', '=', id)
    .execute();
  if (state !== 'undone' && state !== 'revoked') return;
  await placeUnfinished(trx, placeId, { certificateId: await firstOf(trx, id), at });
  if (state === 'revoked' && !(await holdsOne(trx, placeId))) await placeUnfinished(trx, placeId, { at });
}

async function holdsOne(trx: Trx, placeId: number): Promise<boolean> {
  const issued = trx.selectFrom('certificates').select('id').where('place_id', '=', placeId);
  return (await issued.where('state', '=', 'issued').executeTakeFirst()) !== undefined;
}

/** The first of the certificates that took each other's place: the ledger of XP names that one. */
export async function firstOf(trx: Trx, id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recursive chain as (
      select id, supersedes from certificates where id = ${id}
      union all select certificates.id, certificates.supersedes from certificates
        join chain on certificates.id = chain.supersedes
    ) select id from chain where supersedes is null`.execute(trx);
  return rows[0]?.id ?? id;
}
