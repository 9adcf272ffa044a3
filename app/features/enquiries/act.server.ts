import { createHash } from 'node:crypto';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { enquiryAnswer } from '#app/emails/enquiry-answer.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { ActResult } from '#app/http/desk-form.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { EnquiryState } from './inbox.ts';
import { mailKeys } from './rules.ts';

/** What a member of staff does about an enquiry. */
export type Act =
  | { kind: 'answer'; body: string }
  | { kind: 'note'; body: string }
  | { kind: 'state'; state: EnquiryState };

type Acting = {
  reference: string;
  staff: { id: number; name: string };
  at: Date;
  /** The last answer or change of state that stood on the page the act was sent from; 0 for none. */
  seen: number;
  /** Names the form: the same act from the same form is stored once (P25). */
  idempotencyKey: string;
  /** Who answers, and where answers to the answer go. */
  academy: MailAcademy;
};

/**
 * Stores an act, with its audit entry and the mail of an answer in the same transaction. The enquiry's row is locked
 * first, so that of two answers at once the second is told of the first. A note never collides.
 */
export async function actOnEnquiry(
  trx: Db,
  act: Act,
  { reference, staff, at, seen, idempotencyKey, academy }: Acting,
): Promise<ActResult<{ kind: string; state: string | null }>> {
  const enquiry = await trx
    .selectFrom('enquiries')
    .select(['id', 'email'])
    .where('reference', '=', reference)
    .forUpdate()
    .executeTakeFirst();
  if (!enquiry) return { ok: false, reason: 'missing' };
  const formHash = createHash('sha256')
    .update(JSON.stringify([idempotencyKey, act]))
    .digest('base64url');
  if (await wasStored(trx, formHash)) return { ok: true };
  const other = act.kind === 'note' ? null : await findActAfter(trx, enquiry.id, seen);
  if (other) return { ok: false, reason: 'meanwhile', ...other };

  const state = act.kind === 'answer' ? 'answered' : act.kind === 'state' ? act.state : null;
  await trx
    .insertInto('enquiry_acts')
    .values({
      enquiry_id: enquiry.id,
      kind: act.kind,
      body: act.kind === 'state' ? null : act.body,
      state,
      person_id: staff.id,
      form_hash: formHash,
      created_at: at,
    })
    .execute();
  if (state) {
    await trx
      .updateTable('enquiries')
      .set({ state, state_at: at, state_by: staff.id })
      .where('id', '=', enquiry.id)
      .execute();
  }
  if (act.kind === 'answer') {
    const mail = enquiryAnswer({ reference, body: act.body, from: staff.name, academy });
    const dedupeKey = `${mailKeys.answer}:${reference}:${formHash}`;
    await queueMail(trx, {
      kind: 'enquiry-answer',
      about: { kind: 'enquiry', id: enquiry.id },
      to: enquiry.email,
      replyTo: academy.email,
      dedupeKey,
      ...mail,
    });
  }
  await writeAuditEntry(trx, {
    at,
    personId: staff.id,
    action: act.kind,
    subject: `enquiry:${reference}`,
    details: state ? { state } : {},
  });
  return { ok: true };
}

async function wasStored(trx: Db, formHash: string): Promise<boolean> {
  const stored = await trx.selectFrom('enquiry_acts').select('id').where('form_hash', '=', formHash).executeTakeFirst();
  return stored !== undefined;
}

async function findActAfter(trx: Db, enquiryId: number, seen: number) {
  const act = await trx
    .selectFrom('enquiry_acts')
    .innerJoin('people', 'people.id', 'enquiry_acts.person_id')
    .select(['enquiry_acts.id as seen', 'people.name as by', 'enquiry_acts.created_at as at', 'kind', 'state'])
    .where('enquiry_id', '=', enquiryId)
    .where('kind', '<>', 'note')
    .where('enquiry_acts.id', '>', seen)
    .orderBy('enquiry_acts.id', 'desc')
    .executeTakeFirst();
  return act ?? null;
}
