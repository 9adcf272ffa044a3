import type { Trx } from '#app/db/client.server.ts';
import { enrolmentDraftLink } from '#app/emails/enrolment-draft-link.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { emailField } from '#app/http/form-texts.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { draftLink } from './draft-links.server.ts';
import { draftDays } from './drafts.server.ts';

/** Mails the private link of a draft to an address that somebody typed. */
export async function mailDraftLink(
  trx: Trx,
  { clock, academy, forms }: Academy,
  { draftId, typed, from }: { draftId: number; typed: string; from: string },
): Promise<'sent' | 'no-address' | 'too-many'> {
  const parsed = emailField.safeParse(typed);
  if (!parsed.success) return 'no-address';
  const asked = { limit: forms.limit, kind: 'draft-link', to: parsed.data, from } as const;
  const room = await askForMail(trx, asked, clock.now());
  if (!room.ok) return 'too-many';
  await room.count();
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
