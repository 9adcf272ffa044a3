import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { takeBackMail } from '#app/outbox/take-back.server.ts';
import { mailKeys } from './rules.ts';

/**
 * Takes an answer back before it goes out (P101). The enquiry is again in the state that its other acts left it in, and the
 * text is kept for the next answer. Closing it after the answer counts no more: it would be closed and never answered.
 * Messages that the answer answered as well are open again.
 * Not done once the mail is under way, or when there is no such enquiry.
 */
export async function takeBackAnswer(
  trx: Trx,
  { reference, mailId, actor, at }: { reference: string; mailId: string; actor: StaffActor; at: Date },
): Promise<{ ok: true } | { ok: false; reason: 'missing' | 'too-late' }> {
  requirePermission(actor, 'enquiries:answer');
  const { person } = actor;
  const query = trx.selectFrom('enquiries').select('id').where('reference', '=', reference).forUpdate();
  const enquiry = await query.executeTakeFirst();
  if (!enquiry) return { ok: false, reason: 'missing' };
  const about = { kind: 'enquiry', id: enquiry.id } as const;
  const [mail] = (await takeBackMail(trx, { mailId, about, by: person.name, at })) ?? [];
  const actId = Number(mail?.dedupeKey?.replace(`${mailKeys.answer}:${reference}:`, ''));
  if (!Number.isInteger(actId)) return { ok: false, reason: 'too-late' };

  const answer = await trx
    .deleteFrom('enquiry_acts')
    .where('id', '=', actId)
    .where('enquiry_id', '=', enquiry.id)
    .returning('body')
    .executeTakeFirstOrThrow();
  await setStateAgain(trx, enquiry.id, actId);
  const also = await trx.deleteFrom('enquiry_acts').where('with_act', '=', actId).returning('enquiry_id').execute();
  for (const { enquiry_id } of also) await setStateAgain(trx, enquiry_id, actId);
  await trx
    .insertInto('enquiry_acts')
    .values({ enquiry_id: enquiry.id, kind: 'taken-back', body: answer.body, person_id: person.id, created_at: at })
    .execute();
  const subject = `enquiry:${reference}`;
  await writeAuditEntry(trx, { at, personId: person.id, action: 'take-back', subject, details: {} });
  return { ok: true };
}

/** Sets the state that the acts which are left give an enquiry; closing it after the answer does not count. */
async function setStateAgain(trx: Trx, enquiryId: number, answerId: number): Promise<void> {
  const last = await trx
    .selectFrom('enquiry_acts')
    .select(['state', 'created_at', 'person_id'])
    .where('enquiry_id', '=', enquiryId)
    .where('state', 'is not', null)
    .where(({ or, eb }) => or([eb('id', '<', answerId), eb('state', '<>', 'closed')]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const email = await trx
    .selectFrom('inbound_emails')
    .select('automatic')
    .where('enquiry_id', '=', enquiryId)
    .executeTakeFirst();
  const first = email?.automatic ? 'closed' : 'new';
  await trx
    .updateTable('enquiries')
    .set({ state: last?.state ?? first, state_at: last?.created_at ?? null, state_by: last?.person_id ?? null })
    .where('id', '=', enquiryId)
    .execute();
}
