import { createHash } from 'node:crypto';
import type { Trx } from '#app/db/client.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { reportUndelivered } from '#app/outbox/undelivered.server.ts';
import type { InboundEmail } from './email.ts';

export type Arrived = {
  /** Null when it could not be read: its source is kept all the same. */
  email: InboundEmail | null;
  source: Uint8Array<ArrayBuffer>;
  /** The address that the mail server got it from; '' for what must not be answered, such as a delivery report. */
  envelopeSender: string;
};

/**
 * What became of an email: stored as a new enquiry, stored before, one of ours that came back, a delivery report that
 * was noted at its mail, or one that names nobody whom we could answer.
 */
export type Taken =
  | { what: 'stored'; reference: string; automatic: boolean }
  | { what: 'repeat' | 'own' | 'report' | 'nobody' };

/**
 * Stores an email that somebody wrote to the academy as an enquiry, in the caller's transaction (P81). The same email
 * again, as after a connection that broke off, stores nothing. One that a program wrote waits for no answer and is
 * closed from the start. It came when the mail server got it. Whoever answered last in its conversation has it in hand.
 */
export async function takeInboundEmail(trx: Trx, arrived: Arrived, now: Date): Promise<Taken> {
  const { email, source, envelopeSender } = arrived;
  if (email?.messageId && (await findMail(trx, [email.messageId]))) return { what: 'own' };
  if (email?.report && (await reportUndelivered(trx, email.report, now))) return { what: 'report' };
  const from = senderOf(arrived);
  if (!from) return { what: 'nobody' };

  const answered = await findMail(trx, email?.answers ?? []);
  const before = await findBefore(trx, { answered, answers: email?.answers ?? [] });
  const about = answered && answered.about_kind !== 'enquiry' ? answered : before;
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
        message: email?.text || null,
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

/** A mail server keeps an email for so long while we cannot take it (RFC 5321, 4.5.4.1). */
const keptMs = 5 * 24 * 60 * 60 * 1000;

/** The promise counts from when the mail server got an email: it may have waited there for us. */
function cameAt(email: InboundEmail | null, now: Date): Date {
  const at = new Date(email?.receivedAt ?? Number.NaN);
  return at <= now && now.getTime() - at.getTime() <= keptMs ? at : now;
}

/** Whom an answer goes to: Reply-To before From; `sender` is From where the two differ. */
function senderOf({ email, envelopeSender }: Arrived): { name: string; address: string; sender: string | null } | null {
  const from = emailAddressOf(email?.from?.address ?? envelopeSender);
  const replyTo = emailAddressOf(email?.replyTo?.address ?? '');
  const address = replyTo ?? from;
  if (!address) return null;
  const name = (replyTo && email?.replyTo?.name) || email?.from?.name || address.slice(0, address.indexOf('@'));
  return { name, address, sender: from && from.toLowerCase() !== address.toLowerCase() ? from : null };
}

/** The first of some Message-IDs that is the name of a mail of ours. Ours begin with the id of their row. */
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
  }
  return null;
}

type Mail = Awaited<ReturnType<typeof findMail>>;

/**
 * The conversation that an email continues, by its first enquiry, and what it is about: the email names an answer of ours
 * or an email to us before it.
 */
async function findBefore(
  trx: Trx,
  { answered, answers }: { answered: Mail; answers: readonly string[] },
): Promise<{ thread: number; about_kind: string | null; about_id: number | null } | null> {
  const ids = answered?.about_kind === 'enquiry' ? [answered.about_id ?? 0] : [];
  const row = await trx
    .selectFrom('enquiries')
    .leftJoin('inbound_emails', 'inbound_emails.enquiry_id', 'enquiries.id')
    .select(({ fn, ref }) => fn.coalesce(ref('thread_of'), ref('enquiries.id')).as('thread'))
    .select(['about_kind', 'about_id'])
    .where(({ or, eb }) => or([eb('enquiries.id', 'in', [0, ...ids]), eb('message_id', 'in', ['', ...answers])]))
    .orderBy('enquiries.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Whoever answered last in a conversation gets what comes back. */
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
