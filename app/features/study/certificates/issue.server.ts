import type { Selectable } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import type { Certificates } from '#app/db/schema.ts';
import { certificateIssued } from '#app/emails/certificate-issued.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import { placeFinished } from '#app/features/study/xp.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { assess } from './assess.server.ts';
import { type CertificateFacts, heldInWords } from './facts.ts';
import { newNumber } from './new-number.server.ts';
import { inFours } from './number.ts';

/** How long a certificate can be undone without a trace (P64). */
export const undoMs = 15 * 60 * 1000;
/** The mail goes out a minute later, so that none is under way while it can still be undone. */
const mailAfterSeconds = 16 * 60;

type Issued = {
  ok: true;
  id: number;
  number: string;
  /** It had been issued before: nothing was written. */
  already: boolean;
};
export type NotIssued = { ok: false; why: readonly string[] };

/**
 * Issues the certificate of a place, once however often and by how many it is asked for. The mail to its holder is due
 * after the time in which it can be undone. Refused in sentences when the place does not have what it takes, and when
 * it asks for work (P61) that nobody has accepted, before or now.
 */
export async function issueCertificate(
  trx: Trx,
  { placeId, workAccepted, actor }: { placeId: number; workAccepted: boolean; actor: Actor },
  moment: Moment,
): Promise<Issued | NotIssued> {
  requirePermission(actor, 'certificates:issue');
  const place = await lockPlace(trx, placeId);
  const known = await trx
    .selectFrom('certificates')
    .select(['id', 'number'])
    .where('place_id', '=', placeId)
    .where('state', '=', 'issued')
    .executeTakeFirst();
  if (known) return { ok: true, ...known, already: true };
  const assessed = await assess(trx, placeId, moment);
  if (!assessed.ok) return { ok: false, why: assessed.why };
  const { name, email, work } = assessed;
  if (work !== null && work.acceptedAt === null && !workAccepted) return { ok: false, why: [notConfirmed] };
  const facts: CertificateFacts = { ...assessed.facts, ...(work !== null && { workAccepted: true }) };
  const written = await writeCertificate(trx, {
    place_id: placeId,
    facts: JSON.stringify(facts),
    holder_name: name,
    holder_email: email,
    issued_at: moment.now,
    issued_by: personIdOf(actor),
  });
  await placeFinished(trx, placeId, { certificateId: written.id, at: moment.now });
  if (email) await queueCertificateMail(trx, { ...place, ...written, email, facts }, moment);
  return { ok: true, ...written, already: false };
}

const notConfirmed = 'Confirm that the work was accepted that the course asks for.';

/**
 * Locks a place, so that changes of its certificates happen one after the other. Throws when there is no such place.
 */
export const lockPlace = (trx: Trx, placeId: number): Promise<{ enrolment_id: number; attendee_id: number }> =>
  trx
    .selectFrom('places')
    .select(['enrolment_id', 'attendee_id'])
    .where('id', '=', placeId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

type Row = {
  place_id: number;
  facts: string;
  holder_name: string;
  holder_email: string | null;
  issued_at: Date;
  issued_by: number | null;
  shows?: Selectable<Certificates>['shows'];
  supersedes?: number;
};

/** Writes a certificate under a new number. */
export async function writeCertificate(trx: Trx, row: Row): Promise<{ id: number; number: string }> {
  for (;;) {
    const written = await trx
      .insertInto('certificates')
      .values({ ...row, number: newNumber() })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .returning(['id', 'number'])
      .executeTakeFirst();
    if (written) return written;
  }
}

type Told = {
  id: number;
  number: string;
  enrolment_id: number;
  attendee_id: number;
  email: string;
  facts: CertificateFacts;
};

/** What withdraws the mail again. */
export const mailKeyOf = (certificateId: number): string => `certificate:${certificateId}`;

/** Mails a certificate to its holder, once it can no longer be undone. */
export async function queueCertificateMail(trx: Trx, told: Told, { academy }: Moment): Promise<void> {
  const { id, number, enrolment_id, attendee_id, email, facts } = told;
  const link = placeLink(enrolment_id, attendee_id);
  await queueMail(trx, {
    kind: 'certificate-issued',
    about: { kind: 'enrolment', id: enrolment_id },
    to: email,
    replyTo: academy.email,
    links: [link],
    dedupeKey: mailKeyOf(id),
    afterSeconds: mailAfterSeconds,
    ...certificateIssued({
      title: facts.course.title,
      held: heldInWords(facts),
      number: inFours(number),
      link: placeholderOf(link),
      academy,
    }),
  });
}
