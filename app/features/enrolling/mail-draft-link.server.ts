import type { Trx } from '#app/db/client.server.ts';
import { enrolmentDraftLink } from '#app/emails/enrolment-draft-link.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { emailField } from '#app/http/form-texts.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { countWithin, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { draftLink } from './draft-links.server.ts';
import { draftDays } from './drafts.server.ts';

/** How often we send links to drafts to one mailbox, whatever the number of people who ask (P24). */
const linkLimits = [
  { most: 2, hours: 1 },
  { most: 5, hours: 24 },
];

/**
 * Mails the private link of a draft to an address that somebody typed. Beyond the limit nothing is sent, and the answer is
 * the same: it tells nobody whether the address got mail before.
 */
export async function mailDraftLink(
  trx: Trx,
  { clock, academy }: Academy,
  { draftId, typed }: { draftId: number; typed: string },
): Promise<'sent' | 'no-address'> {
  const parsed = emailField.safeParse(typed);
  if (!parsed.success) return 'no-address';
  const key = await mailboxKey(trx, 'enrolment-draft-link', parsed.data);
  if (!(await countWithin(trx, key, linkLimits, clock.now()))) return 'sent';
  const link = draftLink(draftId);
  await queueMail(trx, {
    kind: 'enrolment-draft-link',
    about: { kind: 'enrolment-draft', id: draftId },
    links: [link],
    to: parsed.data,
    replyTo: academy().email,
    ...enrolmentDraftLink({ link: placeholderOf(link), days: draftDays, academy: academy() }),
  });
  return 'sent';
}
