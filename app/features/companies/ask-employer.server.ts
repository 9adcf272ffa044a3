import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { employerAsked, employerRequestSent } from '#app/emails/employer-requests.ts';
import { longestName } from '#app/features/enrolments/schema.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { askLimits, type FormLimit, type Room } from '#app/http/form-limit.server.ts';
import { emailField, requiredEmail, requiredLine } from '#app/http/form-texts.ts';
import { formatDay } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { canBeName, hasLink } from '#app/lib/link-in-text.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { makeLink } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { offerLink, requestLink, requestToken } from './links.server.ts';
import { employerLabels } from './quote-form.ts';
import type { Mailing } from './send-offer.server.ts';

const nameFault = 'Enter a name with letters only, without an address or a number.';
const personName = (what: string) => requiredLine(what, longestName).refine(canBeName, nameFault);
/** A sentence that a stranger reads: without a link (P24). */
const sentence = (what: string) =>
  requiredLine(what, 200).refine((text) => !hasLink(text), 'Write it without a web address or an email address.');

/** Who asks, whom, and the three lines (P113). */
export const askingSchema = z
  .object({
    buyerName: personName('your name'),
    email: emailField,
    organisation: sentence('your employer, as it should appear on the quote'),
    approverName: personName('the name of the person who decides'),
    approverEmail: requiredEmail('their email address', 'Enter an email address such as name@example.com.'),
    purpose: sentence('what you will do with it'),
    deadline: sentence('by when'),
    audience: sentence('who else learns from it; “nobody” is an answer'),
  })
  .refine(({ email, approverEmail }) => mailboxOf(email) !== mailboxOf(approverEmail), {
    path: ['approverEmail'],
    message: 'This is your own address. Enter the address of the person who decides.',
  });

export type Asking = z.infer<typeof askingSchema>;

/** What a draft has of a request to an employer; null when it is none. */
export function readAsking({ employer, payer }: { employer: FormValues; payer: FormValues }): Asking | null {
  const parsed = askingSchema.safeParse({ ...payer, ...employer });
  return parsed.success ? parsed.data : null;
}

/** The three lines as the quote shows them above its price. */
export const wordsOf = ({ buyerName, purpose, deadline, audience }: Asking): string =>
  [
    `${buyerName} asks you to pay for this and would attend.`,
    `${employerLabels.purpose}: ${purpose}`,
    `${employerLabels.deadline}: ${deadline}`,
    `${employerLabels.audience}: ${audience}`,
  ].join('\n');

/** One person may ask another once in so many days; everybody together may ask one so often a day (P113). */
const askAgainDays = 30;
const mostAskedADay = 3;

/** Whether an email may go to whoever decides. It is counted once it was queued. */
export function askToMail(trx: Trx, limit: FormLimit, { email, approverEmail }: Asking, at: Date): Promise<Room> {
  const most = (attempts: number, days: number, name: string) => ({
    attempts,
    attemptsOfWideNetwork: attempts,
    windowMs: days * dayMs,
    key: `${limit.key}:employer-request:${name}`,
  });
  const approver = mailboxOf(approverEmail);
  return askLimits(
    trx,
    [
      { limit: most(1, askAgainDays, 'pair'), by: `${mailboxOf(email)} to ${approver}` },
      { limit: most(mostAskedADay, 1, 'approver'), by: approver },
    ],
    at,
  );
}

/** Stores the request of an offer that is about to be sent. Returns its id. */
export async function storeRequest(
  trx: Trx,
  { offerId, asking, secret, at }: { offerId: number; asking: Asking; secret: string; at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('employer_requests')
    .values({ offer_id: offerId, name: asking.buyerName, email: asking.email, made_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await makeLink(trx, { employer_request_id: id }, requestToken(secret, id));
  return id;
}

/** Mails the request to whoever decides, and its link to whoever asks. */
export async function mailRequest(
  trx: Trx,
  { offer, facts }: Mailing,
  { requestId, asking }: { requestId: number; asking: Asking },
  { academy }: Moment,
): Promise<void> {
  const about = { kind: 'offer', id: offer.id } as const;
  const shared = {
    number: facts.number,
    title: facts.title,
    asker: asking.buyerName,
    total: `${formatMoney(facts.totalCents)} incl. GST`,
    lastDay: formatDay(facts.lastDay),
    academy,
  };
  const link = offerLink(offer.id);
  await queueMail(trx, {
    kind: 'employer-asked',
    about,
    links: [link],
    to: offer.email,
    replyTo: academy.email,
    ...employerAsked({ ...shared, askerEmail: asking.email, link: placeholderOf(link) }),
  });
  const own = requestLink(requestId);
  await queueMail(trx, {
    kind: 'employer-request-sent',
    about,
    links: [own],
    to: asking.email,
    replyTo: academy.email,
    ...employerRequestSent({ ...shared, approver: offer.name, link: placeholderOf(own) }),
  });
}
