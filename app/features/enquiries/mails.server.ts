import type { Db } from '#app/db/client.server.ts';
import { contactAcknowledgement } from '#app/emails/contact-acknowledgement.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { claimAcknowledgement } from '#app/outbox/acknowledge.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Enquiry } from './commands.server.ts';

/** Queues what is mailed about a new enquiry, in the transaction that stores it. */
export async function queueEnquiryMails(
  trx: Db,
  enquiry: Enquiry,
  { reference, academy, at }: { reference: string; academy: MailAcademy; at: Date },
): Promise<void> {
  if (await claimAcknowledgement(trx, enquiry.email, at)) {
    await queueMail(trx, {
      kind: 'contact-acknowledgement',
      to: enquiry.email,
      ...contactAcknowledgement({ reference, academy }),
    });
  }
}
