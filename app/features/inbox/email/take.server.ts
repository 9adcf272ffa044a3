import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { askLimits, type Room } from '#app/http/form-limit.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { dayMs } from '#app/lib/durations.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { reportUndelivered } from '#app/outbox/undelivered.server.ts';
import type { InboundEmail } from './email.ts';

export type Arrived = {
  /** Null when it could not be read: its source is kept all the same. */
  email: InboundEmail | null;
  source: Uint8Array<ArrayBuffer>;
  /** The address that the mail server got it from; '' for what must not be answered, such as a delivery report. */
  envelopeSender: string;
};

/** The instant at which an email is taken, and the academy's address, which is never answered. */
type Taking = { now: Date; ourAddress: string };

/**
 * The result for an email: stored as a new enquiry; stored before; ours, returned or written by staff in the academy's
 * mailbox; a delivery report, recorded at its mail; without an address that could be answered; or beyond the limit of
 * the day.
 */
export type Taken =
  | { what: 'stored'; reference: string; automatic: boolean }
  | { what: 'repeat' | 'own' | 'report' | 'nobody' | 'too-much' };

/**
 * Stores an email to the academy as an enquiry, in the caller's transaction (P81). The same email again, as after a
 * broken connection, stores nothing. An email that a program wrote waits for no answer and is closed from the start.
 * Its time is the mail server's. The member of staff who answered last in the conversation has it in hand.
 */
export async function takeInboundEmail(trx: Trx, arrived: Arrived, { now, ourAddress }: Taking): Promise<Taken> {
  const { email, source, envelopeSender } = arrived;
  if (email?.messageId && (await findMail(trx, [email.messageId]))) return { what: 'own' };
  // Anybody can write a report; a mail server sends it from no address.
  if (email?.report && envelopeSender === '' && (await reportUndelivered(trx, email.report, now))) {
    return { what: 'report' };
  }
  const from = senderOf(arrived, ourAddress);
  if (!from || from === 'ours') return { what: from ? 'own' : 'nobody' };

  const room = await askDay(trx, { from: from.address, bytes: source.length, now });
  if (!room.ok) return { what: 'too-much' };
  const answered = await findMail(trx, email?.answers ?? []);
  const before = await findBefore(trx, { answered, answers: email?.answers ?? [], address: from.address });
  const about =
    answered && answered.about_kind !== 'enquiry'
      ? answered
      : (before ?? (await findInvited(trx, email?.invitation?.uid ?? '')));
  const at = cameAt(email, now);
  const automatic = envelopeSender === '' || email?.automatic === true;
  const idempotencyKey = keyOf(arrived);
  for (;;) {
    const stored = await trx
      .insertInto('enquiries')
      .values({
        kind: 'email',
        reference: newReference(),
        idempotency_key: idempotencyKey,
        first_name: from.name,
        last_name: '',
        email: from.address,
        // Some say everything in the subject.
        message: email?.text || email?.subject || null,
        marketing_consent: false,
        details: '{}',
        state: automatic ? 'closed' : 'new',
        state_at: automatic ? now : null,
        created_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'reference'])
      .executeTakeFirst();
    if (stored) {
      await room.count();
      await trx
        .insertInto('inbound_emails')
        .values({
          enquiry_id: stored.id,
          message_id: email?.messageId ?? null,
          subject: email?.subject ?? '',
          sender: from.sender,
          thread_of: before?.thread ?? null,
          answers_subject: answered?.subject ?? null,
          answers_recipient: answered?.recipient ?? null,
          about_kind: about?.about_kind ?? null,
          about_id: about?.about_id ?? null,
          automatic,
          copies: JSON.stringify(copiesOf(email, [from.address, ourAddress])),
          files: JSON.stringify(email?.files ?? []),
          source: Buffer.from(source),
        })
        .execute();
      if (before && !automatic) await handToAnswerer(trx, { enquiryId: stored.id, thread: before.thread, at: now });
      return { what: 'stored', reference: stored.reference, automatic };
    }
    const same = trx.selectFrom('enquiries').select('id').where('idempotency_key', '=', idempotencyKey);
    if (await same.executeTakeFirst()) return { what: 'repeat' };
    // Once in a thousand million times the reference was taken.
  }
}

/** The bytes stored in a day of one sender, and of all together. Each email counts with a minimum. */
const mostBytesOfSender = 50_000_000;
const mostBytesOfDay = 1_000_000_000;
const leastBytes = 100_000;

/** Whether there is room for an email today. Its mail server keeps one that has none, and hands it over again. */
async function askDay(trx: Trx, { from, bytes, now }: { from: string; bytes: number; now: Date }): Promise<Room> {
  const weight = Math.max(bytes, leastBytes);
  const key = `${await programSecret(trx, 'form-limit')}:emails`;
  const most = (attempts: number) => ({
    attempts,
    attemptsOfWideNetwork: attempts,
    windowMs: dayMs,
    key,
  });
  const asked = [
    { limit: most(mostBytesOfSender), by: mailboxOf(from), weight },
    { limit: most(mostBytesOfDay), by: 'all', weight },
  ];
  return askLimits(trx, asked, now);
}

/** A mail server keeps an email for so long while we cannot take it (RFC 5321, 4.5.4.1). */
const keptMs = 5 * dayMs;

/** The promise counts from when the mail server got an email: it may have waited there for us. */
function cameAt(email: InboundEmail | null, now: Date): Date {
  const at = new Date(email?.receivedAt ?? Number.NaN);
  return at <= now && now.getTime() - at.getTime() <= keptMs ? at : now;
}

type Sender = { name: string; address: string; sender: string | null };

/**
 * The recipient of an answer: Reply-To before From before the envelope, and never the academy itself; `sender` is From
 * where the two differ. Null when there is none, 'ours' when the email comes from the academy's address alone.
 */
function senderOf({ email, envelopeSender }: Arrived, ourAddress: string): Sender | 'ours' | null {
  const isOurs = (address: string | null) =>
    address?.toLowerCase().replace(/\+[^@]*@/, '@') === ourAddress.toLowerCase();
  const from = emailAddressOf(email?.from?.address ?? '') ?? emailAddressOf(envelopeSender);
  const asked = emailAddressOf(email?.replyTo?.address ?? '');
  const replyTo = isOurs(asked) ? null : asked;
  const address = replyTo ?? from;
  if (!address) return null;
  if (isOurs(address)) return 'ours';
  const name = (replyTo && email?.replyTo?.name) || email?.from?.name || address.slice(0, address.indexOf('@'));
  return { name, address, sender: from && from.toLowerCase() !== address.toLowerCase() ? from : null };
}

/**
 * The first of some Message-IDs that is the name of a mail of ours. Ours begin with the id of their row. A mail is erased
 * after some weeks; the answer that it was is still known then, without its subject.
 */
async function findMail(trx: Trx, messageIds: readonly string[]) {
  for (const messageId of messageIds) {
    const id = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/.exec(messageId)?.[1];
    if (!id) continue;
    const mail = await trx
      .selectFrom('mails')
      .select(['subject', 'recipient', 'about_kind', 'about_id'])
      .where('id', '=', id)
      .where('message_id', '=', messageId)
      .executeTakeFirst();
    if (mail) return mail;
    const answer = await trx
      .selectFrom('enquiry_acts')
      .innerJoin('enquiries', 'enquiries.id', 'enquiry_id')
      .select(['enquiries.id', 'email'])
      .where('mail_id', '=', id)
      .executeTakeFirst();
    if (answer) return { subject: null, recipient: answer.email, about_kind: 'enquiry', about_id: answer.id };
  }
  return null;
}

/** The enrolment or booking that an entry of a calendar is of. */
async function findInvited(trx: Trx, uid: string) {
  const [, kind, id] = /^(place|booking)-([0-9a-f-]{36})@/.exec(uid) ?? [];
  if (!kind || !z.uuid().safeParse(id).success) return null;
  const { rows } = await sql<{ about_kind: string; about_id: number }>`
    select 'booking' as about_kind, id as about_id from bookings where ${kind} = 'booking' and calendar_id = ${id}
    union all
    select 'enrolment', enrolment_id from places where ${kind} = 'place' and calendar_id = ${id}`.execute(trx);
  return rows[0] ?? null;
}

/** Recipients in copy other than the sender and the academy, each once. */
function copiesOf(email: InboundEmail | null, others: readonly string[]): string[] {
  const left = new Set(others.map((address) => address.toLowerCase()));
  const copies = (email?.copies ?? []).flatMap(({ address }) => emailAddressOf(address) ?? []);
  return [...new Set(copies)].filter((address) => !left.has(address.toLowerCase()));
}

type Mail = Awaited<ReturnType<typeof findMail>>;

/**
 * The conversation that an email continues, by its first enquiry, and what it is about: the email names an answer of ours
 * or an email to us before it, or the same address has written about the same enrolment or booking.
 */
async function findBefore(
  trx: Trx,
  { answered, answers, address }: { answered: Mail; answers: readonly string[]; address: string },
): Promise<{ thread: number; about_kind: string | null; about_id: number | null } | null> {
  const isOfEnquiry = answered?.about_kind === 'enquiry';
  const about = isOfEnquiry ? null : answered;
  // One by one, because each is found by an index of its own.
  const { rows } = await sql<{ thread: number; about_kind: string | null; about_id: number | null }>`
    select coalesce(thread_of, enquiries.id) as thread, about_kind, about_id
    from (
      select id from enquiries where id = ${isOfEnquiry ? answered.about_id : null}
      union all
      select enquiry_id from inbound_emails where message_id = any(${[...answers]}::text[])
      union all
      select enquiry_id from inbound_emails join enquiries on enquiries.id = enquiry_id
        where about_kind = ${about?.about_kind ?? null} and about_id = ${about?.about_id ?? null}
          and lower(email) = ${address.toLowerCase()}
    ) as found join enquiries using (id) left join inbound_emails on enquiry_id = enquiries.id
    order by enquiries.id desc limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** The member of staff who answered last in a conversation gets the reply. */
async function handToAnswerer(trx: Trx, { enquiryId, thread, at }: { enquiryId: number; thread: number; at: Date }) {
  const last = await trx
    .selectFrom('enquiry_acts')
    .leftJoin('inbound_emails', 'inbound_emails.enquiry_id', 'enquiry_acts.enquiry_id')
    .select('person_id')
    .where('kind', '=', 'answer')
    .where(({ or, eb }) => or([eb('enquiry_acts.enquiry_id', '=', thread), eb('thread_of', '=', thread)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return;
  const held = { enquiry_id: enquiryId, held_by: last.person_id, held_at: at };
  await trx.insertInto('inbox_holds').values(held).execute();
}

/**
 * The idempotency key of an email: the same for the same email, however often and by whatever way it comes. Its
 * Message-ID alone will not do, because its sender chooses that.
 */
function keyOf({ email, source }: Arrived): string {
  const told = email && {
    ...email,
    answers: undefined,
    automatic: undefined,
    report: undefined,
    receivedAt: undefined,
  };
  const hash = createHash('sha256')
    .update(told ? JSON.stringify(told) : source)
    .digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
