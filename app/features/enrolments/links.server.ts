import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { enrolmentLinks } from '#app/emails/enrolments.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { verifyAddress } from '#app/features/people/addresses.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { waitText } from '#app/http/form-limit.server.ts';
import { emailField, firstFaults } from '#app/http/form-texts.ts';
import { type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { type Filling, findTarget, isOf, makeLink } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { enrolmentPath, placePath } from './paths.ts';

/** Makes a further private link (P32) and returns its token. Without an attendee it is the buyer's. */
export const makeEnrolmentLink = (
  trx: Db,
  enrolmentId: number,
  attendeeId: number | null = null,
  token?: string,
): Promise<string> => makeLink(trx, { enrolment_id: enrolmentId, attendee_id: attendeeId }, token);

/** Whose a private link is: the buyer's when both others are null; a manager's of its organisation (P116), as a person. */
type LinkOwner = { enrolmentId: number; attendeeId: number | null; managerId: number | null };

/** The owner of a private link. Null for an unknown token. */
export async function findLink(db: Db, token: string): Promise<LinkOwner | null> {
  const target = await findTarget(db, token);
  if (!target?.enrolment_id) return null;
  return { enrolmentId: target.enrolment_id, attendeeId: target.attendee_id, managerId: target.manager_id };
}

/**
 * Records that the buyer's private link was used (P50). Links of attendees are not recorded: they stay valid when only
 * the part after a plus sign of the address was changed.
 */
export async function verifyBuyer(trx: Db, enrolmentId: number, at: Date): Promise<void> {
  const query = trx.selectFrom('enrolments').select('email').where('id', '=', enrolmentId);
  await verifyAddress(trx, (await query.executeTakeFirstOrThrow()).email, at);
}

/** The name by which mails ask for the link of a buyer. */
export const enrolmentLink = (enrolmentId: number): string => `enrolment:${enrolmentId}`;

/** The name by which mails ask for the link of an attendee. */
export const placeLink = (enrolmentId: number, attendeeId: number): string => `place:${enrolmentId}:${attendeeId}`;

/** The links of mails to a buyer, as long as the enrolment has the recipient's address. */
export const enrolmentFilling: Filling = {
  async concerns(db, [id = 0], recipient) {
    const query = db.selectFrom('enrolments').select('email').where('id', '=', id).forShare();
    return isOf((await query.executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [id = 0], origin) => origin + enrolmentPath(await makeEnrolmentLink(trx, id)),
};

/** The links of mails to an attendee, as long as the place is of somebody with the recipient's address. */
export const placeFilling: Filling = {
  async concerns(db, [enrolmentId = 0, id = 0], recipient) {
    const query = db.selectFrom('attendees').select('email').where('id', '=', id).forShare();
    return isOf((await query.where('enrolment_id', '=', enrolmentId).executeTakeFirst())?.email, recipient);
  },
  make: async (trx, [enrolmentId = 0, id = 0], origin) =>
    origin + placePath(await makeEnrolmentLink(trx, enrolmentId, id)),
};

/** A thing that can be opened by a private link: the page, a document, or the calendar entry of a place. */
type Opened = { what: 'page' | 'calendar' } | { what: 'tax-invoice' | 'adjustment-note'; documentId: number };

/**
 * Records when a buyer or an attendee first opened one of their pages or files (P83), so that staff on the telephone
 * know what the caller has seen. Later openings change nothing. Only requests of a browser count: scanners of mail open
 * every link. The page is shown whether it was recorded or not.
 */
export async function recordOpening(
  { db, clock }: Pick<Academy, 'db' | 'clock'>,
  request: Request,
  { token, ...opened }: Opened & { token: string },
): Promise<void> {
  if (!isByBrowser(request)) return;
  try {
    const link = await findLink(db, token);
    // A manager is not the buyer, whose telephone call it would be.
    if (!link || link.managerId !== null) return;
    await db
      .insertInto('first_openings')
      .values({
        enrolment_id: link.enrolmentId,
        attendee_id: link.attendeeId,
        what: opened.what,
        document_id: 'documentId' in opened ? opened.documentId : null,
        opened_at: clock.now(),
      })
      .onConflict((conflict) => conflict.columns(['enrolment_id', 'attendee_id', 'what', 'document_id']).doNothing())
      .execute();
  } catch (error) {
    if (databaseTrouble(error) === null) throw error;
  }
}

/** Browsers say how they fetch; a page fetched ahead has not been opened. */
const isByBrowser = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.has('Sec-Fetch-Mode') && !headers.has('Sec-Purpose') && !headers.has('Purpose');

/** The first openings of an enrolment with their times, oldest first. */
export function openingsOf(db: Db, enrolmentId: number) {
  return db
    .selectFrom('first_openings')
    .leftJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['first_openings.id', 'attendee_id', 'attendees.name as attendee', 'what', 'document_id', 'opened_at'])
    .where('first_openings.enrolment_id', '=', enrolmentId)
    .orderBy('first_openings.id')
    .execute();
}

/** The newest enrolments of an address that one mail lists. */
const mostListed = 20;

const schema = z.object({ email: emailField });

/**
 * Sends an address the private links of what was bought or is attended under it (P32). The answer is the same whether
 * there is anything or not, so that nobody learns who is enrolled.
 */
export function submitLinks(
  { forms, academy }: Academy,
  request: { form: FormData | null; address: string },
): Promise<SubmitResult> {
  return takeVisitorForm<z.infer<typeof schema>>(forms, request, {
    name: 'enrolment-links',
    fields: ['email'],
    parse(values) {
      const parsed = schema.safeParse(values);
      return parsed.success ? { ok: true, data: parsed.data } : { ok: false, errors: firstFaults(parsed.error) };
    },
    async store(trx, { email }, { at }) {
      const asked = { limit: forms.limit, kind: 'enrolment-links', to: email, from: request.address } as const;
      const room = await askForMail(trx, asked, at);
      if (!room.ok) return { errors: { email: tooMany(room.waitMs) } };
      await room.count();
      await queueLinks(trx, email, academy());
      return { reference: '', repeat: false };
    },
    findRepeat: async () => null,
  });
}

const tooMany = (waitMs: number) =>
  `We sent no links, because they were asked for often from your network. Use an earlier email, or ask again in ${waitText(waitMs)} or on another connection.`;

/**
 * The enrolments and places of this very address. Another spelling that only some mail servers deliver to the same
 * mailbox may be somebody else's, who would get these links (P50).
 */
async function queueLinks(trx: Db, typed: string, academy: MailAcademy): Promise<void> {
  const email = typed.toLowerCase();
  const person = trx.selectFrom('person_emails').select('person_id').where('email', '=', email);
  const bought = await trx
    .selectFrom('enrolments')
    .select(['id', 'reference', 'title'])
    .where('person_id', '=', person)
    .orderBy('id', 'desc')
    .limit(mostListed)
    .execute();
  const attended = await trx
    .selectFrom('attendees')
    .innerJoin('enrolments', 'enrolments.id', 'attendees.enrolment_id')
    .select(['attendees.id as attendeeId', 'enrolments.id', 'reference', 'title'])
    .where('attendees.person_id', '=', person)
    .orderBy('attendees.id', 'desc')
    .limit(mostListed)
    .execute();
  if (bought.length + attended.length === 0) return;
  const links = [];
  for (const { id, reference, title } of bought) {
    links.push({ reference, title, name: enrolmentLink(id), whose: 'buyer' as const });
  }
  for (const { id, attendeeId, reference, title } of attended) {
    links.push({ reference, title, name: placeLink(id, attendeeId), whose: 'attendee' as const });
  }
  await queueMail(trx, {
    kind: 'enrolment-links',
    // It may list several enrolments; staff find the mail by the links in it.
    about: 'nothing',
    to: email,
    replyTo: academy.email,
    links: links.map(({ name }) => name),
    ...enrolmentLinks({ links: links.map(({ name, ...link }) => ({ ...link, href: placeholderOf(name) })), academy }),
  });
}
