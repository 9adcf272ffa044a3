import { createContext } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { EmailReader } from './email.ts';
import { openBefore } from './open-before.server.ts';

/** Reads the files of emails, for who downloads them. */
export const emailReaderContext = createContext<EmailReader>();

const storedFiles = z.array(z.object({ name: z.string(), type: z.string(), bytes: z.number() }));

/** How many other messages of a conversation a page shows before its own, and how many after it. */
const mostOthers = 30;

/** The facts of an enquiry as an email, by the enquiry's id; null for enquiries by form. */
export async function readEmailForStaff(db: Db, actor: StaffActor, enquiryId: number) {
  requirePermission(actor, 'enquiries:read');
  const row = await db
    .selectFrom('inbound_emails')
    .select(['subject', 'sender', 'answers_subject', 'answers_recipient', 'about_kind', 'about_id'])
    .select(['automatic', 'files', 'copies'])
    .where('enquiry_id', '=', enquiryId)
    .executeTakeFirst();
  if (!row) return null;
  const about = row.about_id === null ? null : await referenceOf(db, actor, row.about_kind, row.about_id);
  return { ...row, about, files: storedFiles.parse(row.files), copies: z.array(z.string()).parse(row.copies) };
}

/** The enrolment or booking that an answered mail was about, by its reference; null for others and once it is gone. */
async function referenceOf(
  db: Db,
  actor: StaffActor,
  kind: string | null,
  id: number,
): Promise<{ kind: 'enrolment' | 'booking'; reference: string } | null> {
  if (kind === 'enrolment' && actor.can.has('enrolments:read')) {
    const query = db.selectFrom('enrolments').select('reference').where('id', '=', id);
    const row = await query.executeTakeFirst();
    return row ? { kind, reference: row.reference } : null;
  }
  if (kind === 'booking' && actor.can.has('bookings:read')) {
    const query = db.selectFrom('bookings').select('reference').where('id', '=', id);
    const row = await query.executeTakeFirst();
    return row ? { kind, reference: row.reference } : null;
  }
  return null;
}

/**
 * The other messages of the conversation that an enquiry belongs to, with the answers to them, oldest first: up to 30 that
 * came before it and up to 30 that came after it. `older` and `newer` say how many more there are. An email that answers
 * one of ours continues its conversation.
 */
export async function readConversation(db: Db, actor: StaffActor, enquiryId: number) {
  requirePermission(actor, 'enquiries:read');
  const own = await db
    .selectFrom('inbound_emails')
    .select('thread_of')
    .where('enquiry_id', '=', enquiryId)
    .executeTakeFirst();
  const first = own?.thread_of ?? enquiryId;
  const before = await readPart(db, { first, side: '<', of: enquiryId });
  const after = await readPart(db, { first, side: '>', of: enquiryId });
  const messages = [...before.messages, ...after.messages].sort((a, b) => a.id - b.id);
  const answers = await db
    .selectFrom('enquiry_acts')
    .innerJoin('people', 'people.id', 'enquiry_acts.person_id')
    .select(['enquiry_acts.id', 'enquiry_id', 'body', 'enquiry_acts.created_at', 'people.name as by'])
    .where('enquiry_id', 'in', [0, ...messages.map(({ id }) => id)])
    .where('kind', '=', 'answer')
    .orderBy('enquiry_acts.id')
    .execute();
  return {
    older: before.more,
    newer: after.more,
    messages: messages.map((message) => ({
      ...message,
      answers: answers.filter(({ enquiry_id }) => enquiry_id === message.id),
    })),
  };
}

/**
 * The messages of a conversation before or after one of them, the nearest, and how many more there are on that side.
 */
async function readPart(db: Db, { first, side, of }: { first: number; side: '<' | '>'; of: number }) {
  const part = db
    .selectFrom('enquiries')
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('enquiries.id', '=', first),
        eb('enquiries.id', 'in', selectFrom('inbound_emails').select('enquiry_id').where('thread_of', '=', first)),
      ]),
    )
    .where('enquiries.id', side, of);
  const { count } = await part.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const messages = await part
    .select(['enquiries.id', 'reference', 'first_name', 'last_name', 'email', 'message', 'state', 'created_at'])
    .orderBy('enquiries.id', side === '<' ? 'desc' : 'asc')
    .limit(mostOthers)
    .execute();
  return { messages, more: count - messages.length };
}

/** The emails about an enrolment, oldest first: answers to mails about it, and what followed them. */
export async function readEmailsAbout(db: Db, actor: StaffActor, enrolmentId: number) {
  if (!actor.can.has('enquiries:read')) return [];
  return db
    .selectFrom('inbound_emails')
    .innerJoin('enquiries', 'enquiries.id', 'enquiry_id')
    .select(['enquiries.id', 'reference', 'first_name', 'email', 'subject', 'created_at'])
    .where('about_kind', '=', 'enrolment')
    .where('about_id', '=', enrolmentId)
    .where('automatic', '=', false)
    .orderBy('enquiries.id')
    .execute();
}

/** How many open messages an answer to one answers as well. */
export async function countOpenBefore(db: Db, actor: StaffActor, enquiryId: number): Promise<number> {
  requirePermission(actor, 'enquiries:read');
  const { count } = await openBefore(db, enquiryId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** An email as it came, by the reference of its enquiry; null when there is none. */
export async function readEmailSource(db: Db, actor: StaffActor, reference: string): Promise<Buffer | null> {
  requirePermission(actor, 'enquiries:read');
  const row = await db
    .selectFrom('enquiries')
    .innerJoin('inbound_emails', 'enquiry_id', 'enquiries.id')
    .select('source')
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row?.source ?? null;
}
