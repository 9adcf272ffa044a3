import { createHash } from 'node:crypto';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { askForNames } from '#app/features/enrolments/ask-names.server.ts';
import { forgetReminders, remindNow } from '#app/features/enrolments/payment-reminders.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { takeBackBulkMails } from '#app/outbox/take-back.server.ts';
import { type BulkAct, type BuyerAct, mostAtOnce, requireAct } from './acts.ts';
import { type Message, queueMessage } from './message.server.ts';
import { planBuyers } from './plan-buyers.server.ts';
import {
  type Audience,
  type ChosenRecords,
  lockDatesOf,
  type MessageCourse,
  recipientsOf,
} from './recipients.server.ts';

type Pressed = {
  actor: StaffActor;
  /** Names what the page showed, by `planKey`: when something else would be done now, nothing is. */
  expects: string;
};
type Done = { ok: true; number: number; emails: number };
type NotDone = { ok: false; reason: 'nobody' | 'too-many' | 'changed' };

/** Queues the emails of an act on the buyers of enrolments under one number; they go out after 60 seconds (P101). */
export async function mailBuyers(
  trx: Trx,
  { act, ids, actor, expects }: Pressed & { act: BuyerAct; ids: readonly number[] },
  moment: Moment,
): Promise<Done | NotDone> {
  requireAct(actor, act);
  const plan = await planBuyers(trx, actor, { ids, act }, moment);
  const refused = refusal(plan, expects);
  if (refused) return refused;
  const number = await insertAction(trx, { act, actor }, moment);
  let emails = 0;
  for (const { id: enrolmentId } of mailed(plan)) {
    const asked = { enrolmentId, actor, bulkAction: number };
    const result = await (act === 'remind' ? remindNow : askForNames)(trx, asked, moment);
    if (result.ok) emails += 1;
  }
  if (emails === 0) return { ok: false, reason: 'nobody' };
  const action = act === 'remind' ? 'send-reminders' : 'ask-names';
  await record(trx, { number, actor, action, emails }, moment);
  return { ok: true, number, emails };
}

/** Queues a message to the people of chosen records under one number; it goes out after 60 seconds (P80, P101). */
export async function sendMessage(
  trx: Trx,
  {
    records,
    to,
    message,
    actor,
    expects,
  }: Pressed & { records: ChosenRecords; to: readonly Audience[]; message: Message },
  moment: Moment,
): Promise<Done | NotDone> {
  requireAct(actor, 'message');
  requirePermission(actor, `${records.of}:read`);
  await lockDatesOf(trx, records);
  const { today } = moment;
  const plan = await recipientsOf(trx, records, { to, marketing: message.marketing, today });
  const refused = refusal(plan, expects);
  if (refused) return refused;
  const { subject, body } = message;
  const number = await insertAction(trx, { act: 'message', actor, subject, body }, moment);
  const recipients = mailed(plan);
  for (const one of recipients) {
    if (one.email !== null)
      await queueMessage(trx, { ...one, email: one.email }, { message, bulkAction: number }, moment);
  }
  const emails = recipients.length;
  await record(trx, { number, actor, action: 'send-message', emails }, moment);
  return { ok: true, number, emails };
}

/**
 * Takes a bulk action back: no email is sent, and reminders count as not sent. Refused once an attempt to send one of
 * its emails has begun.
 */
export async function takeBack(
  trx: Trx,
  { number, actor }: { number: number; actor: StaffActor },
  moment: Moment,
): Promise<{ ok: true } | { ok: false; reason: 'unknown' | 'too-late' }> {
  const action = await trx
    .selectFrom('bulk_actions')
    .select(['act', 'taken_back_at'])
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();
  if (!action) return { ok: false, reason: 'unknown' };
  requireAct(actor, action.act);
  if (action.taken_back_at) return { ok: false, reason: 'too-late' };
  const mails = await takeBackBulkMails(trx, number, { by: actor.person.name, at: moment.now });
  if (!mails) return { ok: false, reason: 'too-late' };
  await forgetReminders(trx, mails);
  await trx.updateTable('bulk_actions').set({ taken_back_at: moment.now }).where('number', '=', number).execute();
  await record(trx, { number, actor, action: 'take-back-emails', emails: mails.length }, moment);
  return { ok: true };
}

type Planned = { id: number; leftOut: string | null; audience?: Audience; course?: MessageCourse };

const mailed = <One extends { leftOut: string | null }>(plan: readonly One[]): One[] =>
  plan.filter(({ leftOut }) => leftOut === null);

/** A key of the recipients with the course, date and place in each email; it changes when any of them changes. */
export function planKey(plan: readonly Planned[]): string {
  const emails = mailed(plan).map(({ id, audience, course }) => JSON.stringify([audience, id, course]));
  return createHash('sha256').update(emails.sort().join()).digest('hex').slice(0, 32);
}

function refusal(plan: readonly Planned[], expects: string): NotDone | null {
  const count = mailed(plan).length;
  if (count > mostAtOnce) return { ok: false, reason: 'too-many' };
  if (planKey(plan) !== expects) return { ok: false, reason: 'changed' };
  return count === 0 ? { ok: false, reason: 'nobody' } : null;
}

async function insertAction(
  trx: Trx,
  { actor, ...action }: { actor: StaffActor; act: BulkAct; subject?: string; body?: string },
  { now }: Moment,
): Promise<number> {
  const row = { ...action, made_by: actor.person.id, made_at: now };
  const { number } = await trx.insertInto('bulk_actions').values(row).returning('number').executeTakeFirstOrThrow();
  return number;
}

type Recorded = { number: number; actor: StaffActor; action: string; emails: number };

const record = (trx: Trx, { number, actor, action, emails }: Recorded, { now: at }: Moment) =>
  writeAuditEntry(trx, {
    at,
    personId: actor.person.id,
    action,
    subject: `bulk-action:${number}`,
    details: { emails },
  });
