import type { Db } from '#app/db/client.server.ts';
import { contactAcknowledgement, enquiryMessage } from '#app/emails/enquiries.ts';

import { enrolmentAcknowledgement } from '#app/emails/enrolments.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { claimAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { consentLink } from '#app/outbox/marketing.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enquiry, Recorded } from './commands.server.ts';
import { detailRows } from './details.ts';
import { mailKeys } from './rules.ts';
import type { FormKind } from './schema.ts';

const titles: Record<FormKind, string> = {
  contact: 'Message',
  enrolment: 'Enrolment request',
};

/**
 * Queues what is mailed about a new enquiry, in the transaction that stores it: an acknowledgement to the address
 * given, and the message itself to the academy.
 */
export async function queueEnquiryMails(
  trx: Db,
  enquiry: Enquiry,
  { reference, corrects }: Recorded,
  academy: MailAcademy,
  at: Date,
): Promise<void> {
  const { kind, email, phone, message } = enquiry;
  const { id } = await trx
    .selectFrom('enquiries')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  const about = { kind: 'enquiry', id } as const;
  if (await claimAcknowledgement(trx, email, at)) {
    const acknowledgement = kind === 'enrolment' ? enrolmentAcknowledgement : contactAcknowledgement;
    await queueMail(trx, {
      kind: kind === 'enrolment' ? 'enrolment-acknowledgement' : 'contact-acknowledgement',
      about,
      to: email,
      replyTo: academy.email,
      dedupeKey: `${mailKeys.acknowledgement}:${reference}`,
      ...acknowledgement({ reference, consent: await consentLink(trx, academy.url, email), academy }),
    });
  }
  const name = `${enquiry.firstName} ${enquiry.lastName}`;
  const news = enquiry.consent ? [['News', 'Wants news about courses and dates'] as const] : [];
  const props = { reference, corrects, title: titles[kind], name, email, phone, message, academy };
  await queueMail(trx, {
    kind: 'enquiry-message',
    about,
    to: academy.email,
    replyTo: email,
    dedupeKey: `${mailKeys.message}:${reference}`,
    ...enquiryMessage({ ...props, details: [...detailRows(enquiry.details), ...news] }),
  });
}
