import type { NotNull } from 'kysely';
import { writeAuditEntries, writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { enquiryAnswer } from '#app/emails/enquiries.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { openBefore } from '#app/features/inbox/email/open-before.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { EnquiryState } from './inbox.ts';
import { mailKeys } from './rules.ts';

/** An act of a member of staff on an enquiry. */
export type Act = { kind: 'answer'; body: string } | { kind: 'state'; state: EnquiryState };

type Acting = {
  reference: string;
  actor: StaffActor;
  at: Date;
  /** The number of the last answer or change of state that the page showed; 0 for none. */
  seen: number;
  /** The sender of the answer, and its Reply-To. */
  academy: MailAcademy;
};

/** Not stored: the enquiry was erased, or somebody did something first; `seen` counts that in. */
export type NotActed =
  | { ok: false; reason: 'missing' }
  | { ok: false; reason: 'meanwhile'; by: string; at: Date; seen: number; kind: string; state: string | null };

/**
 * Stores an act, with its audit entry and the mail of an answer in the same transaction. The enquiry's row is locked
 * first, so that of two answers at once the second is told of the first. An answer can be taken back for a minute. It
 * also answers the open messages before it in the same conversation.
 */
export async function actOnEnquiry(
  trx: Db,
  act: Act,
  { reference, actor, at, seen, academy }: Acting,
): Promise<{ ok: true } | NotActed> {
  requirePermission(actor, 'enquiries:answer');
  const { person } = actor;
  const enquiry = await trx
    .selectFrom('enquiries')
    .select(['id', 'email'])
    .where('reference', '=', reference)
    .forUpdate()
    .executeTakeFirst();
  if (!enquiry) return { ok: false, reason: 'missing' };
  const other = await findActAfter(trx, enquiry.id, seen);
  if (other) return { ok: false, reason: 'meanwhile', ...other };

  const state = act.kind === 'answer' ? 'answered' : act.state;
  const { id } = await trx
    .insertInto('enquiry_acts')
    .values({
      enquiry_id: enquiry.id,
      kind: act.kind,
      body: act.kind === 'state' ? null : act.body,
      state,
      person_id: person.id,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('enquiries')
    .set({ state, state_at: at, state_by: person.id })
    .where('id', '=', enquiry.id)
    .execute();
  if (act.kind === 'answer') {
    await answerAlso(trx, { enquiryId: enquiry.id, answerId: id, personId: person.id, at });
    const email = await trx
      .selectFrom('inbound_emails')
      .select(['subject', 'message_id'])
      .where('enquiry_id', '=', enquiry.id)
      .executeTakeFirst();
    const emailSubject = email ? email.subject : null;
    const mail = enquiryAnswer({ reference, body: act.body, from: person.name, emailSubject, academy });
    const dedupeKey = `${mailKeys.answer}:${reference}:${id}`;
    const mailId = await queueMail(trx, {
      kind: 'enquiry-answer',
      about: { kind: 'enquiry', id: enquiry.id },
      to: enquiry.email,
      replyTo: academy.email,
      dedupeKey,
      canTakeBack: true,
      ...(email?.message_id && { headers: { 'In-Reply-To': email.message_id, References: email.message_id } }),
      ...mail,
    });
    await trx.updateTable('enquiry_acts').set({ mail_id: mailId }).where('id', '=', id).execute();
  }
  await writeAuditEntry(trx, {
    at,
    personId: person.id,
    action: act.kind,
    subject: `enquiry:${reference}`,
    details: act.kind === 'state' ? { state } : {},
  });
  return { ok: true };
}

/** PostgreSQL takes 65,535 values in a statement. */
const atOnce = 1000;

/** Locks the latest first, as do others who answer in the same conversation. */
async function answerAlso(
  trx: Db,
  { enquiryId, answerId, personId, at }: { enquiryId: number; answerId: number; personId: number; at: Date },
): Promise<void> {
  const state = 'answered';
  const open = await openBefore(trx, enquiryId).select(['id', 'reference']).orderBy('id', 'desc').forUpdate().execute();
  // A stranger who fills an inbox with thousands of messages delays staff by a few statements only.
  for (let from = 0; from < open.length; from += atOnce) {
    const some = open.slice(from, from + atOnce);
    const act = { kind: 'state', state, person_id: personId, created_at: at, with_act: answerId } as const;
    await trx
      .insertInto('enquiry_acts')
      .values(some.map(({ id }) => ({ ...act, enquiry_id: id })))
      .execute();
    await trx
      .updateTable('enquiries')
      .set({ state, state_at: at, state_by: personId })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
    await writeAuditEntries(
      trx,
      some.map(({ reference }) => ({
        at,
        personId,
        action: 'state',
        subject: `enquiry:${reference}`,
        details: { state },
      })),
    );
  }
}

async function findActAfter(trx: Db, enquiryId: number, seen: number) {
  const act = await trx
    .selectFrom('enquiry_acts')
    .innerJoin('people', 'people.id', 'enquiry_acts.person_id')
    .select(['enquiry_acts.id as seen', 'people.name as by', 'enquiry_acts.created_at as at', 'kind', 'state'])
    // Staff always have a name.
    .$narrowType<{ by: NotNull }>()
    .where('enquiry_id', '=', enquiryId)
    .where('kind', '<>', 'note')
    .where('enquiry_acts.id', '>', seen)
    .orderBy('enquiry_acts.id', 'desc')
    .executeTakeFirst();
  return act ?? null;
}
